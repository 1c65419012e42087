public import CardModel
public import CardStore
import Crypto

/// The secret of an API key, which is seen once and kept nowhere.
public struct KeySecret: Sendable {
    /// The secret: the kind's prefix and 43 letters and digits, 256 bits of chance.
    public let text: String
    /// The key that is kept of it.
    public var key: APIKey

    /// Creates a key with a new secret.
    ///
    /// A publishable key gets the device permission and no other.
    public init(name: String, kind: APIKey.KeyKind, permissions: Set<Permission>, createdAt: UnixTime) {
        text = kind.prefix + RandomText.letters(43)
        key = APIKey(
            id: "key_" + RandomText.letters(16),
            name: name,
            kind: kind,
            permissions: kind == .publishable ? [.device] : permissions,
            hash: Self.hash(text),
            hint: String(text.suffix(4)),
            createdAt: createdAt
        )
    }

    /// Creates a key as it was asked for, with a new secret.
    public init(_ new: NewKey, createdAt: UnixTime) {
        self.init(name: new.name, kind: new.kind, permissions: new.permissions, createdAt: createdAt)
        key.expiresAt = new.expiresAt
        key.allowedAddresses = new.allowedAddresses
    }

    /// Makes another secret for a key, beside which the present one works for some seconds more.
    public static func rotate(
        _ key: APIKey,
        overlap: Double,
        at now: UnixTime
    ) -> (text: String, rotation: KeyRotation) {
        let text = key.kind.prefix + RandomText.letters(43)
        let rotation = KeyRotation(
            id: key.id,
            hash: hash(text),
            hint: String(text.suffix(4)),
            previousUntil: now + overlap,
            at: now
        )
        return (text, rotation)
    }

    /// The SHA-256 of a secret.
    ///
    /// The secret is long and random, so a slow hash would protect it no better.
    static func hash(_ secret: some StringProtocol) -> [UInt8] {
        var secret = String(secret)
        return secret.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0))) }
    }
}

/// Text that cannot be guessed.
public enum RandomText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// That many letters and digits from the system's source of randomness.
    public static func letters(_ count: Int) -> String {
        // safe: a length of ours
        String(decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }, as: UTF8.self)
    }

    /// A version 4 UUID in lower case.
    static func uuid() -> String {
        EventID(
            high: UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: UInt64.random(in: .min ... .max) & ~(3 << 62) | 2 << 62
        ).description
    }
}
