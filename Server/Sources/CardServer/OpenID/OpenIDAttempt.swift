import Crypto
import Foundation
package import WireJSON

/// One attempt to sign in with the provider: what ties the provider's answer to the browser that began.
package struct OpenIDAttempt: Sendable, Hashable {
    /// What the provider gives back with the code.
    @Bytewise package var state: String
    /// What the token has to name.
    @Bytewise package var nonce: String
    /// What only the one who began can show: RFC 7636.
    @Bytewise package var verifier: String
    /// When it began, where the member has to sign in again at the provider whether or not they are signed in there.
    package var reauthenticatesAt: Double?

    /// Creates an attempt.
    package init(state: String, nonce: String, verifier: String, reauthenticatesAt: Double? = nil) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.reauthenticatesAt = reauthenticatesAt
    }

    /// What the provider is told of the verifier.
    var challenge: String { OpenIDText.base64URL(Array(SHA256.hash(data: Array(verifier.utf8)))) }
}

/// Texts of OpenID Connect.
enum OpenIDText {
    /// Bytes in the alphabet of addresses, without padding.
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A text in base 64 with padding.
    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Fields as a form or a query has them.
    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
    }

    /// Percent-encodes all but letters, digits and `-._~`.
    static func escape(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            if isLetter || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte) {
                escaped.append(byte)
            } else {
                // safe: four bits, and sixteen digits
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
