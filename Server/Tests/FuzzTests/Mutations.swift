import Statistics

/// Inputs of a corpus, each changed a little: the same ones in each run, so that a finding can be repeated.
struct Mutations {
    private let inputs: [[UInt8]]
    private let maximumLength: Int
    private var random: SplitMix

    /// Numbers at the edges of what fits, in place of others.
    private static let numbers = [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "2147483648", "1e308", "-1e308", "1e999", "4.9e-324", "00", "253402300800",
    ].map { Array($0.utf8) }

    init(of corpus: [FuzzInput], name: String, maximumLength: Int) {
        inputs = corpus.isEmpty ? [[]] : corpus.map(\.bytes)
        self.maximumLength = maximumLength
        random = SplitMix(seed: name.utf8.reduce(0x6675_7A7A) { $0 &* 31 &+ UInt64($1) })
    }

    mutating func next() -> FuzzInput {
        var bytes = inputs.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
        return FuzzInput(Array(bytes.prefix(maximumLength)))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: replaceNumber(in: &bytes)
        case 1: bytes.replaceSubrange(part(of: bytes), with: [])
        case 2: bytes.insert(contentsOf: Array(bytes[part(of: bytes)]), at: place(in: bytes))
        case 3: splice(into: &bytes)
        case 4: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place(in: bytes))
        case 5: bytes = Array(bytes.prefix(place(in: bytes)))
        default:
            guard let index = bytes.indices.randomElement(using: &random) else { return }
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    private mutating func replaceNumber(in bytes: inout [UInt8]) {
        let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
        guard let start = digits.randomElement(using: &random) else { return }
        let end = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Self.numbers.randomElement(using: &random) ?? [])
    }

    private mutating func splice(into bytes: inout [UInt8]) {
        let other = inputs.randomElement(using: &random) ?? []
        bytes.replaceSubrange(part(of: bytes), with: Array(other[part(of: other)]))
    }

    private mutating func place(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func part(of bytes: [UInt8]) -> Range<Int> {
        let (one, other) = (place(in: bytes), place(in: bytes))
        return min(one, other)..<max(one, other)
    }
}
