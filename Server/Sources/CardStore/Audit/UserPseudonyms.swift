public import CardModel
import Crypto

/// Texts that stand for users where their ids must not be kept.
public struct UserPseudonyms: Sendable {
    private let key: SymmetricKey

    /// Creates pseudonyms of one store.
    ///
    /// - Parameter key: 32 random bytes that no other store has.
    public init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// Returns the HMAC-SHA256 of a user's id.
    public func hash(of user: UserID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(user.rawValue.utf8), using: key))
    }

    /// Returns the HMAC-SHA256 of a code that a device shows; without the key, whoever tries all codes finds none.
    public func hash(of code: TestCode) -> [UInt8] { hash("test code\0" + code.text) }

    /// Returns the HMAC-SHA256 of the address that a code was asked for from.
    public func hash(ofClient address: String) -> [UInt8] { hash("test code client\0" + address) }

    private func hash(_ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    /// Returns `user:` and the first 16 bytes of the hash in hexadecimal.
    public func text(of user: UserID) -> String { "user:" + AuditChain.hexadecimal(Array(hash(of: user).prefix(16))) }
}
