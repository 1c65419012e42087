/// Draws a button as its configuration says.
@MainActor
struct ButtonLook {
    private let configuration: UIButton.Configuration
    private let button: UIButton

    init(_ configuration: UIButton.Configuration, of button: UIButton) {
        self.configuration = configuration
        self.button = button
    }

    // MARK: Colours

    private var isOff: Bool { !button.isEnabled && button.automaticallyUpdatesConfiguration }
    private var isOn: Bool { button.isSelected && configuration.automaticallyUpdateForSelection }

    private var foreground: String {
        if isOff { return UIColor.tertiaryLabel.css }
        if let color = configuration.baseForegroundColor { return color.css }
        switch configuration.style {
        case .filled, .borderedProminent: return UIColor.white.css
        default: return "var(--tint)"
        }
    }

    private var background: String? {
        if let color = configuration.background.backgroundColor { return color.css }
        let base = configuration.baseBackgroundColor?.css
        switch configuration.style {
        case .plain, .borderless: return base ?? (isOn ? Self.shade("var(--tint)", 15) : nil)
        case .filled, .borderedProminent: return isOff ? UIColor.tertiarySystemFill.css : base ?? "var(--tint)"
        case .tinted, .borderedTinted:
            return isOff ? UIColor.tertiarySystemFill.css : Self.shade(base ?? "var(--tint)", isOn ? 35 : 18)
        case .gray, .bordered:
            return base ?? (isOn ? Self.shade("var(--tint)", 18) : UIColor.tertiarySystemFill.css)
        }
    }

    private static func shade(_ color: String, _ percent: Int) -> String {
        "color-mix(in srgb, \(color) \(percent)%, transparent)"
    }

    private var radius: String {
        switch configuration.cornerStyle {
        case .fixed, .dynamic: CSS.points(configuration.background.cornerRadius)
        case .small: configuration.buttonSize == .large ? "8px" : "5px"
        case .medium: configuration.buttonSize == .large ? "10px" : "7px"
        case .large: configuration.buttonSize == .large ? "14px" : "10px"
        case .capsule: "999px"
        }
    }

    // MARK: Drawing

    func draw(_ node: inout Node, _ id: String, title: String?, image: UIImage?, in drawing: Drawing) {
        node.add(class: "configured")
        node.style["color"] = foreground
        node.style["border-radius"] = radius
        node.style["flex-direction"] = direction
        node.style["gap"] = CSS.points(configuration.imagePadding)
        let insets = configuration.contentInsets
        node.style["padding-block"] = "\(CSS.points(insets.top)) \(CSS.points(insets.bottom))"
        node.style["padding-inline"] = "\(CSS.points(insets.leading)) \(CSS.points(insets.trailing))"
        drawBackground(&node, id, in: drawing)
        if let picture = drawImage(image, id, in: drawing) { node.children.append(picture) }
        if let texts = drawTexts(title, id, in: drawing) { node.children.append(texts) }
    }

    private func drawBackground(_ node: inout Node, _ id: String, in drawing: Drawing) {
        var look = configuration.background
        look.cornerRadius = 0
        let background = look.draw("\(id).background", on: &node, in: drawing)
        drawing.nodes[background]?.style["background-color"] = self.background ?? "transparent"
        drawing.nodes[background]?.style["border-radius"] = "inherit"
        node.children.insert(background, at: 0)
    }

    private var direction: String {
        switch configuration.imagePlacement {
        case .trailing: "row-reverse"
        case .top: "column"
        case .bottom: "column-reverse"
        default: "row"
        }
    }

    private func drawImage(_ image: UIImage?, _ id: String, in drawing: Drawing) -> String? {
        if configuration.showsActivityIndicator {
            return drawing.add("\(id).spinner", tag: "span", class: "spinner")
        }
        guard let image else { return nil }
        let shown =
            configuration.preferredSymbolConfigurationForImage.flatMap { image.applyingSymbolConfiguration($0) }
            ?? image
        let glyph = shown.drawGlyph("\(id).image", in: drawing)
        if shown.tint == nil { drawing.nodes[glyph]?.style["--tint"] = foreground == "var(--tint)" ? nil : foreground }
        return glyph
    }

    private func drawTexts(_ title: String?, _ id: String, in drawing: Drawing) -> String? {
        let lines = [
            ("title", title, configuration.attributedTitle, configuration.titleTextAttributesTransformer),
            (
                "subtitle", configuration.subtitle, configuration.attributedSubtitle,
                configuration.subtitleTextAttributesTransformer
            ),
        ]
        let ids = lines.compactMap { name, text, attributed, transformer -> String? in
            guard let text, !text.isEmpty else { return nil }
            let line = drawing.add("\(id).\(name)", tag: "span", class: name, text: text)
            let attributes = attributes(attributed, transformer, isTitle: name == "title")
            let font = (attributes.font ?? usualFont(isTitle: name == "title"))
                .scaled(for: button.traitCollection.preferredContentSizeCategory)
            drawing.nodes[line]?.style = font.css(lineSpacing: 0)
            if let color = attributes.foregroundColor, !isOff { drawing.nodes[line]?.style["color"] = color.css }
            return line
        }
        guard !ids.isEmpty else { return nil }
        let texts = drawing.add("\(id).texts", tag: "span", class: "button-texts", children: ids)
        drawing.nodes[texts]?.style["gap"] = CSS.points(configuration.titlePadding)
        let alignments = ["", "start", "center", "end"]
        let alignment = alignments[configuration.titleAlignment.rawValue]
        if !alignment.isEmpty { drawing.nodes[texts]?.style["text-align"] = alignment }
        return texts
    }

    private func attributes(
        _ text: AttributedString?,
        _ transformer: UIConfigurationTextAttributesTransformer?,
        isTitle: Bool
    ) -> AttributeContainer {
        var attributes = text?.runs.first?.attributes ?? AttributeContainer()
        if attributes.font == nil { attributes.font = usualFont(isTitle: isTitle) }
        return transformer?(attributes) ?? attributes
    }

    private func usualFont(isTitle: Bool) -> UIFont {
        guard isTitle else { return .preferredFont(forTextStyle: .caption1) }
        switch configuration.buttonSize {
        case .mini, .small: return .preferredFont(forTextStyle: .subheadline)
        case .medium, .large: return .preferredFont(forTextStyle: .body)
        }
    }
}
