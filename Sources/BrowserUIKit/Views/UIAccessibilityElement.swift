/// Stands for a part of a view that is no view of its own, for people who do not see it: put it into the view's
/// `accessibilityElements`.
open class UIAccessibilityElement: UIResponder {
    /// The view that the part belongs to.
    open weak var accessibilityContainer: AnyObject?
    /// Whether there is such a part.
    ///
    /// The default is `true`.
    open var isAccessibilityElement = true { didSet { changed() } }
    /// The name of the part.
    open var accessibilityLabel: String? { didSet { changed() } }
    /// The value that the part is set to.
    open var accessibilityValue: String? { didSet { changed() } }
    /// The effect of using the part.
    open var accessibilityHint: String? { didSet { changed() } }
    /// A name for tests.
    open var accessibilityIdentifier: String? { didSet { changed() } }
    /// The language of the part (BCP 47).
    open var accessibilityLanguage: String? { didSet { changed() } }
    /// The kinds of thing that the part is.
    ///
    /// The default is nothing.
    open var accessibilityTraits = UIAccessibilityTraits.none { didSet { changed() } }
    /// The other actions of the part.
    open var accessibilityCustomActions: [UIAccessibilityCustomAction]? { didSet { changed() } }
    /// The frame of the part, on the screen; it is kept, and ``accessibilityFrameInContainerSpace`` counts.
    open var accessibilityFrame = CGRect.zero
    /// The frame of the part, in its view.
    open var accessibilityFrameInContainerSpace = CGRect.zero { didSet { changed() } }

    /// Creates a part of a view.
    public init(accessibilityContainer container: Any) {
        accessibilityContainer = container as AnyObject
        super.init()
    }

    /// The responder that answers where the part does not.
    open override var next: UIResponder? { accessibilityContainer as? UIResponder }

    /// Uses the part, for people who do so without touch, and returns whether that worked.
    ///
    /// Where it did not, the view gets a tap.
    open func accessibilityActivate() -> Bool { false }

    /// Makes the value greater, where the traits say `adjustable`.
    open func accessibilityIncrement() {}

    /// Makes the value smaller, where the traits say `adjustable`.
    open func accessibilityDecrement() {}

    private func changed() {
        (accessibilityContainer as? UIView)?.setNeedsDisplay()
    }

    /// Draws the part of a view, and buttons for its actions; returns their ids.
    func draw(_ id: String, language: String?, in drawing: Drawing) -> [String] {
        drawPart(id, in: drawing)
        guard !accessibilityTraits.contains(.notEnabled) else { return [id] }
        var actions = (accessibilityCustomActions ?? []).enumerated().map { ("action\($0)", $1.name) }
        if accessibilityTraits.contains(.adjustable) {
            actions.append(("increment", SystemStrings.increment.text(in: language)))
            actions.append(("decrement", SystemStrings.decrement.text(in: language)))
        }
        return [id]
            + actions.map { part, name in
                let button = drawing.add("\(id).\(part)", tag: "button", class: "unseen", text: name)
                drawing.nodes[button]?.attributes.merge(["data-tap": "", "data-reachable": ""]) { $1 }
                return button
            }
    }

    private func drawPart(_ id: String, in drawing: Drawing) {
        let text = [accessibilityLabel, accessibilityValue].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ", ")
        var attributes = ["data-reachable": ""]
        attributes["role"] = accessibilityTraits.role
        // What is in an image is not read, so that a text there would name nothing.
        let isImage = attributes["role"] == "img"
        if isImage { attributes["aria-label"] = text.isEmpty ? nil : text }
        _ = drawing.add(id, class: "spoken", text: isImage ? nil : text)
        if accessibilityTraits.role == "heading" { attributes["aria-level"] = "2" }
        attributes["aria-description"] = accessibilityHint
        attributes["data-testid"] = accessibilityIdentifier
        attributes["lang"] = accessibilityLanguage
        if accessibilityTraits.contains(.selected) { attributes["aria-current"] = "true" }
        if accessibilityTraits.contains(.notEnabled) {
            attributes["aria-disabled"] = "true"
        } else if accessibilityTraits.contains(.button) || accessibilityTraits.contains(.link) {
            attributes.merge(["tabindex": "0", "data-tap": ""]) { $1 }
        }
        drawing.nodes[id]?.attributes.merge(attributes) { $1 }
        let frame = accessibilityFrameInContainerSpace
        guard !frame.isEmpty else { return }
        drawing.nodes[id]?.style = [
            "left": CSS.points(frame.minX), "top": CSS.points(frame.minY), "width": CSS.points(frame.width),
            "height": CSS.points(frame.height),
        ]
    }

    /// Does what a button of the part says; returns whether there is such a button.
    fileprivate func perform(_ part: Substring) -> Bool {
        switch part {
        case "increment" where accessibilityTraits.contains(.adjustable): accessibilityIncrement()
        case "decrement" where accessibilityTraits.contains(.adjustable): accessibilityDecrement()
        default:
            guard part.hasPrefix("action"), let index = Int(part.dropFirst(6)),
                let actions = accessibilityCustomActions, actions.indices.contains(index)
            else { return false }
            _ = actions[index].actionHandler?(actions[index])
        }
        return true
    }
}

extension UIAccessibilityTraits {
    /// The role that browsers know; `nil` for text.
    var role: String? {
        if contains(.link) { return "link" }
        if contains(.button) { return "button" }
        if contains(.image) { return "img" }
        return contains(.header) ? "heading" : nil
    }
}

extension UIView {
    /// The parts that are no views, of which each has its place among the elements.
    private var parts: [(index: Int, element: UIAccessibilityElement)] {
        (accessibilityElements ?? []).enumerated().compactMap { index, element in
            (element as? UIAccessibilityElement).flatMap { $0.isAccessibilityElement ? (index, $0) : nil }
        }
    }

    /// Draws the parts, and hides what is none of them.
    func drawElements(_ node: inout Node, in drawing: Drawing) {
        guard let elements = accessibilityElements else { return }
        let views = elements.compactMap { $0 as? UIView }
        for child in node.children {
            let view = drawing.views[child]
            guard !views.contains(where: { one in view.map { one.isDescendant(of: $0) } ?? false }) else { continue }
            drawing.nodes[child]?.attributes["aria-hidden"] = "true"
        }
        let language = screen?.environment.language
        node.children += parts.flatMap {
            $0.element.draw("\(nodeID).element\($0.index)", language: language, in: drawing)
        }
    }

    /// Uses a part of the view, or does one of its actions; returns whether it is one.
    func activateElement(_ part: String) -> Bool {
        let names = part.split(separator: ".", maxSplits: 1)
        guard let name = names.first, name.hasPrefix("element"), let index = Int(name.dropFirst(7)),
            let element = parts.first(where: { $0.index == index })?.element
        else { return false }
        if names.count > 1 { return !element.accessibilityTraits.contains(.notEnabled) && element.perform(names[1]) }
        guard !element.accessibilityTraits.contains(.notEnabled), !element.accessibilityActivate() else { return true }
        let tap = BrowserEvent(nodeID, .tap)
        if !recognize(tap) { _ = handle(tap) }
        return true
    }
}
