import Crypto
import Foundation
import WireJSON

/// Names of files, made of ids.
package enum ObjectFileName {
    /// The ends of the names of files that are read; the first is that of new ones.
    package static let extensions = ["yaml", "yml", "json"]
    /// The maximum number of bytes of a name before its end.
    private static let maximumBytes = 160

    /// Returns the name of the file of an object, without its end.
    ///
    /// Ids may have any letters. What isn't a letter, a digit, `-`, `_` or `.` of ASCII is written as `%` with two
    /// digits, and so is a dot at the beginning: no name is hidden, leads elsewhere or means something to a shell.
    package static func base(of reference: ObjectReference) -> String {
        guard reference.kind != .settings else { return "settings" }
        var name = ""
        for (index, byte) in reference.id.text.utf8.enumerated() {
            if isPlain(byte), !(index == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + hexadecimal(byte)
            }
        }
        guard name.utf8.count > maximumBytes else { return name }
        return String(decoding: name.utf8.prefix(maximumBytes - 17), as: UTF8.self) + "~" + digest(reference)
    }

    /// Returns another name for an object whose first one is taken, as by an id that differs in case alone.
    package static func otherBase(of reference: ObjectReference) -> String {
        base(of: reference) + "~" + digest(reference)
    }

    /// Returns the part of a file's name before its end, or `nil` for a file that isn't read.
    static func base(of name: String) -> String? {
        for ending in extensions where name.utf8.count > ending.utf8.count + 1 && name.hasSuffix("." + ending) {
            return String(name.dropLast(ending.count + 1))
        }
        return nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || [0x5F, 0x2D, 0x2E].contains(byte)
    }

    private static func digest(_ reference: ObjectReference) -> String {
        SHA256.hash(data: Data(reference.id.text.utf8)).prefix(8).map(hexadecimal).joined().lowercased()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
