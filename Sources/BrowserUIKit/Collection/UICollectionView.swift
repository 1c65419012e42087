/// Shows items as a layout says, of which only those on screen and near it have cells.
open class UICollectionView: UIScrollView {
    /// Where the items are.
    open var collectionViewLayout: UICollectionViewLayout {
        didSet {
            oldValue.collectionView = nil
            collectionViewLayout.collectionView = self
            setNeedsArranging()
        }
    }
    /// Who gives the items.
    open weak var dataSource: (any UICollectionViewDataSource)? { didSet { reloadData() } }
    private(set) var sectionCounts: [Int] = []
    private var live: [IndexPath: UICollectionViewCell] = [:]
    private var waiting: [String: [(cell: UICollectionViewCell, path: IndexPath)]] = [:]
    private var classes: [String: UICollectionViewCell.Type] = [:]
    private var needsReload = true
    private var needsArranging = true
    private var arrangedWidth: CGFloat = 0
    private var arrangedTraits: UITraitCollection?

    /// Creates a collection with a layout.
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        collectionViewLayout = layout
        super.init(frame: frame)
        backgroundColor = .systemBackground
        layout.collectionView = self
    }

    /// Creates a collection from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        collectionViewLayout = UICollectionViewFlowLayout()
        super.init(coder: coder)
        collectionViewLayout.collectionView = self
    }

    var itemDelegate: (any UICollectionViewDelegate)? { delegate as? any UICollectionViewDelegate }
    var flowDelegate: (any UICollectionViewDelegateFlowLayout)? {
        delegate as? any UICollectionViewDelegateFlowLayout
    }

    /// The visible part of the content; before the browser has measured it, the screen's size.
    open override var bounds: CGRect {
        get {
            guard viewport == .zero, let environment = screen?.environment else { return super.bounds }
            return CGRect(x: 0, y: contentOffset.y, width: environment.width, height: environment.height)
        }
        set { super.bounds = newValue }
    }

    // MARK: Cells

    /// Says which class makes the cells of an identifier.
    open func register(_ cellClass: UICollectionViewCell.Type?, forCellWithReuseIdentifier identifier: String) {
        classes[identifier] = cellClass
    }

    /// Returns a cell that waits for use, or a new one of the registered class.
    ///
    /// Without a registered class it returns a plain cell, where iOS stops the app.
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionViewCell {
        if var cells = waiting[identifier], !cells.isEmpty {
            let index = cells.firstIndex { $0.path == indexPath } ?? cells.count - 1
            let cell = cells.remove(at: index).cell
            waiting[identifier] = cells
            cell.prepareForReuse()
            return cell
        }
        let cell = (classes[identifier] ?? UICollectionViewCell.self).init(frame: .zero)
        cell.reuseIdentifier = identifier
        return cell
    }

    /// Returns the cell of an item; `nil` where the item has none now.
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { live[indexPath] }

    /// Returns the item of a cell; `nil` for a cell that shows none.
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { live.first { $0.value === cell }?.key }

    /// The items on screen, in no order.
    open var indexPathsForVisibleItems: [IndexPath] {
        collectionViewLayout.paths(in: bounds).filter { live[$0] != nil }
    }

    // MARK: Items

    /// How many sections there are.
    open var numberOfSections: Int { sectionCounts.count }

    /// Returns how many items a section has.
    open func numberOfItems(inSection section: Int) -> Int {
        sectionCounts.indices.contains(section) ? sectionCounts[section] : 0
    }

    /// Returns where an item is; `nil` where there is no such item.
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        collectionViewLayout.layoutAttributesForItem(at: indexPath)
    }

    /// Asks for all items anew, at the end of the current turn at the latest.
    open func reloadData() {
        needsReload = true
        setNeedsDisplay()
    }

    /// Asks for some items anew.
    open func reloadItems(at indexPaths: [IndexPath]) {
        for path in indexPaths { recycle(path) }
        setNeedsDisplay()
    }

    /// Marks an item as no longer chosen.
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {
        live[indexPath]?.isSelected = false
    }

    func setNeedsArranging() {
        needsArranging = true
        setNeedsDisplay()
    }

    func select(_ cell: UICollectionViewCell) -> Bool {
        guard cell.isSelectable, let path = indexPath(for: cell) else { return false }
        cell.isSelected = true
        itemDelegate?.collectionView(self, didSelectItemAt: path)
        return true
    }

    // MARK: Keeping cells for what is on screen

    /// Brings cells in line with the items that are on screen or near it.
    open override func layoutSubviews() {
        super.layoutSubviews()
        arrangeIfNeeded()
        let wanted = Set(collectionViewLayout.paths(in: bounds.insetBy(dx: 0, dy: -UITableView.margin)))
        for path in live.keys.sorted() where !wanted.contains(path) { recycle(path) }
        for path in wanted.sorted() {
            if live[path] == nil { show(path) }
            live[path]?.place = collectionViewLayout.layoutAttributesForItem(at: path)?.frame ?? .zero
        }
    }

    private func arrangeIfNeeded() {
        if needsReload {
            needsReload = false
            needsArranging = true
            for path in live.keys.sorted().reversed() { recycle(path) }
            let sections = dataSource?.numberOfSections(in: self) ?? 0
            sectionCounts = (0..<sections).map {
                max(dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0, 0)
            }
        }
        let width = bounds.width
        guard needsArranging || width != arrangedWidth || traitCollection != arrangedTraits else { return }
        needsArranging = false
        arrangedWidth = width
        arrangedTraits = traitCollection
        collectionViewLayout.prepare(width: width - contentInset.left - contentInset.right)
    }

    private func recycle(_ path: IndexPath) {
        guard let cell = live.removeValue(forKey: path) else { return }
        cell.removeFromSuperview()
        if let identifier = cell.reuseIdentifier, waiting[identifier, default: []].count < 24 {
            waiting[identifier, default: []].append((cell, path))
        }
        itemDelegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
    }

    private func show(_ path: IndexPath) {
        guard let cell = dataSource?.collectionView(self, cellForItemAt: path) else { return }
        cell.isSelectable = itemDelegate?.collectionView(self, shouldHighlightItemAt: path) ?? false
        live[path] = cell
        addSubview(cell)
        itemDelegate?.collectionView(self, willDisplay: cell, forItemAt: path)
    }

    // MARK: Drawing

    override func draw(_ node: inout Node, in drawing: Drawing) {
        drawScrolling(&node, in: drawing)
        var content = Node(tag: "div", attributes: ["class": "v content"])
        let others = subviews.filter { !($0 is UICollectionViewCell) }
        content.children = ConstraintLayout.arrange(others, of: self, in: drawing, container: &content)
        content.children += live.keys.sorted().compactMap { live[$0]?.render(drawing) }
        content.style["height"] = CSS.points(collectionViewLayout.collectionViewContentSize.height)
        drawing.nodes["\(nodeID).content"] = content
        node.children.append("\(nodeID).content")
    }

    override func take(_ report: ScrollReport) {
        super.take(report)
        setNeedsDisplay()
    }
}

extension UICollectionView {
    /// Says which class makes the cells of items, and how a cell shows its item.
    public struct CellRegistration<Cell, Item> where Cell: UICollectionViewCell {
        /// Brings a cell in line with its item.
        public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void

        let handler: Handler
        let identifier = "registration-\(UUID().uuidString)"

        /// Creates a registration.
        public init(handler: @escaping Handler) {
            self.handler = handler
        }
    }

    /// Returns a cell for an item, as its registration says.
    public func dequeueConfiguredReusableCell<Cell, Item>(
        using registration: CellRegistration<Cell, Item>,
        for indexPath: IndexPath,
        item: Item?
    ) -> Cell {
        register(Cell.self, forCellWithReuseIdentifier: registration.identifier)
        let dequeued = dequeueReusableCell(withReuseIdentifier: registration.identifier, for: indexPath)
        let cell = dequeued as? Cell ?? Cell(frame: .zero)
        if let item { registration.handler(cell, indexPath, item) }
        return cell
    }
}
