import Liquid

/// Values at the edges of what data and authors can say.
enum HostileValues {
    /// Small ones, to be combined with each other.
    static let small: [LiquidValue] =
        numbers + numberTexts.map { .string($0) } + texts.map { .string($0) } + others + lists

    private static let numbers: [LiquidValue] = [
        .int(.min), .int(.min + 1), .int(-1), .int(0), .int(1), .int(19), .int(63), .int(64), .int(.max),
        .double(1e308), .double(-1e308), .double(.leastNonzeroMagnitude), .double(.nan), .double(.infinity),
        .double(-.infinity),
        .double(-0.0), .double(9_223_372_036_854_775_808), .double(-9_223_372_036_854_775_808), .double(999_999_999.5),
    ]

    private static let numberTexts = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1e308", "-1e308", "nan",
        "inf", "-inf", "0.1", "-9223372036854775808.5", "00000000000000000000000000000000001",
        "99999999999999999999999999999999999999.9", "9999999999-99-99", "2026-13-45T99:99:99+99:99",
        "0001-01-01 00:00 +9999999", "999999999-12-31", "1 jan -999999999", "20260230T246060", "now", "today",
    ]

    private static let texts = [
        "", " ", "\0", "a", "e\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦", "İıßŉﬃ", "\u{FEFF}\u{2028}", "<script", "<!--",
        "&#", "%", "%%%e",
        "{{ x }}", "[", "{\"a\":1e999}", "\\u+000", "YQ", "%9999999999999999999Y", "%-0_^#:::::::N%", "Europe/Paris",
    ]

    private static let others: [LiquidValue] = [
        .null, .bool(true), .bool(false), .empty, .blank, .range(LiquidRange(.min, .max)),
        .range(LiquidRange(.max, .min)), .range(LiquidRange(1, .max)), .range(LiquidRange(.max - 1, .max)),
        .date(LiquidDate(seconds: .nan, offset: .max)), .date(LiquidDate(seconds: -.infinity, offset: .min)),
        .date(LiquidDate(seconds: 1e308)), .object(Bottomless()),
    ]

    private static let lists: [LiquidValue] = [
        .array([]), .hash(LiquidHash([])), ["a": nil, "b": ["c": 1]], [nil, true, 1, 1.5, "x", [1, [2, []]]],
        [.double(.nan), .int(.min), .int(.max), "9223372036854775807"], [["a": 1], ["a": "1"], ["b": nil], "a", 7],
        [.array([.array([.array([])])]), .range(LiquidRange(1, 3)), .date(LiquidDate(seconds: 0)), .empty, .blank],
    ]

    /// Large ones, to be combined with a few small ones.
    static let large: [LiquidValue] = [
        .string(String(repeating: "x", count: 20_000)), .string(String(repeating: "\u{301}", count: 10_000)),
        .string(String(repeating: "9", count: 5_000)), .string("0." + String(repeating: "9", count: 5_000)),
        .string(String(repeating: "& <\n", count: 5_000)),
        .array((0..<5_000).map { .int($0) }), .array((0..<3_000).map { .double(Double($0) + 0.5) }),
        .array((0..<1_000).map { .array([.int($0), .string("x")]) }),
        .hash(LiquidHash((0..<2_000).map { (key: "k\($0)", value: .int($0)) })),
    ]
}

/// An object that has every property, and each of them is itself.
private final class Bottomless: LiquidObject {
    subscript(key: String) -> LiquidValue? { .object(self) }

    var pairs: [(key: String, value: LiquidValue)] { [(key: "a", value: .null)] }
}
