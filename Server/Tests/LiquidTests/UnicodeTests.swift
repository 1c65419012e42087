import Liquid
import Testing

@Suite("Unicode")
struct UnicodeTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private func text(_ source: String) throws -> String? {
        let data: [(key: String, value: LiquidValue)] = [
            ("one", .string(Self.composed)), ("two", .string(Self.decomposed)), (Self.composed, "composed"),
            (Self.decomposed, "decomposed"), ("family", "👩‍👩‍👧"), ("flag", "🇯🇵"),
            ("list", .array([.string(Self.composed), .string(Self.decomposed), .string(Self.composed)])),
            ("hash", .hash(LiquidHash([(Self.composed, 1), (Self.decomposed, 2)]))),
        ]
        return try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text
    }

    @Test(
        "keeps texts apart that look the same and are not",
        arguments: [
            ("{% if one == two %}same{% else %}other{% endif %}", "other"),
            ("{% case one %}{% when two %}same{% else %}other{% endcase %}", "other"),
            ("{{ list | uniq | size }}", "2"), ("{% if one contains 'e' %}has{% endif %}", ""),
            ("{% if two contains 'e' %}has{% endif %}", "has"), ("{{ two | remove: 'e' | size }}", "4"),
            ("{% assign l = list | where: two %}{{ l.size }}", "1"), ("{{ one.size }} {{ two.size }}", "4 5"),
            ("{{ hash.size }}{{ hash[one] }}{{ hash[two] }}", "212"),
            ("{{ [one] }} {{ [two] }}", "composed decomposed"),
            ("{% cycle one: 'a', 'b' %}{% cycle two: 'a', 'b' %}{% cycle one: 'a', 'b' %}", "aab"),
        ]
    )
    func equivalence(_ source: String, _ expected: String) throws {
        #expect(try text(source) == expected)
    }

    @Test("keeps names apart that a template writes in two ways")
    func names() throws {
        let (one, two) = (Self.composed, Self.decomposed)
        #expect(try text("{{ ['\(one)'] }} {{ ['\(two)'] }}") == "composed decomposed")
        #expect(try text("{{ ['\(two)'] }} {{ ['\(one)'] }}") == "decomposed composed")
        let counters = "{% increment \(one) %}{% increment \(two) %}{% increment \(one) %}{% decrement \(two) %}"
        #expect(try text(counters) == "0010")
    }

    @Test("keeps partials apart whose names look the same")
    func partials() throws {
        let (one, two) = (Self.composed, Self.decomposed)
        let library = LiquidLibrary([one: "1"], environment: standard)
        #expect(try library.template(named: one) != nil)
        #expect(try library.template(named: two) == nil)
    }

    @Test(
        "counts and cuts scalars, whatever they make together",
        arguments: [
            ("{{ family.size }} {{ flag.size }}", "5 2"), ("{{ family | slice: 0 }}", "👩"),
            ("{{ family | split: '' | size }}", "5"), ("{{ flag | slice: 1 }}", "🇵"),
            ("{{ two | slice: 4 }}", "\u{301}"),
            ("{{ two | truncate: 4, '' }}", "cafe"), ("{{ two | slice: 0, 4 | append: 'x' }}", "cafex"),
            ("{{ '\r\n' | size }}", "2"), ("{{ 'a\r\nb' | slice: 2, 2 }}", "\nb"),
        ]
    )
    func scalars(_ source: String, _ expected: String) throws {
        let shown = try #require(try text(source))
        #expect(Array(shown.utf8) == Array(expected.utf8))
    }

    @Test(
        "has other letters in other cases, which may be more",
        arguments: [
            ("{{ 'straße' | upcase }}", "STRASSE"), ("{{ 'ΑΣ' | downcase | size }}", "2"), ("{{ 'ﬁ' | upcase }}", "FI"),
            ("{{ 'ÀÉÎ' | downcase }}", "àéî"), ("{{ 'я' | capitalize }}", "Я"), ("{{ '日本' | upcase }}", "日本"),
            ("{{ 'éCOLE' | capitalize }}", "École"), ("{{ '' | capitalize }}", ""), ("{{ 'Ω' | downcase }}", "ω"),
        ]
    )
    func cases(_ source: String, _ expected: String) throws {
        #expect(try text(source) == expected)
    }

    @Test(
        "counts the columns of an error in scalars",
        arguments: [
            ("é{{ a b }}", 7), ("e\u{301}{{ a b }}", 8), ("👩‍👩‍👧{{ a b }}", 11), ("日本語 {% nope %}", 5),
            ("a\r\n😀{% nope %}", 2),
        ]
    )
    func columns(_ source: String, _ column: Int) {
        #expect(failure(source)?.column == column)
    }
}
