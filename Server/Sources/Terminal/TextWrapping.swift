/// Breaks text into lines of at most so many columns.
///
/// Breaks at spaces, between wide characters (which Chinese and Japanese write without spaces), and inside a word only
/// where the word alone is too long. A mark such as 。 begins no line, and a bracket that opens ends none.
package enum TextWrapping {
    private static let neverFirst = Set("、。，．・：；？！）」』】〉》〕］｝…‥ーゝゞ々〜ぁぃぅぇぉっゃゅょァィゥェォッャュョヵヶ)]},.:;!?”’")
    private static let neverLast = Set("（「『【〈《〔［｛([{“‘")

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

    /// Spaces, wide characters and words, each by itself, and with it the marks that no line may begin or end with.
    private static func pieces(of paragraph: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = paragraph.startIndex
        for (index, previous) in zip(paragraph.indices.dropFirst(), paragraph)
        where canBreak(between: previous, and: paragraph[index]) {
            // safe: one after the other
            pieces.append(paragraph[start..<index])
            start = index
        }
        if start < paragraph.endIndex { pieces.append(paragraph[start...]) }
        return pieces
    }

    private static func canBreak(between previous: Character, and next: Character) -> Bool {
        if previous == " " || next == " " { return true }
        guard DisplayWidth.of(previous) == 2 || DisplayWidth.of(next) == 2 else { return false }
        return !neverFirst.contains(next) && !neverLast.contains(previous)
    }
}
