struct Text {
    private var bytes: [UInt8] = []
    private var place = 0  // bounded: a place in the bytes

    mutating func skip() {
        while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    }

    mutating func digit() -> Int? {
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return Int(byte - UInt8(ascii: "a") + 10)
        default: return nil
        }
    }
}

func sums(_ texts: [String], _ ratios: [Double]) -> Int {
    var count = 0
    for (index, text) in texts.enumerated() where index > 0 { count += text.utf8.count + 1 }
    let mean = ratios.reduce(0.0) { $0 + $1 } / 2
    let exact = Int(exactly: mean.rounded()) ?? 0
    let number = texts.first.flatMap { Int($0) } ?? 0
    let (sum, overflows) = exact.addingReportingOverflow(number)
    let name = "a" + "b"
    let half = mean * 0.5 - 1
    print(sum, overflows, name, half, 0..<texts.count, texts.prefix(3), -count)
    return min(max(sum, 0), 100) + texts.count
}

func remarks(_ value: Int64) -> Int64 {
    // safe: the caller holds it to a thousand
    let twice = value * 2
    return twice
}

enum Delay {
    case seconds(Double, now: Double)
    case days(Int)

    var isShort: Bool {
        if case .seconds(let seconds, _) = self { seconds < 1 } else { false }
    }
}

// safe: the caller holds it to a thousand
/// Doubles it, and more.
func documented(_ value: Int64) -> Int64 {
    let twice = value * 2
    return twice * 3
}

// safe: the caller holds it to a thousand
func whole(_ value: Int64) -> Int64 {
    let twice = value * 2
    return twice * 3
}

struct Cursor {
    private var first: Int?

    /// Nothing is given to it in the end.
    mutating func move(_ texts: [String]) -> Int {
        if let first { self.first = nil } else { first = texts.count }
        return (first ?? 0) + MemoryLayout<UInt64>.stride
    }
}

func words(_ bytes: [UInt8], _ wanted: Int) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
        let start = place
        while place < bytes.count, bytes[place] != 0x20 { place += 1 }
        words.append(start..<place)
        place += 1
    }
    let rest = (0..<bytes.count).dropFirst(2)
    if let first = rest.first { place = first + 1 }
    return wanted < words.count ? [words[wanted]] : words
}

struct Table {
    private let rows: [String] = []

    subscript(_ row: Int) -> String { row < rows.count ? rows[row] : "" }
}

struct Guarded {
    private struct State {
        var running = 0
    }
    private let state = Mutex(State())

    func run(_ table: Table, _ row: Int, _ wait: Duration) -> Double {
        state.withLock { $0.running += 1 }
        print(table[row])
        return wait / .seconds(1)
    }
}

func everyPlace(_ texts: [String]) {
    for place in texts.indices { show(texts, place) }
}

func show(_ list: [String], _ place: Int) { print(list[place]) }

func skip(_ bytes: [UInt8]) -> Int {
    var place = 0
    while place < bytes.count { step(bytes, &place) }
    return place + 1
}

func step(_ bytes: [UInt8], _ place: inout Int) { place += length(bytes.first) ?? 1 }

func length(_ byte: UInt8?) -> Int? {
    switch byte {
    case 0x0A: return 2
    default: return nil
    }
}

enum Sizes {
    static let lines = 8
}

func ranges(_ bytes: [UInt8], _ length: Int) -> [Int] {
    let all = Array(1...max(1, length)) + [2 * Sizes.lines]
    for place in bytes.indices { print(bytes[place...]) }
    return length >= 3 ? Array(3...length) : all
}

func header(_ bytes: [UInt8]) -> [UInt8] {
    let room = Array(repeating: UInt8(0), count: Int(NI_MAXHOST))
    return Array(bytes) + [UInt8(ascii: ".")] + room
}

struct Distance {
    static func + (one: Distance, other: Distance) -> Distance { Distance() }
}

func both(_ one: Distance, _ other: Distance) -> Distance { one + other }

func later(_ one: Duration, _ other: Duration) -> Duration { one + other }

extension Int32 {
    var wide: Int64 { Int64(self) }
}

func widened(_ value: Any) -> Int64? {
    switch value {
    case let number as Int32: Int64(number)
    case let number as Int: Int64(number)
    default: nil
    }
}

func rows(_ result: OpaquePointer) -> [Int] {
    (0..<PQntuples(result)).map { Int(PQgetlength(result, $0, 0)) }
}

struct Uses {
    var count = 0
}

func uses(_ names: [String], _ given: [Int64]) -> [Uses] {
    var found = names.map { _ in Uses() }
    for place in found.indices { found[place].count = Int(given.first ?? 0) }
    return found
}

struct Tally {
    static let limit = 8
    private var count = 0
    private let random: () -> Double

    /// Another type of which numbers of that name are given something.
    mutating func next() -> Double {
        count += 1
        return random() + Double.random(in: 0...1) * 2
    }
}

enum Chance {
    static func random() -> Uses { Uses() }
}

struct DayOfWeek {
    let ordinal: Int32
}

struct Zone {
    let utc: Others
}

struct Both {
    let utc: DayOfWeek
}

struct Others {
    let number: UInt64
}

struct Large {
    let ordinal: UInt64
}

func ordinals(_ keys: [[Both]]) -> [[Int64]] { keys.map { $0.map { Int64($0.utc.ordinal) } } }

func isPast(_ start: ContinuousClock.Instant) -> Bool { ContinuousClock.now - start > .zero }

func made(_ limits: [Int64]) -> Int {
    let others = limits.map { Limited(limit: Int(exactly: $0) ?? 0) }
    return Tally.limit + others.count
}

struct Limited {
    let limit: Int
}
