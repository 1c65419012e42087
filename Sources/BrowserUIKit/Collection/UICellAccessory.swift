/// A small sign, or a view of the app's own, at the end of a row.
@preconcurrency @MainActor
public struct UICellAccessory {
    /// Says when a sign is shown; browsers do not edit lists.
    public enum DisplayedState: Sendable {
        /// Always.
        case always
        /// While the list is edited, and so never.
        case whenEditing
        /// While the list is not edited.
        case whenNotEditing
    }

    /// Says where a view of the app's own is.
    public enum Placement: Sendable {
        /// Before the content.
        case leading(displayed: DisplayedState = .always)
        /// At the end of the row.
        case trailing(displayed: DisplayedState = .always)
    }

    /// Holds a view of the app's own, and where it is.
    @preconcurrency @MainActor
    public struct CustomViewConfiguration {
        /// The view.
        public let customView: UIView
        /// The place of the view.
        public let placement: Placement
        /// Whether the view is left out; `nil` stands for no.
        public var isHidden: Bool?

        /// Creates a configuration.
        public init(customView: UIView, placement: Placement, isHidden: Bool? = nil) {
            self.customView = customView
            self.placement = placement
            self.isHidden = isHidden
        }
    }

    private enum Kind {
        case disclosure, checkmark
        case label(String)
        case custom(CustomViewConfiguration)
    }

    private let kind: Kind
    private let displayed: DisplayedState

    /// Returns the sign that there is more.
    public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .disclosure, displayed: displayed)
    }

    /// Returns a check mark.
    public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .checkmark, displayed: displayed)
    }

    /// Returns a text.
    public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .label(text), displayed: displayed)
    }

    /// Returns a view of the app's own, such as a switch.
    public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory {
        switch configuration.placement {
        case .leading(let displayed), .trailing(let displayed):
            UICellAccessory(kind: .custom(configuration), displayed: displayed)
        }
    }

    /// The view of the app's own; `nil` for a sign.
    var customView: UIView? {
        if case .custom(let configuration) = kind { configuration.customView } else { nil }
    }

    var isShown: Bool {
        if case .custom(let configuration) = kind, configuration.isHidden == true { return false }
        return displayed != .whenEditing
    }

    var isLeading: Bool {
        if case .custom(let configuration) = kind, case .leading = configuration.placement { true } else { false }
    }

    func draw(_ id: String, in drawing: Drawing) -> String {
        switch kind {
        case .disclosure: return drawing.add(id, tag: "span", class: "accessory more")
        case .checkmark: return drawing.add(id, tag: "span", class: "accessory check")
        case .label(let text): return drawing.add(id, tag: "span", class: "accessory text", text: text)
        case .custom(let configuration):
            let view = configuration.customView.render(drawing)
            return drawing.add(id, class: isLeading ? "accessory own leading" : "accessory own", children: [view])
        }
    }
}
