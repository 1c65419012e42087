public import CardModel

/// A password that the server generates for a member: shown once, and good for nothing but choosing another.
public struct TemporaryPassword: Sendable {
    /// The time for which it works, in seconds: seven days.
    public static let lifetime = 604_800.0

    private static let letters = 20
    /// No letter looks like another or like a digit.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// The password as it is shown and typed, such as `k3mf-9xqa-htw7-2bnc-rv5d`: 99 random bits.
    public let text: String

    /// Generates a password.
    public init() {
        let letters = (0..<Self.letters).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count)] }
        // safe: a multiple of four letters
        text = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    /// Returns when a password stops working that is generated at a moment.
    public static func expiry(at now: UnixTime) -> UnixTime { now + lifetime }
}
