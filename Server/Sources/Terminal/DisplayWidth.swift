/// The number of columns that text takes in a terminal.
package enum DisplayWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    /// The columns of a text without line breaks.
    package static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        // A variation selector or a second half of a flag turns a narrow symbol into a picture.
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiPresentation }) {
            return 2
        }
        switch first.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: return wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }
}

extension StringProtocol {
    /// The text without what would move the cursor or change the terminal; line breaks stay.
    ///
    /// Texts come from a server: an escape sequence in a title must not reach the terminal.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0 == "\n" || !$0.isTerminalControl }))
    }

    /// The text without what would move the cursor or change the terminal, on one line.
    package var printableLine: String { printable.replacing("\n", with: " ") }

    /// A JSON text of the same value in which what would change the terminal is escaped; line breaks stay.
    package var printableJSON: String {
        guard unicodeScalars.contains(where: { $0 != "\n" && $0.isTerminalControl }) else { return String(self) }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard scalar != "\n", scalar.isTerminalControl else {
                result.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            // safe: none of them has more than four
            result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
        return String(result)
    }

    /// The longest beginning that fits that many columns, with an ellipsis where something is missing.
    package func truncated(toColumns columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else { return String(self) }
        var result = ""
        var used = 0
        for character in self {
            let width = DisplayWidth.of(character)
            guard used + width < columns else { break }
            result.append(character)
            used += width
        }
        return columns > 0 ? result + "…" : ""
    }

    /// The text with spaces after it up to that many columns.
    package func padded(toColumns columns: Int) -> String {
        // safe: the size of a terminal
        String(self) + String(repeating: " ", count: Swift.max(0, columns - DisplayWidth.of(self)))
    }

    /// The text with spaces before it up to that many columns.
    package func rightAligned(toColumns columns: Int) -> String {
        // safe: the size of a terminal
        String(repeating: " ", count: Swift.max(0, columns - DisplayWidth.of(self))) + String(self)
    }
}

extension Unicode.Scalar {
    fileprivate var isTerminalControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        // What ends a line, or turns the direction of what follows it.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
