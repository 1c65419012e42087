/// Estimates the room that a browser gives a text: where the app runs, there are no fonts.
///
/// Characters are taken to be as wide as in Helvetica; those of East Asia and pictures are as wide as high.
struct TextMeasure {
    fileprivate struct Glyph {
        let character: Character
        let width: CGFloat
        let height: CGFloat
        let isWide: Bool

        var kind: Line.Kind { character.isWhitespace ? .space : isWide ? .alone : .letter }
    }

    private let glyphs: [Glyph]
    private let spacing: CGFloat

    init(_ text: NSAttributedString) {
        let paragraph = text.length > 0 ? text.attribute(.paragraphStyle, at: 0, effectiveRange: nil) : nil
        spacing = (paragraph as? NSParagraphStyle)?.lineSpacing ?? 0
        var found: [Glyph] = []
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) { attributes, range, _ in
            let font = attributes[.font] as? UIFont ?? .systemFont(ofSize: 12)
            found += text.attributedSubstring(from: range).string.map { Self.glyph($0, in: font) }
        }
        glyphs = found
    }

    /// Returns the size in lines as they are.
    func size() -> CGSize { size(within: .zero) }

    /// Returns the size of the lines that fit into a room; a side of 0 is no limit.
    func size(within room: CGSize) -> CGSize {
        guard !glyphs.isEmpty else { return .zero }
        var (width, height) = (CGFloat(0), CGFloat(0))
        for line in lines(within: room.width > 0 ? room.width : .infinity) {
            let bottom = height + (height > 0 ? spacing : 0) + line.height
            if room.height > 0, height > 0, bottom > room.height { break }
            (width, height) = (max(width, line.width), bottom)
        }
        return CGSize(width: room.width > 0 ? min(width, room.width) : width, height: height)
    }

    /// Breaks the text between words, and within one that is wider than a line.
    private func lines(within limit: CGFloat) -> [CGSize] {
        var lines: [CGSize] = []
        var line = Line()
        for glyph in glyphs {
            if glyph.character.isNewline {
                lines.append(line.ended(height: glyph.height))
                line = Line()
            } else if let full = line.add(glyph.width, height: glyph.height, glyph.kind, limit: limit) {
                lines.append(full)
            }
        }
        return lines + [line.ended(height: glyphs.last?.height ?? 0)]
    }

    private static func glyph(_ character: Character, in font: UIFont) -> Glyph {
        let first = character.unicodeScalars.first?.value ?? 0
        let isWide = wide.contains { $0.contains(first) }
        var em: CGFloat = isWide ? 1 : font.isMonospaced ? 0.602 : 0.556
        if !isWide, !font.isMonospaced, first >= 32, first < 127 {
            em = CGFloat(widths[Int(first) - 32]) / 1_000  // safe: there are widths for 32 to 126
        }
        if font.weight.css >= 600 { em *= 1.06 }
        return Glyph(character: character, width: em * font.pointSize, height: font.lineHeight, isWide: isWide)
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    /// The widths of the characters from the space on, in thousandths of the size.
    private static let widths: [Int] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1_015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
        556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
        556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
        500, 500, 500, 334, 260, 334, 584,
    ]
}

/// Takes in a line from its start: the words that fit, the spaces after them, and a word that is not over yet.
private struct Line {
    enum Kind {
        case letter, space
        /// A character before and after which lines may break.
        case alone
    }

    private var words: CGFloat = 0
    private var gap: CGFloat = 0
    private var word: CGFloat = 0
    private var height: CGFloat = 0

    /// Adds a character; returns the size of the line before, where another one has to begin.
    mutating func add(_ width: CGFloat, height glyphHeight: CGFloat, _ kind: Kind, limit: CGFloat) -> CGSize? {
        if kind != .letter, word > 0 { endWord() }
        guard kind != .space else {
            (gap, height) = (gap + width, max(height, glyphHeight))
            return nil
        }
        var full: CGSize?
        if words + gap + word + width > limit, words + word > 0 {
            let isWithin = words == 0
            full = CGSize(width: isWithin ? word : words, height: max(height, glyphHeight))
            (words, gap, word, height) = (0, 0, isWithin ? 0 : word, 0)
        }
        (word, height) = (word + width, max(height, glyphHeight))
        if kind == .alone { endWord() }
        return full
    }

    private mutating func endWord() {
        (words, gap, word) = (words + gap + word, 0, 0)
    }

    /// Returns the size, spaces at the end included; a line without characters is as high as told.
    func ended(height empty: CGFloat) -> CGSize {
        CGSize(width: words + gap + word, height: height > 0 ? height : empty)
    }
}
