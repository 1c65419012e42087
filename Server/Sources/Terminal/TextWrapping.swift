/// Breaks text into lines of at most so many columns.
///
/// Breaks at spaces, between wide characters (which Chinese and Japanese write without spaces), and inside a word only
/// where the word alone is too long.
package enum TextWrapping {
    /// The lines of a text; a line break in it always begins a new one.
    ///
    /// An empty text has none.
    package static func lines(of text: String, columns: Int) -> [String] {
        guard columns > 0, !text.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            wrap(paragraph, columns)
        }
    }

    private static func wrap(_ paragraph: Substring, _ columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        for piece in pieces(of: paragraph) {
            let pieceWidth = DisplayWidth.of(piece)
            if width + pieceWidth > columns {
                if width > 0 { lines.append(trimmed(line)) }
                (line, width) = ("", 0)
                if piece == " " { continue }
            }
            for character in piece {
                let characterWidth = DisplayWidth.of(character)
                if width + characterWidth > columns, width > 0 {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line.append(character)
                width += characterWidth
            }
        }
        lines.append(trimmed(line))
        return lines
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Spaces, wide characters and words, each by itself.
    private static func pieces(of paragraph: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = paragraph.startIndex
        for index in paragraph.indices {
            let character = paragraph[index]
            guard character == " " || DisplayWidth.of(character) == 2 else { continue }
            if start < index { pieces.append(paragraph[start..<index]) }
            let next = paragraph.index(after: index)
            // safe: one after the other
            pieces.append(paragraph[index..<next])
            start = next
        }
        if start < paragraph.endIndex { pieces.append(paragraph[start...]) }
        return pieces
    }
}
