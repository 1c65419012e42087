import HTTPTypes

/// The name of a request in the logs of all programs that handle it: what `X-Request-ID` says, or else a random one.
enum RequestID {
    private static let longest = 128
    /// The hexadecimal digits of 80 bits.
    private static let generatedLength = 20

    /// Returns the id of a request; what isn't letters, digits, `-`, `_` and `.` could forge lines of a log and is not
    /// used.
    static func of(_ headers: HTTPFields) -> String {
        of(sent: headers[.xRequestID])
    }

    /// Returns that id where it can be used, or else a random one.
    static func of(sent: String?) -> String {
        if let sent, isUsable(sent) { return sent }
        return random()
    }

    /// Hexadecimal digits: no word comes about in them that a reader of logs would look for.
    private static func random() -> String {
        // Two requests for randomness, since each asks the system.
        let bits: [UInt64] = [.random(in: .min ... .max), .random(in: .min ... .max)]
        return String(unsafeUninitializedCapacity: generatedLength) { buffer in
            for index in 0..<generatedLength {
                // safe: twenty digits are of two numbers
                let digit = UInt8(truncatingIfNeeded: bits[index / 16] >> (UInt64(index % 16) * 4)) & 0xF
                // safe: one of sixteen digits
                buffer[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return generatedLength
        }
    }

    /// Returns whether an id has a usable length, and nothing that could forge lines of a log.
    static func isUsable(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count) && id.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
