/// Shows the header or footer of a section of a table.
open class UITableViewHeaderFooterView: UIView {
    /// The identifier that the view was made for.
    public let reuseIdentifier: String?
    /// The view of the content.
    public let contentView = UIView()
    /// The content of the view, as a value; setting it exchanges the content.
    ///
    /// The default is none.
    open var contentConfiguration: (any UIContentConfiguration)? {
        didSet {
            configured.show(contentConfiguration, in: contentView)
            labels.isHidden = contentConfiguration != nil
        }
    }
    /// Whether the content follows the state of the view; a header has one state here.
    ///
    /// The default is `true`.
    open var automaticallyUpdatesContentConfiguration = true
    /// The look of the background, as a value.
    ///
    /// The default is none: that of the table.
    open var backgroundConfiguration: UIBackgroundConfiguration? { didSet { setNeedsDisplay() } }
    /// The view under the content.
    ///
    /// The default is none.
    open var backgroundView: UIView? {
        didSet {
            guard oldValue !== backgroundView else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }
    /// The label of the view.
    public private(set) lazy var textLabel: UILabel? = makeLabel()
    /// The second label of the view.
    public private(set) lazy var detailTextLabel: UILabel? = makeLabel()
    private let configured = ConfiguredContent()
    private let labels = UIStackView()
    private var margins: [NSLayoutConstraint] = []
    var isInPlainTable = true { didSet { restyle(from: Self.look(oldValue, isFooter)) } }
    var isFooter = false { didSet { restyle(from: Self.look(isInPlainTable, oldValue)) } }

    /// Creates a header or footer.
    public init(reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        contentView.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 6, leading: 16, bottom: 6, trailing: 16)
        addSubview(contentView)
    }

    /// Creates a header or footer that is not used again.
    public convenience init() {
        self.init(reuseIdentifier: nil)
    }

    /// Creates the view for a table, which knows its class by value only.
    ///
    /// Subclasses that override both other initialisers, or none, inherit this one: theirs need not be `required`.
    public required convenience init(dequeuedWithReuseIdentifier reuseIdentifier: String) {
        self.init(reuseIdentifier: reuseIdentifier)
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        reuseIdentifier = nil
        super.init(coder: coder)
        addSubview(contentView)
    }

    /// Is called before the view shows another section.
    open func prepareForReuse() {}

    /// Returns the configuration that suits the table.
    open func defaultContentConfiguration() -> UIListContentConfiguration {
        switch (isInPlainTable, isFooter) {
        case (true, false): .plainHeader()
        case (true, true): .plainFooter()
        case (false, false): .groupedHeader()
        case (false, true): .groupedFooter()
        }
    }

    // MARK: Labels

    private static func look(_ isPlain: Bool, _ isFooter: Bool) -> (font: UIFont, color: UIColor) {
        isPlain && !isFooter
            ? (.preferredFont(forTextStyle: .headline), .label)
            : (.preferredFont(forTextStyle: .footnote), .secondaryLabel)
    }

    private func makeLabel() -> UILabel {
        let label = UILabel()
        (label.font, label.textColor) = Self.look(isInPlainTable, isFooter)
        label.adjustsFontForContentSizeCategory = true
        label.numberOfLines = 0
        label.accessibilityTraits = isFooter ? .staticText : .header
        if labels.superview == nil { fill() }
        labels.addArrangedSubview(label)
        return label
    }

    private func fill() {
        labels.axis = .vertical
        labels.translatesAutoresizingMaskIntoConstraints = false
        contentView.addSubview(labels)
        margins = [
            labels.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 6),
            labels.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 16),
            contentView.trailingAnchor.constraint(equalTo: labels.trailingAnchor, constant: 16),
            contentView.bottomAnchor.constraint(equalTo: labels.bottomAnchor, constant: 6),
        ]
        NSLayoutConstraint.activate(margins)
    }

    /// Gives labels the look of another place, where the app has left that of the one before.
    private func restyle(from old: (font: UIFont, color: UIColor)) {
        let new = Self.look(isInPlainTable, isFooter)
        for case let label as UILabel in labels.arrangedSubviews {
            if label.font == old.font { label.font = new.font }
            if label.textColor == old.color { label.textColor = new.color }
            label.accessibilityTraits = isFooter ? .staticText : .header
        }
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        node.add(class: "header-footer")
        drawing.nodes[contentView.nodeID]?.add(class: "cell-content")
        if let id = backgroundConfiguration?.draw("\(nodeID).background", on: &node, in: drawing) {
            node.children.insert(id, at: 0)
        } else if isInPlainTable, backgroundColor == nil, backgroundView == nil {
            node.add(class: "bare")
        }
    }
}
