import Foundation

/// The encoding of binary values in tokens and keys: RFC 4648, section 5, without padding.
package enum Base64URL {
    /// Decodes a text, or returns `nil` where it is anything else.
    ///
    /// The plain alphabet and padding are not accepted, nor is a text whose last character has bits that no byte needs:
    /// each value has one text, so that who notes a token by its text knows it again.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                plain.append(byte)
            default: return nil
            }
        }
        while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
        let padded = Data(plain)
        guard let value = Data(base64Encoded: padded), value.base64EncodedData() == padded else { return nil }
        return [UInt8](value)
    }
}
