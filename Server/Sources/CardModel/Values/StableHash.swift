/// A hash that is the same on every machine and in every version.
public enum StableHash {
    /// Hashes two texts: FNV-1a over both with a zero byte between, then the finaliser of MurmurHash3 (`fmix64`), since
    /// FNV alone leaves the high bits of short texts close together.
    public static func of(_ first: String, _ second: String) -> UInt64 { Start(first).of(second) }

    /// The first of two texts, hashed once for many seconds.
    struct Start: Sendable {
        private let state: UInt64

        init(_ first: String) {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in first.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
            state = hash &* 0x0100_0000_01B3
        }

        /// The hash of both.
        func of(_ second: String) -> UInt64 {
            var hash = state
            for byte in second.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
            hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
            hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
            return hash ^ hash >> 33
        }
    }
}
