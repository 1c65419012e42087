/// The text that names what comes from outside: users, devices, aliases, events, products, attributes, class types.
///
/// Anything is allowed that a person can see. Control characters are not, since storage and logs may end a text at one;
/// nor are characters that only turn the direction of writing, since they make a name look like another.
public enum IdentityText {
    /// Returns whether a text has 1 to that many bytes of UTF-8 and neither control nor directional characters.
    ///
    /// Refused are U+0000 to U+001F, U+007F to U+009F, U+061C, U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069.
    public static func isValid(_ text: String, maximumBytes: Int = 255) -> Bool {
        guard (1...maximumBytes).contains(text.utf8.count) else { return false }
        return text.utf8.withContiguousStorageIfAvailable(isPrintable)
            ?? Array(text.utf8)
            .withUnsafeBufferPointer(isPrintable)
    }

    /// Returns a text with a space in place of each character that ``isValid(_:maximumBytes:)`` refuses.
    ///
    /// For what is only read by people, in a log, a page or a terminal, and is better kept than refused.
    public static func spacing(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.map { isRefused($0) ? " " : $0 })
        return String(scalars)
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Looks at bytes rather than at scalars, since this is on the path of every sync.
    private static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x00...0x1F, 0x7F: return false
            // safe: UTF-8 has a byte or two more after that one
            case 0xC2: if bytes[index + 1] <= 0x9F { return false }
            // safe: UTF-8 has a byte or two more after that one
            case 0xD8: if bytes[index + 1] == 0x9C { return false }
            // safe: UTF-8 has a byte or two more after that one
            case 0xE2: if isDirectional(bytes[index + 1], bytes[index + 2]) { return false }
            default: continue
            }
        }
        return true
    }

    /// Whether the scalar U+2000 to U+207F with those last two bytes turns the direction or ends a line.
    private static func isDirectional(_ second: UInt8, _ third: UInt8) -> Bool {
        switch second {
        case 0x80: third == 0x8E || third == 0x8F || (0xA8...0xAE).contains(third)
        case 0x81: (0xA6...0xA9).contains(third)
        default: false
        }
    }
}
