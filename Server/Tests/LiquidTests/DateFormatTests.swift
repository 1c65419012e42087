import Liquid
import Testing

@Suite("The forms of a date")
struct DateFormatTests {
    /// Saturday, 29 February 2020, 00:07:03.0425.
    private static let leapDay = LiquidDate(seconds: 1_582_934_823.0425)
    /// Sunday, 5 July 2026, 12:00:09 in a zone half an hour off.
    private static let noon = LiquidDate(seconds: 1_783_233_009, offset: 19_800)

    @Test(
        "of midnight and of a leap day",
        arguments: [
            ("%Y-%m-%d %H:%M:%S", "2020-02-29 00:07:03"), ("%I %l %k %-I %-l %-k", "12 12  0 12 12 0"),
            ("%p %P %^P %#p", "AM am AM am"), ("%j %-j %_j", "060 60  60"), ("%a %A %u %w", "Sat Saturday 6 6"),
            ("%b %h %B", "Feb Feb February"), ("%L %N %3N %6N %9N %1L", "042 042500000 042 042500 042500000 0"),
            ("%v", "29-FEB-2020"), ("%x %X", "02/29/20 00:07:03"), ("%+", "Sat Feb 29 00:07:03 UTC 2020"),
            ("%r", "12:07:03 AM"), ("%U %W %V %G %g", "08 08 09 2020 20"), ("%C %y", "20 20"), ("%s", "1582934823"),
        ]
    )
    func leapDay(pattern: String, expected: String) {
        #expect(Self.leapDay.format(pattern) == expected)
    }

    @Test(
        "of noon in a zone half an hour off",
        arguments: [
            ("%H:%M:%S", "12:00:09"), ("%I %l %p", "12 12 PM"), ("%d %e %-d", "05  5 5"),
            ("%a %^a %#a %A", "Sun SUN SUN Sunday"), ("%u %w", "7 0"), ("%z %:z %::z", "+0530 +05:30 +05:30:00"),
            ("%s", "1783233009"), ("%R %D", "12:00 07/05/26"), ("%c", "Sun Jul  5 12:00:09 2026"),
        ]
    )
    func noon(pattern: String, expected: String) {
        #expect(Self.noon.format(pattern) == expected)
    }

    @Test(
        "have the width and the padding that is asked for",
        arguments: [
            ("[%8B]", "[    July]"), ("[%08B]", "[0000July]"), ("[%^8B]", "[    JULY]"), ("[%4d]", "[0005]"),
            ("[%_4d]", "[   5]"), ("[%-4d]", "[5]"), ("[%6Y]", "[002026]"), ("[%_6Y]", "[  2026]"), ("[%1Y]", "[2026]"),
            ("[%2B]", "[July]"), ("[%12N]", "[000000000000]"), ("[%3e]", "[  5]"),
        ]
    )
    func widths(pattern: String, expected: String) {
        #expect(Self.noon.format(pattern) == expected)
    }

    @Test(
        "leave what is no directive as it stands",
        arguments: [
            ("%", "%"), ("%%", "%"), ("%%%", "%%"), ("%!", "%!"), ("%-", "%-"), ("%5", "%5"), ("%é", "%é"),
            ("a%%Yb", "a%Yb"), ("%日%Y", "%日2026"), ("", ""), ("\n%Y\t", "\n2026\t"),
        ]
    )
    func literals(pattern: String, expected: String) {
        #expect(Self.noon.format(pattern) == expected)
    }

    @Test(
        "pad a year to four digits, as strftime has it, unless they are asked not to",
        arguments: [
            (-61_125_753_600.0, "0033 0033-01-01 33 0032"), (-30_641_760_000, "0999 0999-01-01 999 0999"),
            (253_402_300_800, "10000 10000-01-01 10000 9999"),
        ]
    )
    func years(seconds: Double, expected: String) {
        #expect(LiquidDate(seconds: seconds).format("%Y %F %-Y %G") == expected)
    }

    @Test(
        "show negative offsets with their sign, also below an hour",
        arguments: [
            (-1_800, "-0030 -00:30 31 23:30"), (-34_200, "-0930 -09:30 31 14:30"), (3_600, "+0100 +01:00 01 01:00"),
            (50_400, "+1400 +14:00 01 14:00"), (-1, "-0000 -00:00 31 23:59"),
        ]
    )
    func offsets(offset: Int, expected: String) {
        #expect(LiquidDate(seconds: 0, offset: offset).format("%z %:z %d %H:%M") == expected)
    }

    @Test(
        "are asked for by what is no form as well",
        arguments: [
            Example("{{ 0 | date: nothing }}", "0"), Example("{{ 0 | date: '' }}", "0"),
            Example("{{ 0 | date: 5 }}", "5"), Example("{{ true | date: '%Y' }}", "true"),
            Example("{{ numbers | date: '%Y' }}", "312"), Example("{{ nothing | date: '%Y' }}", ""),
            Example("{{ 1.5 | date: '%Y' }}", "1.5"), Example("{{ -1 | date: '%T' }}", "23:59:59"),
            Example("{{ '0' | date: '%F' }}", "1970-01-01"),
        ]
    )
    func inputs(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }
}
