/// Says what an element is, to people who do not see it.
public struct UIAccessibilityTraits: OptionSet, Sendable {
    /// One bit a trait.
    public let rawValue: UInt64

    /// Creates traits from their bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Nothing.
    public static let none = UIAccessibilityTraits([])
    /// A button.
    public static let button = UIAccessibilityTraits(rawValue: 1)
    /// A link.
    public static let link = UIAccessibilityTraits(rawValue: 2)
    /// An image.
    public static let image = UIAccessibilityTraits(rawValue: 4)
    /// Something selected.
    public static let selected = UIAccessibilityTraits(rawValue: 8)
    /// Text that does not change.
    public static let staticText = UIAccessibilityTraits(rawValue: 64)
    /// Something whose value can be made greater and smaller.
    public static let adjustable = UIAccessibilityTraits(rawValue: 4_096)
    /// Something that cannot be used now.
    public static let notEnabled = UIAccessibilityTraits(rawValue: 256)
    /// Something that changes often.
    public static let updatesFrequently = UIAccessibilityTraits(rawValue: 512)
    /// A heading.
    public static let header = UIAccessibilityTraits(rawValue: 65_536)
}

/// Offers something that can be done to an element, to people who use it without touch.
@preconcurrency @MainActor
open class UIAccessibilityCustomAction {
    /// Does it, and returns whether that worked.
    public typealias Handler = @MainActor (UIAccessibilityCustomAction) -> Bool

    /// The name.
    open var name: String
    /// The handler of the action.
    open var actionHandler: Handler?

    /// Creates an action.
    public init(name: String, actionHandler: Handler?) {
        self.name = name
        self.actionHandler = actionHandler
    }
}

extension UIView {
    /// Has the page move the focus of assistive devices and keys here.
    func requestAccessibilityFocus() {
        accessibilityFocus += 1
        setNeedsDisplay()
    }

    /// Adds to the element of the view what it says of itself, as its class has it.
    func drawAccessibility(_ node: inout Node, in drawing: Drawing) {
        if let identifier = accessibilityIdentifier { node.attributes["data-testid"] = identifier }
        if let language = accessibilityLanguage { node.attributes["lang"] = language }
        if accessibilityElementsHidden { node.attributes["aria-hidden"] = "true" }
        drawElements(&node, in: drawing)
        guard isAccessibilityElement, needsRole else { return }
        for child in node.children where drawing.nodes[child]?.attributes["data-reachable"] == nil {
            drawing.nodes[child]?.attributes["aria-hidden"] = "true"
        }
        if node.attributes["role"] == nil { node.attributes["role"] = role }
        if role == "heading" { node.attributes["aria-level"] = "2" }
        let name = [accessibilityLabel, accessibilityValue].compactMap { $0 }.filter { !$0.isEmpty }
        if !name.isEmpty { node.attributes["aria-label"] = name.joined(separator: ", ") }
        if let hint = accessibilityHint { node.attributes["aria-description"] = hint }
        if accessibilityTraits.contains(.selected) { node.attributes["aria-current"] = "true" }
        if accessibilityTraits.contains(.notEnabled) { node.attributes["aria-disabled"] = "true" }
        if accessibilityTraits.contains(.button) || accessibilityTraits.contains(.link) {
            node.attributes["tabindex"] = "0"
        }
        drawActions(&node, in: drawing)
    }

    private var role: String { accessibilityTraits.role ?? "group" }

    private func drawActions(_ node: inout Node, in drawing: Drawing) {
        for (index, action) in (accessibilityCustomActions ?? []).enumerated() {
            let id = drawing.add("\(nodeID).action\(index)", tag: "button", class: "unseen", text: action.name)
            drawing.nodes[id]?.attributes["data-tap"] = ""
            node.children.append(id)
        }
    }

    func performAction(_ part: String) -> Bool {
        if activateElement(part) { return true }
        guard part.hasPrefix("action"), let index = Int(part.dropFirst(6)), let actions = accessibilityCustomActions,
            actions.indices.contains(index)
        else { return false }
        return actions[index].actionHandler?(actions[index]) ?? false
    }
}
