/// A small sign, a control for editing, or a view of the app's own, beside the content of a row.
@preconcurrency @MainActor
public struct UICellAccessory {
    /// Says when a sign is shown.
    public enum DisplayedState: Sendable {
        /// Always.
        case always
        /// While the list is edited.
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

    /// Does what a control says.
    public typealias ActionHandler = () -> Void

    private enum Kind {
        case disclosure, checkmark, reorder, multiselect
        case delete(ActionHandler?)
        case insert(ActionHandler?)
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

    /// Returns a control that deletes; without a handler, it uncovers the actions at the end of the row.
    public static func delete(
        displayed: DisplayedState = .whenEditing,
        actionHandler: ActionHandler? = nil
    ) -> UICellAccessory {
        UICellAccessory(kind: .delete(actionHandler), displayed: displayed)
    }

    /// Returns a control that inserts.
    public static func insert(
        displayed: DisplayedState = .whenEditing,
        actionHandler: ActionHandler? = nil
    ) -> UICellAccessory {
        UICellAccessory(kind: .insert(actionHandler), displayed: displayed)
    }

    /// Returns the control by which the user moves a row, where the data source lets it be moved.
    public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
        UICellAccessory(kind: .reorder, displayed: displayed)
    }

    /// Returns the circle that says whether a row is chosen, while several can be.
    public static func multiselect(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
        UICellAccessory(kind: .multiselect, displayed: displayed)
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

    /// Returns whether it is shown in a cell that is edited, or in one that is not.
    func isShown(isEditing: Bool) -> Bool {
        if case .custom(let configuration) = kind, configuration.isHidden == true { return false }
        return displayed == .always || (displayed == .whenEditing) == isEditing
    }

    var isLeading: Bool {
        if case .custom(let configuration) = kind, case .leading = configuration.placement { true } else { isControl }
    }

    /// Whether it is a control for editing before the content.
    var isControl: Bool {
        switch kind {
        case .delete, .insert, .multiselect: true
        default: false
        }
    }

    /// Whether the user moves the row by it.
    var isReorder: Bool { if case .reorder = kind { true } else { false } }

    /// Does what a control says; returns whether it is one.
    func perform(in cell: UICollectionViewCell) -> Bool {
        switch kind {
        case .delete(let handler?), .insert(let handler?): handler()
        case .multiselect: return (cell.superview as? UICollectionView)?.select(cell) ?? false
        default: return false
        }
        return true
    }

    func draw(_ id: String, of cell: UICollectionViewCell, in drawing: Drawing) -> String {
        let language = cell.screen?.environment.language
        switch kind {
        case .delete(let handler):
            return drawing.addControl(id, "delete", .delete, uncovers: handler == nil, language: language)
        case .insert: return drawing.addControl(id, "insert", .insert, language: language)
        case .multiselect: return drawing.addChoice(id, isChosen: cell.isSelected, language: language)
        case .reorder: return drawing.addReorderControl(id, language: language)
        case .disclosure: return drawing.add(id, tag: "span", class: "accessory more")
        case .checkmark: return drawing.add(id, tag: "span", class: "accessory check")
        case .label(let text): return drawing.add(id, tag: "span", class: "accessory text", text: text)
        case .custom(let configuration):
            let view = configuration.customView.render(drawing)
            return drawing.add(id, class: isLeading ? "accessory own leading" : "accessory own", children: [view])
        }
    }
}
