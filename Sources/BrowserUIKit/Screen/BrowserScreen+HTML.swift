extension BrowserScreen {
    /// Draws what is on screen once, as HTML without scripts: for previews.
    ///
    /// - Parameter address: gives the address of an image, from its bytes and media type.
    /// - Returns: the markup, whose elements take their style from classes, and the style sheet of those classes; no
    ///   element has a style of its own, so that a policy may forbid those.
    public func html(imageAddress address: (Data, String) -> String) -> (markup: String, style: String) {
        let images = images.mapValues { address($0.bytes, $0.mediaType) }
        var writer = StaticHTML(nodes: shown, images: images)
        return (writer.write(window.nodeID), writer.style)
    }
}

/// Writes elements as text, and gives each distinct style a class.
private struct StaticHTML {
    private static let attributes: Set<String> = ["class", "role", "alt", "lang", "dir"]
    private static let tags: Set<String> = ["div", "span", "button", "img", "header", "h1"]

    let nodes: [String: Node]
    /// Addresses by the names of images.
    let images: [String: String]
    private var classes: [String: String] = [:]

    init(nodes: [String: Node], images: [String: String]) {
        self.nodes = nodes
        self.images = images
    }

    var style: String {
        classes.sorted { $0.value < $1.value }.map { ".\($0.value){\($0.key)}" }.joined(separator: "\n")
    }

    mutating func write(_ id: String) -> String {
        guard let node = nodes[id] else { return "" }
        let tag = Self.tags.contains(node.tag) ? node.tag : "div"
        var attributes = node.attributes.filter { Self.attributes.contains($0.key) || $0.key.hasPrefix("aria-") }
        if !node.style.isEmpty {
            let name = className(of: node.style)
            attributes["class"] = attributes["class"].map { "\($0) \(name)" } ?? name
        }
        if tag == "img", let source = node.attributes["src"] { attributes["src"] = image(source) }
        let text = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(Self.escape($0.value))\"" }.joined()
        if tag == "img" { return "<img\(text)>" }
        var content = node.children.isEmpty ? Self.escape(node.text ?? "") : ""
        for child in node.children { content += write(child) }
        return "<\(tag)\(text)>\(content)</\(tag)>"
    }

    private mutating func className(of style: [String: String]) -> String {
        let rules = style.sorted { $0.key < $1.key }.map { name, value in
            // Values are our own but for texts in them, which must not end the rule.
            let value = name == "--image" ? "url(\"\(image(String(value.dropFirst(5).dropLast(2))))\")" : value
            let scalars: String.UnicodeScalarView = value.unicodeScalars.filter { scalar in
                !"{}<>;".unicodeScalars.contains(scalar) || name == "--image" && scalar == ";"
            }
            return "\(name):\(String(scalars)) !important"
        }
        let text = rules.joined(separator: ";")
        if let known = classes[text] { return known }
        let name = "s\(classes.count + 1)"
        classes[text] = name
        return name
    }

    private func image(_ source: String) -> String {
        images[source.hasPrefix("image/") ? String(source.dropFirst(6)) : source] ?? ""
    }

    /// Returns a text without what would end it, by its scalars: with a mark behind it, or some letters before it, a
    /// sign is another character.
    private static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
