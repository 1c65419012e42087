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

    private func changed() {
        (accessibilityContainer as? UIView)?.setNeedsDisplay()
    }

    /// Draws the part of a view; returns its id.
    func draw(_ id: String, in drawing: Drawing) -> String {
        let text = [accessibilityLabel, accessibilityValue].compactMap { $0 }.filter { !$0.isEmpty }
        _ = drawing.add(id, class: "spoken", text: text.joined(separator: ", "))
        var attributes = ["data-reachable": ""]
        attributes["role"] = accessibilityTraits.role
        if accessibilityTraits.role == "heading" { attributes["aria-level"] = "2" }
        attributes["aria-description"] = accessibilityHint
        attributes["data-testid"] = accessibilityIdentifier
        attributes["lang"] = accessibilityLanguage
        if accessibilityTraits.contains(.notEnabled) {
            attributes["aria-disabled"] = "true"
        } else if accessibilityTraits.contains(.button) || accessibilityTraits.contains(.link) {
            attributes.merge(["tabindex": "0", "data-tap": ""]) { $1 }
        }
        drawing.nodes[id]?.attributes.merge(attributes) { $1 }
        let frame = accessibilityFrameInContainerSpace
        guard !frame.isEmpty else { return id }
        drawing.nodes[id]?.style = [
            "left": CSS.points(frame.minX), "top": CSS.points(frame.minY), "width": CSS.points(frame.width),
            "height": CSS.points(frame.height),
        ]
        return id
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
        node.children += parts.map { $0.element.draw("\(nodeID).element\($0.index)", in: drawing) }
    }

    /// Uses a part of the view; returns whether it is one.
    func activateElement(_ part: String) -> Bool {
        guard part.hasPrefix("element"), let index = Int(part.dropFirst(7)),
            let element = parts.first(where: { $0.index == index })?.element
        else { return false }
        guard !element.accessibilityTraits.contains(.notEnabled), !element.accessibilityActivate() else { return true }
        let tap = BrowserEvent(nodeID, .tap)
        if !recognize(tap) { _ = handle(tap) }
        return true
    }
}
