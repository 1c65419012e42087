import Foundation

/// How the hash of a recovery code is laid out: a version (1), the binary logarithm of scrypt's rounds (1), a salt (16)
/// and the hash (32).
public enum RecoveryCodeHash {
    /// How many bytes a hash takes; a SHA-256 digest of an older version takes 32.
    public static let byteCount = 50
    /// How many of them are the same for all codes that were created together.
    public static let prefixCount = 18
}
