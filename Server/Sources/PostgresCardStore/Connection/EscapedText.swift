/// Texts as PostgreSQL keeps them.
///
/// A column of text can hold every character but U+0000, which identities and texts of ours may have. So U+0000 is
/// written as the bytes 1 and `0`, and U+0001 as 1 and `1`. The order of texts by bytes, and which text begins with
/// which, stay as they are.
enum EscapedText {
    private static let escape: UInt8 = 1

    /// Appends the stored form of UTF-8.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard text.contains(where: { $0 <= escape }) else { return bytes.append(contentsOf: text) }
        for byte in text {
            if byte <= escape {
                bytes.append(escape)
                bytes.append(UInt8(ascii: "0") | byte)
            } else {
                bytes.append(byte)
            }
        }
    }

    /// Returns the UTF-8 of which the stored form is given.
    static func restore(_ stored: UnsafeRawBufferPointer) -> [UInt8] {
        guard stored.contains(escape) else { return Array(stored) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(stored.count)
        var isEscaped = false
        for byte in stored {
            if isEscaped {
                bytes.append(byte & 1)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Returns the text of which the stored form is given.
    static func string(_ stored: UnsafeRawBufferPointer) -> String {
        guard stored.contains(escape) else { return String(decoding: stored, as: UTF8.self) }
        return String(decoding: restore(stored), as: UTF8.self)
    }
}
