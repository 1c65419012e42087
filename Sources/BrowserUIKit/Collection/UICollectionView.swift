/// Shows items as a layout says, of which only those on screen and near it have cells.
open class UICollectionView: UIScrollView {
    /// Says in which direction a collection scrolls.
    public enum ScrollDirection: Int, Sendable {
        /// Up and down.
        case vertical = 0
        /// From side to side.
        case horizontal = 1
    }

    /// Says where an item is scrolled to.
    public struct ScrollPosition: OptionSet, Sendable {
        /// One bit a place.
        public let rawValue: UInt

        /// Creates places from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The top.
        public static let top = ScrollPosition(rawValue: 1 << 0)
        /// The middle.
        public static let centeredVertically = ScrollPosition(rawValue: 1 << 1)
        /// The bottom.
        public static let bottom = ScrollPosition(rawValue: 1 << 2)
        /// The left side.
        public static let left = ScrollPosition(rawValue: 1 << 3)
        /// The middle between the sides.
        public static let centeredHorizontally = ScrollPosition(rawValue: 1 << 4)
        /// The right side.
        public static let right = ScrollPosition(rawValue: 1 << 5)
    }

    /// The kind of the views that sections begin with.
    public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
    /// The kind of the views that sections end with.
    public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"

    /// The layout of the items.
    open var collectionViewLayout: UICollectionViewLayout {
        didSet {
            guard oldValue !== collectionViewLayout else { return }
            oldValue.collectionView = nil
            collectionViewLayout.collectionView = self
            recycleViews()
            setNeedsArranging()
        }
    }
    /// The object that provides the items.
    open weak var dataSource: (any UICollectionViewDataSource)? { didSet { reloadData() } }
    var sectionCounts: [Int] = []
    /// Whether items can be chosen.
    ///
    /// The default is `true`.
    open var allowsSelection = true
    /// Whether several items can be chosen at once.
    ///
    /// The default is `false`.
    open var allowsMultipleSelection = false
    /// Whether cells show what can be done with them beside their content.
    ///
    /// The default is `false`.
    open var isEditing = false { didSet { if isEditing != oldValue { editingChanged() } } }
    /// Whether items can be chosen while the collection is edited.
    ///
    /// The default is `false`.
    open var allowsSelectionDuringEditing = false { didSet { if isEditing { prepareForEditing() } } }
    /// Whether several items can be chosen at once while the collection is edited.
    ///
    /// The default is `false`.
    open var allowsMultipleSelectionDuringEditing = false { didSet { if isEditing { prepareForEditing() } } }
    var chosen: Set<IndexPath> = []
    /// Whether the delegate gives menus for items; `nil` until it was asked.
    var hasMenus: Bool?
    /// The view under the items, which does not scroll.
    ///
    /// The default is none.
    open var backgroundView: UIView? {
        didSet {
            guard oldValue !== backgroundView else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }
    var live: [IndexPath: UICollectionViewCell] = [:]
    var waiting: [String: [(cell: UICollectionViewCell, path: IndexPath)]] = [:]
    private var classes: [String: UICollectionViewCell.Type] = [:]
    /// The views that show no item, where they are on screen or near it.
    var liveViews: [CollectionElement: UICollectionReusableView] = [:]
    var viewClasses: [CollectionViewName: UICollectionReusableView.Type] = [:]
    var waitingViews: [CollectionViewName: [UICollectionReusableView]] = [:]
    var needsReload = true
    /// The item whose cell the data source brings up to date, and gets where it asks for one.
    var reconfigured: IndexPath?
    /// The changes that were begun and not ended.
    var batch = (depth: 0, places: PlaceChanges())
    var needsArranging = true
    var arrangedWidth: CGFloat = 0
    var arrangedTraits: UITraitCollection?

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

    /// The object that prepares items that will be shown soon.
    open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
    var prefetched: Set<IndexPath> = []

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
        if indexPath == reconfigured, let cell = live[indexPath], cell.reuseIdentifier == identifier { return cell }
        if var cells = waiting[identifier], !cells.isEmpty {
            let index = cells.firstIndex { $0.path == indexPath } ?? cells.count - 1
            let cell = cells.remove(at: index).cell
            waiting[identifier] = cells
            cell.prepareForReuse()
            cell.naming.isReused = true
            return cell
        }
        return (classes[identifier] ?? UICollectionViewCell.self).init(dequeuedWithReuseIdentifier: identifier)
    }

    /// Returns the cell of an item; `nil` where the item has none now.
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { live[indexPath] }

    /// Returns the item of a cell; `nil` for a cell that shows none.
    open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { live.first { $0.value === cell }?.key }

    /// The items on screen, in no order.
    open var indexPathsForVisibleItems: [IndexPath] {
        collectionViewLayout.paths(in: bounds).filter { live[$0] != nil }
    }

    /// The cells on screen.
    open var visibleCells: [UICollectionViewCell] { indexPathsForVisibleItems.sorted().compactMap { live[$0] } }

    // MARK: Items

    /// The number of sections.
    open var numberOfSections: Int {
        if needsReload { readItems() }
        return sectionCounts.count
    }

    /// Returns how many items a section has.
    open func numberOfItems(inSection section: Int) -> Int {
        if needsReload { readItems() }
        return sectionCounts.indices.contains(section) ? sectionCounts[section] : 0
    }

    /// Returns where an item is; `nil` where there is no such item.
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        arrangeIfNeeded()
        return collectionViewLayout.layoutAttributesForItem(at: indexPath)
    }

    /// Asks again for all items, at the end of the current turn at the latest; none is chosen any more.
    open func reloadData() {
        chosen = []
        forgetDecisions()
        needsReload = true
        setNeedsDisplay()
    }

    /// Asks again for some items.
    open func reloadItems(at indexPaths: [IndexPath]) {
        guard !indexPaths.isEmpty else { return }
        change { $0.reloaded.formUnion(indexPaths) }
    }

    /// Asks again for the items of some sections, and for how many there are.
    open func reloadSections(_ sections: IndexSet) {
        change { $0.reloadedSections.formUnion(sections) }
    }

    /// Changes items together: the data source has changed before, or in the closure.
    ///
    /// In whatever order it is told, items are taken out by their old places, and then put in by their new ones. As in
    /// UIKit, items that the data source has then and that were not announced end the process. `completion` is called
    /// when the changes have been shown, and at once only where animations are switched off.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        batch.depth += 1
        updates?()
        endUpdates()
        AnimationTime.afterUpdates(completion)
    }

    /// Adds items, which the data source has now.
    open func insertItems(at indexPaths: [IndexPath]) {
        change { $0.inserted.formUnion(indexPaths) }
    }

    /// Takes items out, which the data source no longer has.
    open func deleteItems(at indexPaths: [IndexPath]) {
        change { $0.removed.formUnion(indexPaths) }
    }

    /// Moves an item, as the data source already has it; its cell goes with it.
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        guard indexPath != newIndexPath else { return }
        change { $0.moved[indexPath] = newIndexPath }
    }

    /// Adds sections, which the data source has now.
    open func insertSections(_ sections: IndexSet) {
        change { $0.insertedSections.formUnion(sections) }
    }

    /// Takes sections out, which the data source no longer has.
    open func deleteSections(_ sections: IndexSet) {
        change { $0.removedSections.formUnion(sections) }
    }

    /// Moves a section, as the data source already has it.
    open func moveSection(_ section: Int, toSection newSection: Int) {
        guard section != newSection else { return }
        change { $0.movedSections[section] = newSection }
    }

    /// Scrolls to an item.
    open func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        guard let frame = layoutAttributesForItem(at: indexPath)?.frame else { return }
        let isMiddle = scrollPosition.contains(.centeredVertically)
        let share: CGFloat = isMiddle ? 0.5 : scrollPosition.contains(.bottom) ? 1 : 0
        setContentOffset(offset(showing: frame, at: share), animated: animated)
    }

    /// Exchanges the layout.
    open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
        collectionViewLayout = layout
    }

    func setNeedsArranging() {
        needsArranging = true
        setNeedsDisplay()
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
            live[path]?.place = place(of: path)
            live[path]?.list = collectionViewLayout.list(at: path)
        }
        showViews(in: bounds.insetBy(dx: 0, dy: -UITableView.margin))
        prefetch()
        collectionViewLayout.tellVisible(live, in: bounds)
    }

    // MARK: Drawing

    override func draw(_ node: inout Node, in drawing: Drawing) {
        drawScrolling(&node, in: drawing)
        if let background = collectionViewLayout.background, backgroundColor == .systemBackground {
            node.style["background-color"] = background.css
        }
        var content = Node(tag: "div", attributes: ["class": "v content"])
        let others = subviews.filter { !($0 is UICollectionReusableView) }
        content.children = ConstraintLayout.arrange(others, of: self, in: drawing, container: &content)
        content.children += drawViews(in: drawing)
        let rows = collectionViewLayout.scrollingRows
        let paths = live.keys.sorted()
        content.children += paths.filter { rows[$0.section] == nil }.compactMap { live[$0]?.renderReused(drawing) }
        for (section, row) in rows.sorted(by: { $0.key < $1.key }) {
            let cells = paths.filter { $0.section == section }.compactMap { live[$0] }
            if !cells.isEmpty { content.children.append(draw(row, section, cells, in: drawing)) }
        }
        content.style["height"] = CSS.points(collectionViewLayout.collectionViewContentSize.height)
        drawing.nodes["\(nodeID).content"] = content
        node.children.append("\(nodeID).content")
    }

    override func take(_ report: ScrollReport) {
        super.take(report)
        let cells = live.map { (CollectionElement(kind: nil, path: $0), $1 as UICollectionReusableView) }
        for (element, view) in cells + Array(liveViews) where view.place?.isMeasured == true {
            guard let height = report.rows[view.nodeID] else { continue }
            if view.place?.fittingWidth != nil {
                let size = CGSize(width: report.widths[view.nodeID] ?? 0, height: height)
                if collectionViewLayout.note(size, of: view, at: element.path) { setNeedsArranging() }
                continue
            }
            if collectionViewLayout.note(height, of: element) { setNeedsArranging() }
        }
        setNeedsDisplay()
    }
}
