import Foundation
import WireJSON

/// Texts in the fields of a message, of which no text can make another field.
enum MailHeader {
    /// The most bytes of a text that one encoded word has: with the name of the field, a line has 76 characters at
    /// most.
    private static let wordBytes = 39

    /// The value of a field without structure, such as `Subject`.
    static func text(_ text: String) -> String {
        let line = singleLine(text)
        let isPlain = line.utf8.count <= 60 && line.utf8.allSatisfy { $0 < 0x7F } && !line.contains(bytesOf: "=?")
        return isPlain ? line : encoded(line)
    }

    /// The name before an address.
    static func phrase(_ text: String) -> String {
        let line = singleLine(text)
        let isPlain =
            line.utf8.count <= 60
            && line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain && !line.contains(bytesOf: "=?") ? "\"\(line)\"" : encoded(line)
    }

    /// The text without anything that ends a line, or that isn't shown.
    private static func singleLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars.prefix(300)))
    }

    /// The text as encoded words, one a line, none of which ends within a character.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var last = ""
        for scalar in text.unicodeScalars {
            if last.utf8.count > wordBytes - UTF8.width(scalar) {
                words.append(last)
                last = ""
            }
            last.unicodeScalars.append(scalar)
        }
        return (words + [last]).map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}
