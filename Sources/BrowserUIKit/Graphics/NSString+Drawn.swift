extension NSAttributedString {
    /// Draws the text into the current context, from a point at its top left on, in lines as they are.
    @preconcurrency @MainActor
    public func draw(at point: CGPoint) {
        // Whatever side lines are set to, the widest of them begins at the point.
        let room = CGRect(origin: point, size: CGSize(width: 20_000, height: 20_000))
        CGContext.current?.draw(self, in: room, wraps: false)
    }

    /// Draws the text into the current context, in lines as wide as a rectangle.
    @preconcurrency @MainActor
    public func draw(in rect: CGRect) {
        CGContext.current?.draw(self, in: rect, wraps: true)
    }
}

extension NSString {
    /// Draws the text into the current context, from a point at its top left on, in lines as they are.
    @preconcurrency @MainActor
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        substring(from: 0).draw(at: point, withAttributes: attrs)
    }

    /// Draws the text into the current context, in lines as wide as a rectangle.
    @preconcurrency @MainActor
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        substring(from: 0).draw(in: rect, withAttributes: attrs)
    }
}

// Swift shows the methods of `NSString` on texts of its own where there is Objective-C.
extension String {
    /// Draws the text into the current context, from a point at its top left on, in lines as they are.
    @preconcurrency @MainActor
    public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        NSAttributedString(string: self, attributes: attrs).draw(at: point)
    }

    /// Draws the text into the current context, in lines as wide as a rectangle.
    @preconcurrency @MainActor
    public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
        NSAttributedString(string: self, attributes: attrs).draw(in: rect)
    }
}

extension CGContext {
    /// Lets the browser set the lines, which knows the font.
    fileprivate func draw(_ text: NSAttributedString, in rect: CGRect, wraps: Bool) {
        guard text.length > 0 else { return }
        let paragraph = text.attribute(.paragraphStyle, at: 0, effectiveRange: nil) as? NSParagraphStyle
        let alignments: [NSTextAlignment: String] = [
            .left: "left", .center: "center", .right: "right", .justified: "justify",
        ]
        var style = ["margin": "0", "white-space": wraps ? "pre-wrap" : "pre"]
        style["text-align"] = alignments[paragraph?.alignment ?? .natural] ?? "start"
        style[wraps ? "overflow-wrap" : "width"] = wraps ? "anywhere" : "max-content"
        var runs = ""
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) { attributes, range, _ in
            let run = text.attributedSubstring(from: range).string
            let look = Self.look(attributes, lineSpacing: paragraph?.lineSpacing ?? 0)
            runs += SVG.element("span", ["style": Self.css(look)], SVG.escape(run))
        }
        let block = ["xmlns": "http://www.w3.org/1999/xhtml", "style": Self.css(style)]
        let names = SVG.frame(rect).merging(state.common) { $1 }
        append(SVG.element("foreignObject", names, SVG.element("div", block, runs)))
    }

    private static func look(_ attributes: [NSAttributedString.Key: Any], lineSpacing: CGFloat) -> [String: String] {
        let font = attributes[.font] as? UIFont ?? .systemFont(ofSize: 12)
        var style = font.css(lineSpacing: lineSpacing)
        style["color"] = (attributes[.foregroundColor] as? UIColor ?? .black).cgColor.css
        var lines: [String] = []
        if (attributes[.underlineStyle] as? Int ?? 0) != 0 { lines.append("underline") }
        if (attributes[.strikethroughStyle] as? Int ?? 0) != 0 { lines.append("line-through") }
        if !lines.isEmpty { style["text-decoration"] = lines.joined(separator: " ") }
        return style
    }

    private static func css(_ style: [String: String]) -> String {
        style.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ";")
    }
}
