/// Shows text.
open class UILabel: UIView {
    /// The text.
    ///
    /// The default is none.
    open var text: String? {
        get { attributedText?.string }
        set { attributedText = newValue.map { NSAttributedString(string: $0) } }
    }
    /// The text with fonts, colours and paragraph styles of its parts.
    open var attributedText: NSAttributedString? { didSet { setNeedsDisplay() } }
    /// The font. The default is that of the system in 17 points.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var font: UIFont! = .systemFont(ofSize: UIFont.labelFontSize) { didSet { setNeedsDisplay() } }
    /// The colour. The default is `label`.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var textColor: UIColor! = .label { didSet { setNeedsDisplay() } }
    /// The side to which lines are set.
    ///
    /// The default is `natural`.
    open var textAlignment = NSTextAlignment.natural { didSet { setNeedsDisplay() } }
    /// The way in which lines break.
    ///
    /// The default is `byTruncatingTail`.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail { didSet { setNeedsDisplay() } }
    /// The maximum number of lines; 0 means any number.
    ///
    /// The default is 1.
    open var numberOfLines = 1 { didSet { setNeedsDisplay() } }
    /// Whether a font of a text style follows the user's text size at once.
    ///
    /// The default is `false`.
    open var adjustsFontForContentSizeCategory = false { didSet { setNeedsDisplay() } }
    /// Whether text may become smaller to fit the width.
    ///
    /// The default is `false`; browsers wrap or truncate instead.
    open var adjustsFontSizeToFitWidth = false
    /// The share of its size that text may become smaller to; browsers wrap or truncate instead.
    ///
    /// The default is 0.
    open var minimumScaleFactor: CGFloat = 0
    /// Whether letters may come closer before text is truncated; browsers leave them.
    ///
    /// The default is `false`.
    open var allowsDefaultTighteningForTruncation = false
    /// The width at which several lines are broken, in points; 0, the default, leaves that to constraints.
    open var preferredMaxLayoutWidth: CGFloat = 0 { didSet { setNeedsDisplay() } }

    /// Creates an empty label.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibilityTraits = .staticText
    }

    /// Creates a label from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override var hasIntrinsicHeight: Bool { true }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "label")
        let style = attributedText.flatMap(Self.paragraphStyle)
        let font = shownFont
        node.style.merge(font.css(lineSpacing: style?.lineSpacing ?? 0)) { $1 }
        node.style["color"] = (textColor ?? .label).css
        let alignment = style.map(\.alignment).flatMap { $0 == .natural ? nil : $0 } ?? textAlignment
        let natural = traitCollection.layoutDirection == .rightToLeft ? "right" : "left"
        node.style["text-align"] = ["left", "center", "right", "justify", natural][alignment.rawValue]
        drawLines(style?.lineBreakMode ?? lineBreakMode, &node)
        if numberOfLines != 1, preferredMaxLayoutWidth > 0 {
            node.style["max-width"] = CSS.points(preferredMaxLayoutWidth)
        }
        drawText(&node, in: drawing)
    }

    /// Text alone is read without a role.
    override var needsRole: Bool { accessibilityLabel != text || accessibilityTraits != .staticText }

    /// The font that the text has now.
    var shownFont: UIFont { shown(font ?? .systemFont(ofSize: UIFont.labelFontSize)) }

    private func shown(_ font: UIFont) -> UIFont {
        adjustsFontForContentSizeCategory ? font.scaled(for: traitCollection.preferredContentSizeCategory) : font
    }

    private static func paragraphStyle(of text: NSAttributedString) -> NSParagraphStyle? {
        guard text.length > 0 else { return nil }
        return text.attribute(.paragraphStyle, at: 0, effectiveRange: nil) as? NSParagraphStyle
    }

    private func drawLines(_ breaking: NSLineBreakMode, _ node: inout Node) {
        if breaking == .byCharWrapping { node.style["word-break"] = "break-all" }
        guard numberOfLines > 0 else { return }
        node.add(class: numberOfLines == 1 ? "one-line" : "clamped")
        if numberOfLines > 1 { node.style["-webkit-line-clamp"] = String(numberOfLines) }
    }

    /// The colour of links, where they can be followed: in a text view.
    var linkColor: UIColor?
    private var links: [Int: (link: Any, range: NSRange)] = [:]

    private func drawLink(_ attributes: [NSAttributedString.Key: Any], run: Int, at start: Int, _ text: String) -> Bool
    {
        guard linkColor != nil, let link = attributes[.link] else { return false }
        links[run] = (link, NSRange(location: start, length: text.utf16.count))
        return true
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, event.part.hasPrefix("run"), let run = Int(event.part.dropFirst(3)),
            let (link, range) = links[run], let view = superview as? UITextView
        else { return false }
        return view.follow(link, in: range)
    }

    private func drawText(_ node: inout Node, in drawing: Drawing) {
        guard let attributedText, attributedText.length > 0 else { return }
        var runs: [(String, [NSAttributedString.Key: Any])] = []
        let whole = NSRange(location: 0, length: attributedText.length)
        attributedText.enumerateAttributes(in: whole, options: []) { attributes, range, _ in
            runs.append((attributedText.attributedSubstring(from: range).string, attributes))
        }
        guard runs.contains(where: { !Self.drawn.isDisjoint(with: $0.1.keys) }) else {
            node.text = attributedText.string
            return
        }
        links = [:]
        var start = 0
        for (index, run) in runs.enumerated() {
            let id = drawing.add("\(nodeID).run\(index)", tag: "span", class: "run", text: run.0)
            if let font = run.1[.font] as? UIFont { drawing.nodes[id]?.style = shown(font).css(lineSpacing: nil) }
            if let color = run.1[.foregroundColor] as? UIColor { drawing.nodes[id]?.style["color"] = color.css }
            if let color = run.1[.backgroundColor] as? UIColor {
                drawing.nodes[id]?.style["background-color"] = color.css
            }
            if let room = Self.number(run.1[.kern]) { drawing.nodes[id]?.style["letter-spacing"] = CSS.points(room) }
            let lines = Self.lines.filter { (run.1[$0.key] as? Int ?? 0) != 0 }.map(\.css)
            if !lines.isEmpty { drawing.nodes[id]?.style["text-decoration"] = lines.joined(separator: " ") }
            if drawLink(run.1, run: index, at: start, run.0) {
                drawing.nodes[id]?.attributes.merge(["data-tap": "", "role": "link", "tabindex": "0"]) { $1 }
                drawing.nodes[id]?.style["color"] = linkColor?.css
            }
            start += run.0.utf16.count
            node.children.append(id)
        }
    }

    /// Returns a number of any kind, as an attribute has it.
    private static func number(_ value: Any?) -> CGFloat? {
        switch value {
        case let number as CGFloat: number
        case let number as Double: CGFloat(number)
        case let number as Float: CGFloat(number)
        case let number as Int: CGFloat(number)
        case let number as NSNumber: CGFloat(number.doubleValue)
        default: nil
        }
    }

    private static let lines: [(key: NSAttributedString.Key, css: String)] = [
        (.underlineStyle, "underline"), (.strikethroughStyle, "line-through"),
    ]
    private static let drawn: Set<NSAttributedString.Key> = [
        .font, .foregroundColor, .backgroundColor, .kern, .underlineStyle, .strikethroughStyle, .link,
    ]
}

extension UIFont {
    func css(lineSpacing: CGFloat?) -> [String: String] {
        var style = ["font-size": CSS.points(pointSize)]
        if let lineSpacing { style["line-height"] = CSS.points(lineHeight + lineSpacing) }
        if weight != .regular { style["font-weight"] = String(weight.css) }
        if isItalic { style["font-style"] = "italic" }
        if isMonospaced { style["font-family"] = "ui-monospace, monospace" }
        if hasEvenDigits { style["font-variant-numeric"] = "tabular-nums" }
        if let family { style["font-family"] = family }
        return style
    }
}
