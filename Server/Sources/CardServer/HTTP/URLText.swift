import Foundation

/// Texts as they stand in addresses, forms and tokens.
package enum URLText {
    /// Percent-encodes all but letters, digits and `-._~`, which may stand anywhere in an address.
    package static func escape(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                escaped.append(byte)
            default:
                // safe: four bits, and sixteen digits
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Writes fields as `application/x-www-form-urlencoded`, which a query may have too.
    package static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    /// Writes bytes in the base 64 of RFC 4648, section 5, without padding: it may stand in cookies and addresses.
    package static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        // characters: Base64 that the server writes
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
