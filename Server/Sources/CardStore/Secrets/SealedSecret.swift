import Crypto
import Foundation

/// The place that a secret belongs to, so that what was encrypted for one row opens in no other.
package struct SecretPlace: Sendable, Hashable {
    private let parts: [String]

    /// Names a column of a row.
    package init(table: String, column: String, row: String) { parts = [table, column, row] }

    /// The data that the encryption is bound to; lengths keep the parts apart.
    fileprivate var associatedData: [UInt8] {
        parts.flatMap { part in
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.utf8.count).bigEndian, Array.init) + Array(part.utf8)
        }
    }
}

/// A secret as a store holds it: AES-256-GCM, with the id of its key.
///
/// The bytes are a version (1), the key's id (8), the nonce (12), the ciphertext and the tag (16).
package struct SealedSecret: Sendable, Hashable {
    private static let version: UInt8 = 1
    private static let headerCount = 9

    /// The bytes as they are stored.
    package let bytes: [UInt8]

    /// Encrypts a secret.
    package init(_ secret: [UInt8], for place: SecretPlace, with key: SecretsKey) throws {
        let header = [Self.version] + key.id
        let box = try AES.GCM.seal(
            secret,
            using: SymmetricKey(data: key.bytes),
            authenticating: header + place.associatedData
        )
        bytes = header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Reads what was stored.
    ///
    /// - Throws: `StoreError.corrupt` where that is no encrypted secret.
    package init(stored bytes: [UInt8]) throws(StoreError) {
        guard bytes.count >= Self.headerCount + 28, bytes[0] == Self.version else { throw Self.damaged }
        self.bytes = bytes
    }

    /// The id of the key that it was encrypted with.
    // safe: there are more, or it is no secret
    package var keyID: [UInt8] { Array(bytes[1..<Self.headerCount]) }

    /// Decrypts the secret.
    ///
    /// - Throws: `StoreError.corrupt` where it was changed, or was encrypted for another row.
    package func open(for place: SecretPlace, with key: SecretsKey) throws(StoreError) -> [UInt8] {
        let header = Array(bytes.prefix(Self.headerCount))
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerCount))
            return Array(
                try AES.GCM.open(
                    box,
                    using: SymmetricKey(data: key.bytes),
                    authenticating: header + place.associatedData
                )
            )
        } catch {
            throw Self.damaged
        }
    }

    private static let damaged = StoreError(
        .corrupt,
        "An encrypted secret was changed by other means. Put the last backup in place, or use `placard secrets reset`."
    )
}
