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

/// Holds what a view says of itself.
struct Accessibility {
    var label: String?
    var value: String?
    var hint: String?
    var identifier: String?
    var language: String?
    var traits = UIAccessibilityTraits.none
    var actions: [UIAccessibilityCustomAction]?
    var isHidden = false
    var ignoresInvertedColors = false
    var elements: [Any]?
}

extension UIView {
    /// Whether colours stay as they are where the user has them inverted; browsers do not invert.
    ///
    /// The default is `false`.
    public var accessibilityIgnoresInvertColors: Bool {
        get { accessibility.ignoresInvertedColors }
        set { change(\.ignoresInvertedColors, newValue) }
    }

    /// The name of the element.
    public var accessibilityLabel: String? {
        get { accessibility.label ?? (self as? UILabel)?.text }
        set { change(\.label, newValue) }
    }

    /// The value that the element is set to.
    public var accessibilityValue: String? {
        get { accessibility.value }
        set { change(\.value, newValue) }
    }

    /// The result of using the element.
    public var accessibilityHint: String? {
        get { accessibility.hint }
        set { change(\.hint, newValue) }
    }

    /// A name for tests.
    public var accessibilityIdentifier: String? {
        get { accessibility.identifier }
        set { change(\.identifier, newValue) }
    }

    /// The language of the element (BCP 47).
    public var accessibilityLanguage: String? {
        get { accessibility.language }
        set { change(\.language, newValue) }
    }

    /// The traits of the element.
    public var accessibilityTraits: UIAccessibilityTraits {
        get { accessibility.traits }
        set { change(\.traits, newValue) }
    }

    /// The other actions of the element.
    public var accessibilityCustomActions: [UIAccessibilityCustomAction]? {
        get { accessibility.actions }
        set { change(\.actions, newValue) }
    }

    /// Whether the view and all in it are left out.
    public var accessibilityElementsHidden: Bool {
        get { accessibility.isHidden }
        set { change(\.isHidden, newValue) }
    }

    private func change<Value>(_ path: WritableKeyPath<Accessibility, Value>, _ value: Value) {
        accessibility[keyPath: path] = value
        setNeedsDisplay()
    }

    func drawAccessibility(_ node: inout Node, in drawing: Drawing) {
        if let identifier = accessibility.identifier { node.attributes["data-testid"] = identifier }
        if let language = accessibility.language { node.attributes["lang"] = language }
        if accessibility.isHidden { node.attributes["aria-hidden"] = "true" }
        drawElements(&node, in: drawing)
        guard isAccessibilityElement, needsRole else { return }
        for child in node.children where drawing.nodes[child]?.attributes["data-reachable"] == nil {
            drawing.nodes[child]?.attributes["aria-hidden"] = "true"
        }
        if node.attributes["role"] == nil { node.attributes["role"] = role }
        if role == "heading" { node.attributes["aria-level"] = "2" }
        let name = [accessibilityLabel, accessibility.value].compactMap { $0 }.filter { !$0.isEmpty }
        if !name.isEmpty { node.attributes["aria-label"] = name.joined(separator: ", ") }
        if let hint = accessibility.hint { node.attributes["aria-description"] = hint }
        if accessibility.traits.contains(.notEnabled) { node.attributes["aria-disabled"] = "true" }
        if accessibility.traits.contains(.button) || accessibility.traits.contains(.link) {
            node.attributes["tabindex"] = "0"
        }
        drawActions(&node, in: drawing)
    }

    private var role: String { accessibility.traits.role ?? "group" }

    private func drawActions(_ node: inout Node, in drawing: Drawing) {
        for (index, action) in (accessibility.actions ?? []).enumerated() {
            let id = drawing.add("\(nodeID).action\(index)", tag: "button", class: "unseen", text: action.name)
            drawing.nodes[id]?.attributes["data-tap"] = ""
            node.children.append(id)
        }
    }

    func performAction(_ part: String) -> Bool {
        if activateElement(part) { return true }
        guard part.hasPrefix("action"), let index = Int(part.dropFirst(6)), let actions = accessibility.actions,
            actions.indices.contains(index)
        else { return false }
        return actions[index].actionHandler?(actions[index]) ?? false
    }
}
