import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: values")
struct ValueTests {
    @Test(
        "Codes are those of RFC 6238",
        arguments: [(59.0, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
    )
    func codes(_ time: Double, _ code: String) {
        let codes = TimeBasedCode(secret: Array("12345678901234567890".utf8))
        #expect(codes.code(of: TimeBasedCode.step(at: time)) == code)
        #expect(codes.step(of: code, at: time + 30, after: 0) == TimeBasedCode.step(at: time))
        #expect(codes.step(of: code, at: time + 61, after: 0) == nil)
        #expect(codes.step(of: code, at: time, after: TimeBasedCode.step(at: time)) == nil)
    }

    @Test("Secrets are typed in base 32")
    func base32() { #expect(TimeBasedCode.base32(Array("foobar".utf8)) == "MZXW6YTBOI") }

    @Test("Forms are read as browsers send them, and written so that they are read again")
    func forms() {
        let form = FormData(urlEncoded: "a=1&b=x+y%26%3D&a=2&c&%E6%97%A5=%0D%0A")
        #expect(form["a"] == "2")
        #expect(form.all("a") == ["1", "2"])
        #expect(form["b"] == "x y&=")
        #expect(form["c"] == "")
        #expect(form["日"] == "\n")
        #expect(FormData(urlEncoded: form.encoded) == form)
    }

    @Test("A form token belongs to one key, and nothing of it can be changed")
    func tokens() {
        let (key, token) = (SecretBytes.random(32), FormToken(at: 1_000))
        let text = token.text(key: key)
        #expect(FormToken(text, key: key) == token)
        #expect(FormToken(text, key: SecretBytes.random(32)) == nil)
        for index in text.indices where text[index] != "A" {
            let changed = text.replacingCharacters(in: index...index, with: "A")
            #expect(FormToken(changed, key: key) != token || SecretBytes.bytes(changed) == SecretBytes.bytes(text))
        }
    }

    @Test(
        "Numbers are short where they are large",
        arguments: [
            (999, "999"), (12_345, "12.3k"), (50_000, "50k"), (2_400_000, "2.4M"), (4_014_265, "4.01M"),
            (401_426_500, "401M"),
        ]
    )
    func numbers(_ number: Int64, _ text: String) { #expect(PageFormatter.short(number) == text) }

    @Test(
        "The top of a chart is the next number with easy quarters",
        arguments: [(0.0, 1.0), (7, 8), (11, 20), (230, 400), (0.03, 0.04), (0.5, 0.6)]
    )
    func ceiling(_ value: Double, _ top: Double) { #expect(abs(SeriesChart.ceiling(value) - top) < 1e-9) }

    @Test(
        "The lines of a chart of shares are named as they are, with as few decimals as that takes",
        arguments: [
            (1.0, 0), (0.6, 0), (0.1, 1), (0.08, 0), (0.06, 1), (0.04, 0), (0.02, 1), (0.01, 2), (0.006, 2),
            (0.002, 2), (0.0001, 4),
        ]
    )
    func decimals(_ height: Double, _ digits: Int) {
        #expect(SeriesChart.digits(of: height / 4) == digits)
        let days = [Day(number: 20_000), Day(number: 20_001)]
        let series = SeriesChart.Series(name: "Card", colour: 1, values: [0, height])
        let chart = SeriesChart(days: days, series: [series], label: "x", isPercent: true).svg
        let names = chart.matches(of: /text-anchor="end">([0-9.]+)%</).compactMap { Double($0.1) }
        // Two drawings with five lines each.
        #expect(names.count == 10)
        for (index, name) in names.prefix(5).enumerated() {
            #expect(abs(name - height * 100 * Double(index) / 4) < 1e-9)
        }
    }

    @Test(
        "The lines of a chart of counts stand at whole numbers",
        arguments: [(1.0, 1), (2, 2), (4, 4), (6, 3), (8, 4), (10, 5), (20, 4), (60, 4), (1_000, 4)]
    )
    func lines(_ height: Double, _ parts: Int) {
        #expect(SeriesChart.parts(of: height, isPercent: false) == parts)
        #expect(height.truncatingRemainder(dividingBy: Double(parts)) == 0)
        #expect(SeriesChart.parts(of: height, isPercent: true) == 4)
    }
}
