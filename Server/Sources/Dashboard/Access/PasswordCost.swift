import CardServer

/// The work that it takes to hash the secrets of members.
struct PasswordCost: Sendable {
    /// The cost of members' hashes.
    static let standard = Self(rounds: PasswordHash.standardRounds, recoveryExponent: 14)

    /// scrypt's rounds for a password, a power of two.
    let rounds: Int
    /// The binary logarithm of scrypt's rounds for a recovery code.
    let recoveryExponent: UInt8

    /// A hash that no password has, and that takes as long to check as a real one, so that an unknown address is not
    /// told from a wrong password.
    var noHash: String {
        "scrypt$\(rounds)$8$1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    }
}
