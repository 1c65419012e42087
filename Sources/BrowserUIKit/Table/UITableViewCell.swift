/// Shows one row of a table.
open class UITableViewCell: UIView, UIGestureRecognizerDelegate {
    /// The identifier that the cell was made for.
    public let reuseIdentifier: String?
    let style: CellStyle
    /// The view of the cell's content.
    public let contentView = UIView()
    /// The look of the chosen cell.
    ///
    /// The default is `default`.
    open var selectionStyle = SelectionStyle.default { didSet { setNeedsDisplay() } }
    /// The accessory at the end of the cell.
    ///
    /// The default is nothing.
    open var accessoryType = AccessoryType.none { didSet { setNeedsDisplay() } }
    /// The view at the end of the cell, in place of ``accessoryType``.
    ///
    /// The default is none.
    open var accessoryView: UIView? { didSet { exchange(oldValue, for: accessoryView) } }
    /// The accessory at the end of the cell while the table is edited.
    ///
    /// The default is nothing.
    open var editingAccessoryType = AccessoryType.none { didSet { setNeedsDisplay() } }
    /// The view at the end of the cell while the table is edited, in place of ``editingAccessoryType``.
    ///
    /// The default is none.
    open var editingAccessoryView: UIView? { didSet { exchange(oldValue, for: editingAccessoryView) } }
    /// The room beside the line below the cell; `left` and `right` are its start and end.
    ///
    /// The default is 16 at the start.
    open var separatorInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 0) { didSet { setNeedsDisplay() } }
    /// The content of the cell, as a value; setting it exchanges the content.
    ///
    /// The default is none.
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet { configured.show(contentConfiguration, in: contentView) }
    }
    private let configured = ConfiguredContent()
    /// Changes the cell by its state.
    public typealias ConfigurationUpdateHandler = (
        _ cell: UITableViewCell, _ state: UICellConfigurationState
    ) -> Void

    /// Changes the cell by its state, after ``updateConfiguration(using:)``.
    ///
    /// The default is none.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
    /// Whether the content follows the state by itself.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesContentConfiguration = true
    /// Whether the background follows the state by itself.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesBackgroundConfiguration = true
    private var configuring = ConfigurationUpdates()
    /// The view under the content.
    ///
    /// The default is none.
    open var backgroundView: UIView? { didSet { setNeedsDisplay() } }
    /// Whether the cell is chosen.
    open var isSelected = false { didSet { if isSelected != oldValue { setNeedsUpdateConfiguration() } } }
    /// Whether the cell is touched.
    open var isHighlighted = false { didSet { if isHighlighted != oldValue { setNeedsUpdateConfiguration() } } }
    /// The view that shows that the cell is chosen; browsers take its background colour.
    ///
    /// The default is grey.
    open var selectedBackgroundView: UIView? { didSet { setNeedsDisplay() } }
    /// The image before the labels; without an image it takes no room.
    public private(set) lazy var imageView: UIImageView? = makeImageView()
    private var ownImage: UIImageView?
    /// The label of the cell.
    public private(set) lazy var textLabel: UILabel? = makeLabel(.body, color: .label)
    /// The second label of the cell.
    public private(set) lazy var detailTextLabel: UILabel? =
        style == .default ? nil : makeLabel(style == .subtitle ? .caption1 : .body, color: .secondaryLabel)

    /// Creates a cell.
    public init(style: CellStyle, reuseIdentifier: String?) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        backgroundColor = Self.usualBackground
        addSubview(contentView)
    }

    /// Creates a plain cell that is not used again.
    public convenience init() {
        self.init(style: .default, reuseIdentifier: nil)
    }

    /// Creates the cell for a table, which knows its class by value only.
    ///
    /// Subclasses that override both other initialisers, or none, inherit this one: theirs need not be `required`.
    public required convenience init(dequeuedWithReuseIdentifier reuseIdentifier: String) {
        self.init(style: .default, reuseIdentifier: reuseIdentifier)
    }

    /// Creates a cell from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        style = .default
        reuseIdentifier = nil
        super.init(coder: coder)
        addSubview(contentView)
    }

    /// Is called before the cell shows another row.
    open func prepareForReuse() {
        isSelected = false
        isHighlighted = false
    }

    /// Chooses the cell, or no longer.
    open func setSelected(_ selected: Bool, animated: Bool) {
        isSelected = selected
    }

    /// Shows that the cell is touched, or no longer.
    open func setHighlighted(_ highlighted: Bool, animated: Bool) {
        isHighlighted = highlighted
    }

    private lazy var labels = UIStackView()

    private func makeLabel(_ textStyle: UIFont.TextStyle, color: UIColor) -> UILabel {
        let label = UILabel()
        label.font = .preferredFont(forTextStyle: textStyle)
        label.adjustsFontForContentSizeCategory = true
        label.textColor = color
        label.numberOfLines = 0
        labels.axis = style == .value1 ? .horizontal : .vertical
        labels.spacing = style == .value1 ? 8 : 3
        if labels.superview == nil { fill(with: labels) }
        labels.addArrangedSubview(label)
        // A value stands at the end of the row.
        if style == .value1, labels.arrangedSubviews.count > 1 {
            label.setContentHuggingPriority(.required, for: .horizontal)
        }
        return label
    }

    private func makeImageView() -> UIImageView {
        let image = UIImageView()
        image.contentMode = .scaleAspectFit
        image.isHidden = true
        labels.removeFromSuperview()
        let row = UIStackView(arrangedSubviews: [image, labels])
        row.alignment = .center
        row.spacing = 16
        fill(with: row)
        ownImage = image
        return image
    }

    private func fill(with stack: UIStackView) {
        stack.translatesAutoresizingMaskIntoConstraints = false
        contentView.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 11),
            stack.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 16),
            contentView.trailingAnchor.constraint(equalTo: stack.trailingAnchor, constant: 16),
            contentView.bottomAnchor.constraint(equalTo: stack.bottomAnchor, constant: 11),
        ])
    }

    // MARK: Drawing

    var swipeActions: UISwipeActionsConfiguration?
    var leadingActions: UISwipeActionsConfiguration?
    /// The background of cells that the app gave none: another in groups.
    private static let usualBackground = UIColor.systemBackground.copied
    /// The control beside the content while the table is edited.
    public internal(set) var editingStyle = EditingStyle.none { didSet { setNeedsDisplay() } }
    /// Whether the cell shows what can be done with it.
    ///
    /// The default is `false`.
    open var isEditing: Bool {
        get { showsEditing }
        set { setEditing(newValue, animated: false) }
    }
    private var showsEditing = false
    /// Whether the cell has a control at its end by which it is moved, while the table is edited.
    ///
    /// The default is `false`; a table sets it for the rows that can be moved.
    open var showsReorderControl = false { didSet { setNeedsDisplay() } }
    /// Whether the cell has a circle before its content that says whether it is chosen.
    var showsChoice = false

    /// Lets the cell show what can be done with it, or no longer.
    open func setEditing(_ editing: Bool, animated: Bool) {
        showsEditing = editing
        setNeedsUpdateConfiguration()
    }

    /// The state of the cell.
    open var configurationState: UICellConfigurationState {
        var state = UICellConfigurationState(traitCollection: traitCollection)
        (state.isSelected, state.isHighlighted, state.isEditing) = (isSelected, isHighlighted, showsEditing)
        return state
    }

    /// Asks for `updateConfiguration(using:)` before the cell is drawn again.
    open func setNeedsUpdateConfiguration() {
        configuring.isNeeded = true
        setNeedsDisplay()
    }

    /// Is called before the cell is drawn for a state for the first time.
    open func updateConfiguration(using state: UICellConfigurationState) {}

    /// Follows the state.
    open override func layoutSubviews() {
        super.layoutSubviews()
        guard configuring.take(traitCollection) else { return }
        let state = configurationState
        if automaticallyUpdatesContentConfiguration, let content = contentConfiguration {
            contentConfiguration = content.updated(for: state)
        }
        if automaticallyUpdatesBackgroundConfiguration, let background = backgroundConfiguration {
            backgroundConfiguration = background.updated(for: state)
        }
        updateConfiguration(using: state)
        configurationUpdateHandler?(self, state)
    }

    /// The look of the background, as a value.
    ///
    /// The default is none: the cell has its colour alone.
    open var backgroundConfiguration: UIBackgroundConfiguration? { didSet { setNeedsDisplay() } }
    var isSelectable = false
    var fixedHeight: CGFloat?
    var hasSeparator = false
    /// The table's room beside the line, where the cell has none of its own.
    var tableSeparatorInset: UIEdgeInsets?
    private static let usualInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 0)

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "cell")
        if isSelectable {
            node.attributes["data-tap"] = ""
            if selectionStyle != .none { node.add(class: isSelected ? "selectable selected" : "selectable") }
        }
        if backgroundColor === Self.usualBackground, (superview as? UITableView)?.style ?? .plain != .plain {
            node.style["background-color"] = UIColor.secondarySystemGroupedBackground.css
        }
        if isSelected, let color = selectedBackgroundView?.backgroundColor {
            node.style["background-color"] = color.css
        }
        ownImage?.isHidden = ownImage?.image == nil
        if hasSeparator { drawSeparator(&node) }
        if let fixedHeight { node.style["height"] = CSS.points(fixedHeight) }
        let content = contentView.render(drawing)
        drawing.nodes[content]?.add(class: "cell-content")
        node.children = [content]
        if let id = backgroundConfiguration?.draw("\(nodeID).background", on: &node, in: drawing) {
            node.children.insert(id, at: 0)
        }
        drawEditing(&node, content: content, in: drawing)
        if let accessoryView = isEditing ? editingAccessoryView : accessoryView {
            let id = accessoryView.render(drawing)
            node.children.append(drawing.add("\(nodeID).accessory", class: "accessory own", children: [id]))
        } else if shownAccessory != .none {
            let name = shownAccessory == .checkmark ? "accessory check" : "accessory more"
            node.children.append(drawing.add("\(nodeID).accessory", tag: "span", class: name))
        }
        swipeActions?.draw(on: &node, nodeID, at: .trailing, in: drawing)
        leadingActions?.draw(on: &node, nodeID, at: .leading, in: drawing)
    }

    /// Finds long presses that open a menu.
    var menuPress: UILongPressGestureRecognizer?

    func showMenu() {
        guard let menuPress, menuPress.state == .began else { return }
        (superview as? UITableView)?.showMenu(of: self, at: menuPress.location(in: nil))
    }

    private func drawSeparator(_ node: inout Node) {
        node.add(class: "separated")
        let inset = separatorInset == Self.usualInset ? tableSeparatorInset ?? separatorInset : separatorInset
        guard inset != Self.usualInset else { return }
        node.style["--separator"] = "\(CSS.points(inset.left)) \(CSS.points(inset.right))"
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard let table = superview as? UITableView else { return false }
        if case .reorder(let other, let isAfter) = event.kind { return table.move(self, to: other, isAfter: isAfter) }
        guard case .tap = event.kind else { return false }
        if let isDone = swipeActions?.perform(event.part, at: .trailing, in: self) { return isDone }
        if let isDone = leadingActions?.perform(event.part, at: .leading, in: self) { return isDone }
        if event.part == "edit" { return table.edit(self) }
        if event.part == "reorder" { return true }
        return table.select(self)
    }
}

extension UITableViewCell {
    /// Returns the configuration that suits the style of the cell.
    public func defaultContentConfiguration() -> UIListContentConfiguration {
        switch style {
        case .default: .cell()
        case .subtitle: .subtitleCell()
        case .value1, .value2: .valueCell()
        }
    }
}
