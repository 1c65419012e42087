/// Writes bytes as base64, and reads them.
struct Base64 {
    /// The common alphabet.
    static let standard = Base64(last: "+/", isPadded: true)
    /// The alphabet for addresses, in which the padding may lack.
    static let urlSafe = Base64(last: "-_", isPadded: false)

    private static let none: UInt8 = 0xFF

    private let alphabet: [UInt8]
    /// The value of each byte.
    private let values: [UInt8]
    /// Whether the padding must not lack.
    private let isPadded: Bool

    private init(last: String, isPadded: Bool) {
        // safe: both are texts
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".bytes + last.bytes
        var values = [UInt8](repeating: Self.none, count: 256)
        // safe: there are as many as bytes
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(truncatingIfNeeded: value) }
        self.values = values
        self.isPadded = isPadded
    }

    /// Returns the number of bytes that so many become.
    static func size(of count: Int) -> Int { (count + 2) / 3 * 4 }

    // safe: three bytes are four digits of six bits
    func encoded(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(Self.size(of: bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
            for place in 0..<4 {
                let value = bits >> UInt32(18 - 6 * place) & 63
                output.append(place <= count ? alphabet[Int(value)] : UInt8(ascii: "="))
            }
        }
        return String(bytes: output)
    }

    // safe: digits of six bits; there are as many values as bytes
    /// The bytes; `nil` for a sign outside the alphabet, a wrong length, or bits that are left over.
    func decoded(_ text: [UInt8]) -> [UInt8]? {
        var padding = 0
        while padding < 2, padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        guard text.count % 4 == 0 || (!isPadded && padding == 0) else { return nil }
        let body = text.dropLast(padding)
        guard body.count % 4 != 1 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(body.count)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in body {
            let value = values[Int(byte)]
            guard value != Self.none else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // Bits that are left over stand for nothing.
        return bits & ((1 << count) - 1) == 0 ? output : nil
    }
}
