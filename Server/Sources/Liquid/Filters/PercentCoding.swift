/// Writes bytes as `%` and two digits, and reads them.
struct PercentCoding {
    /// For forms, in which a space is a plus sign.
    static let form = PercentCoding(keeping: "-_.~", space: UInt8(ascii: "+"))
    /// For whole addresses.
    static let address = PercentCoding(keeping: "-_.~!*'();:@&=+$,/?#[]")
    /// The coding for what stands in an address.
    static let parameter = PercentCoding(keeping: "-_.~")

    private static let digits = "0123456789ABCDEF".bytes

    /// Whether each byte stays as it is.
    private let keeps: [Bool]
    private let space: UInt8?

    private init(keeping kept: String, space: UInt8? = nil) {
        let kept = Set(kept.utf8)
        keeps = (UInt8.min...UInt8.max).map { $0.isLetter || $0.isDigit || kept.contains($0) }
        self.space = space
    }

    // safe: there are as many as bytes, and sixteen digits
    func encoded(_ text: String, into sink: TextSink) throws(LiquidError) -> String {
        var output = sink
        for byte in text.utf8 {
            if keeps[Int(byte)] {
                try output.append(byte)
            } else if byte == 0x20, let space {
                try output.append(space)
            } else {
                try output.append(UInt8(ascii: "%"))
                try output.append(Self.digits[Int(byte >> 4)])
                try output.append(Self.digits[Int(byte & 15)])
            }
        }
        return output.text
    }

    /// The bytes behind percent signs, and spaces for plus signs.
    static func decoded(_ text: String) -> [UInt8] {
        let bytes = text.bytes
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
                let high = bytes[place + 1].hexadecimalValue, let low = bytes[place + 2].hexadecimalValue
            {
                output.append(high << 4 | low)
                place += 3
            } else {
                output.append(bytes[place] == UInt8(ascii: "+") ? 0x20 : bytes[place])
                place += 1
            }
        }
        return output
    }
}
