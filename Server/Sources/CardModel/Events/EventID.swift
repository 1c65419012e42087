/// Names an event: the 16 bytes of the UUID that the client made.
public struct EventID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// Creates an id of its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the 36 characters of a UUID, in either case, or returns `nil`.
    @inlinable
    public init?(utf8 text: some Collection<UInt8>) {
        let id =
            text.withContiguousStorageIfAvailable { Self.parse($0) }
            ?? Array(text).withUnsafeBufferPointer { Self.parse($0) }
        guard let id else { return nil }
        self = id
    }

    @usableFromInline
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> EventID? {
        guard text.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for index in 0..<36 {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimal(text[index]) else { return nil }
            // The first half ends at the dash after its sixteenth digit.
            if index < 18 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
        }
        return EventID(high: halves.0, low: halves.1)
    }

    /// Takes the 16 bytes that a store keeps, or returns `nil` for another length.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if index < 8 { halves.0 = halves.0 << 8 | UInt64(byte) } else { halves.1 = halves.1 << 8 | UInt64(byte) }
        }
        self.init(high: halves.0, low: halves.1)
    }

    /// The 16 bytes that a store keeps.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                let shift = 56 - 8 * index
                // safe: there are sixteen bytes
                buffer[index] = UInt8(truncatingIfNeeded: high >> shift)
                // safe: there are sixteen bytes
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
            }
            count = 16
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension EventID: CustomStringConvertible {
    /// The 36 characters of the UUID, in lower case.
    public var description: String { text }

    // safe: 36 characters, each of which is a dash or one of sixteen digits of a half
    private var text: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            for index in 0..<36 {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    buffer[index] = UInt8(ascii: "-")
                    continue
                }
                let (half, place) =
                    index < 18
                    ? (high, index - (index > 13 ? 2 : index > 8 ? 1 : 0)) : (low, index - (index > 23 ? 20 : 19))
                let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * place)) & 0x0F
                buffer[index] = digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")
            }
            return 36
        }
    }
}
