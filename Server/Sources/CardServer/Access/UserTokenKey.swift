import CardModel
import Crypto
import CryptoExtras
import Foundation

/// A public key that signatures of user tokens are verified with, for the one algorithm of its kind.
struct UserTokenKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
    }

    /// The largest RSA key that is used, in bits: checking a signature takes longer with each bit.
    private static let largestRSA = 8_192

    let id: String
    /// Whether it is of a set, which may be one that is fetched.
    let isOfSet: Bool
    private let material: Material

    /// Reads a key.
    ///
    /// - Throws: Where it is neither RSA of 2048 to 8192 bits nor P-256.
    init(_ key: Settings.PublicKey) throws {
        (id, isOfSet) = (key.id, false)
        if let rsa = try? _RSA.Signing.PublicKey(pemRepresentation: key.pem) {
            guard rsa.keySizeInBits <= Self.largestRSA else { throw CryptoKitError.incorrectKeySize }
            material = .rsa(rsa)
        } else {
            material = .p256(try P256.Signing.PublicKey(pemRepresentation: key.pem))
        }
    }

    /// Reads a key of a set.
    ///
    /// - Throws: Where its numbers are no RSA key of 2048 to 8192 bits and no point of P-256.
    init(_ key: JSONWebKey) throws {
        (id, isOfSet) = (key.id, true)
        switch key.material {
        case .rsa(let modulus, let exponent):
            let rsa = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
            guard rsa.keySizeInBits <= Self.largestRSA else { throw CryptoKitError.incorrectKeySize }
            material = .rsa(rsa)
        case .p256(let x, let y):
            material = .p256(try P256.Signing.PublicKey(x963Representation: [4] + x + y))
        }
    }

    /// Returns whether the key is of the token's algorithm: what the token says never chooses how a key is used.
    func fits(_ token: UserToken) -> Bool {
        switch (material, token.algorithm) {
        case (.rsa, .rs256), (.p256, .es256): true
        default: false
        }
    }

    /// Returns whether the key's owner signed the token.
    func verifies(_ token: UserToken) -> Bool {
        guard fits(token) else { return false }
        switch material {
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(token.signature))
            return key.isValidSignature(
                signature,
                for: SHA256.hash(data: token.signed),
                padding: .insecurePKCS1v1_5
            )
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: Data(token.signature)) else {
                return false
            }
            return key.isValidSignature(signature, for: Data(token.signed))
        }
    }
}
