import CardServer
import Crypto
import Foundation

/// Random bytes, and what is made of them.
enum SecretBytes {
    /// That many bytes from the system's source of randomness.
    static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }

    /// The SHA-256 of some bytes.
    static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// The HMAC-SHA-256 of some bytes.
    static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }

    /// The bytes in base 64 that may stand in cookies and addresses.
    static func text(_ bytes: [UInt8]) -> String { URLText.base64URL(bytes) }

    /// The bytes of such a text, or `nil`.
    static func bytes(_ text: String) -> [UInt8]? {
        // characters: a sign with a mark is no Base64
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        // safe: from 0 to 3
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
    }
}
