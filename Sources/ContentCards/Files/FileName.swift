/// Names files after texts of any length and alphabet.
enum FileName {
    /// Two 64-bit FNV-1a hashes, the second over the bytes in reverse.
    ///
    /// What is in a file names its owner again, so a collision costs a cache and never shows one user to another.
    static func hash(_ text: String) -> String {
        fnv(text.utf8, 0xCBF2_9CE4_8422_2325) + fnv(text.utf8.reversed(), 0x8422_2325_CBF2_9CE4)
    }

    private static func fnv(_ bytes: some Sequence<UInt8>, _ seed: UInt64) -> String {
        let value = bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        // safe: 64 bits have sixteen digits at most
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
