/// The checksum of ISO 3309, which detects torn and damaged records.
enum CRC32 {
    // safe: there are 256
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.withContiguousStorageIfAvailable(contiguous) ?? contiguous(Array(bytes))
    }

    // safe: the table has 256 places
    private static func contiguous(_ bytes: some Collection<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            ~bytes.reduce(UInt32.max) { value, byte in
                table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8)
            }
        }
    }

    /// Eight hexadecimal digits, as files carry it.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = String(checksum(bytes), radix: 16)
        // safe: 32 bits have eight digits at most
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension String {
    var utf8CRC32: UInt32 { CRC32.checksum(utf8) }
}
