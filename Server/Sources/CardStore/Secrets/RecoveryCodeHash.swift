import Foundation

/// The layout of the hash of a recovery code: a version (1), the binary logarithm of scrypt's rounds (1), a salt (16)
/// and the hash (32).
public enum RecoveryCodeHash {
    /// The size of a hash in bytes; a SHA-256 digest of an older version takes 32.
    public static let byteCount = 50
    /// The number of its bytes that are the same for all codes that were created together.
    public static let prefixCount = 18
}
