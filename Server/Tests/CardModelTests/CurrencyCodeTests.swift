import CardModel
import Testing
import WireJSON

@Suite("Codes of currencies")
struct CurrencyCodeTests {
    @Test("are read in either case", arguments: [("EUR", "EUR"), ("eur", "EUR"), ("jPy", "JPY"), ("xxx", "XXX")])
    func known(_ text: String, _ code: String) {
        #expect(CurrencyCode.reading(text) == code)
        #expect(CurrencyCode.letters(text) == code)
    }

    @Test("that were withdrawn lately are known still", arguments: ["HRK", "LTL", "ANG", "SLL", "ZWL", "VEF"])
    func withdrawn(_ code: String) {
        #expect(CurrencyCode.reading(code) == code)
    }

    @Test(
        "are no other three letters, which may be a currency of their own elsewhere",
        arguments: ["AAA", "BTC", "DEM"]
    )
    func unknown(_ text: String) {
        #expect(CurrencyCode.reading(text) == nil)
        #expect(CurrencyCode.letters(text) == text)
    }

    @Test(
        "have three letters of ASCII as they are written, and nothing else",
        arguments: [
            "", "EU", "EURO", " EUR", "EUR ", "E R", "E1R", "EU\u{0}", "\u{17F}EK", "S\u{DF}", "\u{DF}P", "\u{FB01}M",
            "ＥＵＲ", "€", "É", "E\u{301}", "ЕUR",
        ]
    )
    func malformed(_ text: String) {
        #expect(CurrencyCode.letters(text) == nil)
        #expect(CurrencyCode.reading(text) == nil)
    }
}

@Suite("Prices")
struct PriceTests {
    @Test(
        "are a million millions at most, of either sign",
        arguments: [
            ("1000000000000", true), ("1000000000000.000000001", false), ("-1000000000000", true),
            ("-1000000000000.000000001", false), ("0", true), ("-0.01", true), ("0.000000001", true),
            ("99999999999999999999", false),
        ]
    )
    func bounds(_ text: String, _ isPrice: Bool) throws {
        let amount = try #require(Amount(exactly: text))
        #expect(amount.isPrice == isPrice)
    }

    @Test("of the largest quantities leave room for very many in a sum")
    func room() {
        let one = Amount.largestPrice * 1_000
        var sum = Amount.zero
        for _ in 0..<1_000 { sum += one }
        #expect(sum == Amount.largestPrice * 1_000_000)
        for _ in 0..<1_000 { sum -= one }
        #expect(sum == .zero)
    }
}
