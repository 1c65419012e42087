/// Shows rows, of which only those on screen and near it have cells.
open class UITableView: UIScrollView {
    /// Says how a table looks.
    public enum Style: Int, Sendable {
        /// Rows from edge to edge.
        case plain = 0
        /// Rows in groups.
        case grouped = 1
        /// Rows in groups with room at the sides.
        case insetGrouped = 2
    }

    /// Says where a row is scrolled to.
    public enum ScrollPosition: Int, Sendable {
        /// Anywhere.
        case none = 0
        /// The top.
        case top = 1
        /// The middle.
        case middle = 2
        /// The bottom.
        case bottom = 3
    }

    /// Stands for heights that follow from the content.
    public static let automaticDimension: CGFloat = -1
    /// The distance beyond the screen at which rows have cells, so that scrolling finds them drawn; in points.
    static let margin: CGFloat = 320
    /// The number of rows beyond those that are prepared.
    static let prefetchCount = 4

    /// The look.
    public let style: Style
    /// The object that provides the rows.
    open weak var dataSource: (any UITableViewDataSource)? {
        didSet {
            leavesEditingOpen = false
            reloadData()
        }
    }
    /// Whether the data source does not say which rows can be edited.
    var leavesEditingOpen = false
    /// The object that prepares rows that will be shown soon.
    open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
    /// The height of rows.
    ///
    /// The default follows from the content.
    open var rowHeight: CGFloat = automaticDimension
    /// The approximate height of rows.
    ///
    /// The default leaves that to the table.
    open var estimatedRowHeight: CGFloat = automaticDimension
    /// The style of the lines between rows.
    ///
    /// The default is by a line.
    open var separatorStyle = UITableViewCell.SeparatorStyle.singleLine { didSet { reloadData() } }
    /// The room beside the lines between rows, where a cell has none of its own.
    ///
    /// The default is 16 at the start.
    open var separatorInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 0) { didSet { reloadData() } }
    /// Whether rows can be chosen.
    ///
    /// The default is `true`.
    open var allowsSelection = true
    /// Whether several rows can be chosen at once.
    ///
    /// The default is `false`.
    open var allowsMultipleSelection = false
    /// Whether rows can be chosen while the table is edited.
    ///
    /// The default is `false`.
    open var allowsSelectionDuringEditing = false { didSet { if editing { prepareForEditing() } } }
    /// Whether several rows can be chosen at once while the table is edited, by circles before their content.
    ///
    /// The default is `false`.
    open var allowsMultipleSelectionDuringEditing = false { didSet { if editing { prepareForEditing() } } }
    var chosen: Set<IndexPath> = []
    /// Whether rows show what can be done with them beside their content.
    ///
    /// The default is `false`.
    open var isEditing: Bool {
        get { editing }
        set { setEditing(newValue, animated: false) }
    }
    var editing = false
    /// Whether the delegate gives menus for rows; `nil` until it was asked.
    var hasMenus: Bool?
    /// The colour of the lines between rows; `nil` stands for that of the system.
    ///
    /// The default is `nil`.
    open var separatorColor: UIColor? { didSet { setNeedsDisplay() } }
    /// The height of headers of sections; in a plain table 0 leaves them out.
    ///
    /// The default follows from the content.
    open var sectionHeaderHeight: CGFloat = automaticDimension { didSet { reloadData() } }
    /// The height of footers of sections; in a plain table 0 leaves them out.
    ///
    /// The default follows from the content.
    open var sectionFooterHeight: CGFloat = automaticDimension { didSet { reloadData() } }
    /// The approximate height of headers of sections.
    ///
    /// The default leaves that to the table.
    open var estimatedSectionHeaderHeight: CGFloat = automaticDimension
    /// The approximate height of footers of sections.
    ///
    /// The default leaves that to the table.
    open var estimatedSectionFooterHeight: CGFloat = automaticDimension
    /// The room above headers of sections of a plain table.
    ///
    /// The default is that of the system: 22.
    open var sectionHeaderTopPadding: CGFloat = automaticDimension { didSet { setNeedsDisplay() } }
    /// Whether rows keep to the width that long text reads well in; browsers keep the width of the table.
    ///
    /// The default is `false`.
    open var cellLayoutMarginsFollowReadableWidth = false
    /// The view under the rows, which does not scroll.
    ///
    /// The default is none.
    open var backgroundView: UIView? {
        didSet {
            guard oldValue !== backgroundView else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }

    /// The view above the rows, which scrolls with them; its frame says how high it is.
    ///
    /// The default is none.
    open var tableHeaderView: UIView? { didSet { exchange(oldValue, for: tableHeaderView) } }
    /// The view below the rows, which scrolls with them; its frame says how high it is.
    ///
    /// The default is none.
    open var tableFooterView: UIView? { didSet { exchange(oldValue, for: tableFooterView) } }
    /// The height of the header, as the browser measured it.
    var headerHeight: CGFloat = 0

    var geometry = RowGeometry()
    var live: [IndexPath: UITableViewCell] = [:]
    var reuse = ReuseQueue<UITableViewCell, IndexPath>()
    let edges = SectionEdges()
    var prefetched: Set<IndexPath> = []
    private var classes: [String: UITableViewCell.Type] = [:]
    var needsReload = true
    /// Cells of rows that are leaving: no row may have them before the page knows that they left.
    var leaving: [(cell: UITableViewCell, path: IndexPath)] = []
    var arriving: [IndexPath] = []
    var changes: [Int: RowChanges] = [:]
    /// The changes that were begun and not ended.
    var batch = RowBatch()
    private(set) var madeCellCount = 0
    /// The row whose cell the data source brings up to date, and gets where it asks for one.
    var reconfigured: IndexPath?

    /// Creates a table.
    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
        backgroundColor = style == .plain ? .systemBackground : .systemGroupedBackground
    }

    /// Creates a plain table.
    public override convenience init(frame: CGRect) {
        self.init(frame: frame, style: .plain)
    }

    /// Creates a table from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    override var scrollerID: String { "\(nodeID).scroll" }
    var tableDelegate: (any UITableViewDelegate)? { delegate as? any UITableViewDelegate }

    // MARK: Cells

    /// Says which class makes the cells of an identifier.
    open func register(_ cellClass: UITableViewCell.Type?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass
    }

    /// Returns a cell that waits for use, or a new one of the registered class; `nil` where none is registered.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        dequeue(identifier, for: nil)
    }

    /// Returns a cell that waits for use, or a new one of the registered class.
    ///
    /// Without a registered class it returns a plain cell, where iOS stops the app.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        dequeue(identifier, for: indexPath) ?? UITableViewCell(style: .default, reuseIdentifier: identifier)
    }

    private func dequeue(_ identifier: String, for path: IndexPath?) -> UITableViewCell? {
        if let path, path == reconfigured, let cell = live[path], cell.reuseIdentifier == identifier { return cell }
        if let cell = reuse.take(identifier, for: path) {
            cell.prepareForReuse()
            cell.naming.isReused = true
            return cell
        }
        guard let cellClass = classes[identifier] else { return nil }
        madeCellCount += 1
        return cellClass.init(dequeuedWithReuseIdentifier: identifier)
    }

    /// Returns the cell of a row; `nil` where the row has none now.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { live[indexPath] }

    /// Returns the row of a cell; `nil` for a cell that shows none.
    open func indexPath(for cell: UITableViewCell) -> IndexPath? {
        live.first { $0.value === cell }?.key
    }

    /// The rows on screen.
    open var indexPathsForVisibleRows: [IndexPath]? {
        visibleRange.map { geometry.path(at: $0) }.filter { live[$0] != nil }
    }

    /// The cells on screen.
    open var visibleCells: [UITableViewCell] { (indexPathsForVisibleRows ?? []).compactMap { live[$0] } }

    // MARK: Rows

    /// The number of sections.
    open var numberOfSections: Int {
        if needsReload { readRows() }
        return geometry.sections.count
    }

    /// Returns how many rows a section has.
    open func numberOfRows(inSection section: Int) -> Int {
        if needsReload { readRows() }
        return geometry.sections.indices.contains(section) ? geometry.sections[section] : 0
    }

    /// Returns the rectangle of a row among the content.
    open func rectForRow(at indexPath: IndexPath) -> CGRect {
        if needsReload { readRows() }
        guard let index = geometry.index(of: indexPath) else { return .zero }
        let start = geometry.start(of: index) + headerHeight
        return CGRect(x: 0, y: start, width: bounds.width, height: geometry.height(of: index))
    }

    /// Lets rows show what can be done with them, or no longer.
    open func setEditing(_ editing: Bool, animated: Bool) {
        guard self.editing != editing else { return }
        self.editing = editing
        prepareForEditing()
        if allowsMultipleSelectionDuringEditing { selectRow(at: nil, animated: animated, scrollPosition: .none) }
        for cell in live.values { cell.setEditing(editing, animated: animated) }
        setNeedsDisplay()
    }

    /// Asks for all rows again, at the end of the current turn at the latest; none is chosen any more.
    open func reloadData() {
        chosen = []
        needsReload = true
        setNeedsDisplay()
    }

    /// Marks a row as no longer chosen.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        chosen.remove(indexPath)
        live[indexPath]?.setSelected(false, animated: animated)
    }

    /// Marks a row as chosen, in place of the one before unless several may be, and scrolls to it where a place is
    /// given; the delegate is not told.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        if indexPath == nil || !choosesSeveral {
            for path in chosen { deselectRow(at: path, animated: animated) }
        }
        guard let indexPath else { return }
        chosen.insert(indexPath)
        live[indexPath]?.setSelected(true, animated: animated)
        if scrollPosition != .none { scrollToRow(at: indexPath, at: scrollPosition, animated: animated) }
    }

    /// Scrolls to a row: below the header of its section, where that stays on screen.
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        let share: CGFloat = scrollPosition == .middle ? 0.5 : scrollPosition == .bottom ? 1 : 0
        var rect = rectForRow(at: indexPath)
        if style == .plain, share == 0, geometry.index(of: indexPath) != nil {
            let covered = geometry.height(of: .header, in: indexPath.section)
            rect.origin.y -= covered
            rect.size.height += covered
        }
        guard scrollPosition != .none else { return scrollRectToVisible(rect, animated: animated) }
        setContentOffset(offset(showing: rect, at: share), animated: animated)
    }

    // MARK: Keeping cells for what is on screen

    var visibleHeight: CGFloat {
        viewport.height > 0 ? viewport.height : screen?.environment.height ?? 800
    }

    private var visibleRange: Range<Int> {
        let start = contentOffset.y - headerHeight
        return geometry.rows(from: start, to: start + visibleHeight)
    }

    /// Brings cells in line with the rows that are on screen or near it.
    open override func layoutSubviews() {
        super.layoutSubviews()
        if needsReload { readRows() }
        let start = contentOffset.y - headerHeight
        showEdges(from: start - Self.margin, to: start + visibleHeight + Self.margin)
        let range = geometry.rows(from: start - Self.margin, to: start + visibleHeight + Self.margin)
        let wanted = Set(range.map { geometry.path(at: $0) })
        for path in live.keys.sorted() where !wanted.contains(path) { recycle(path) }
        for path in wanted.sorted() where live[path] == nil { show(path) }
        reuse.trim(to: 12)
        prefetch(after: range)
    }

    // MARK: Drawing

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: style == .plain ? "table" : style == .grouped ? "table grouped" : "table inset-grouped")
        let others = subviews.filter {
            !($0 is UITableViewCell) && !edges.shows($0) && $0 !== tableHeaderView && $0 !== tableFooterView
        }
        node.children = ConstraintLayout.arrange(others, of: self, in: drawing, container: &node)
        var scroller = Node(tag: "div", attributes: ["class": "scroller"])
        drawScrolling(&scroller, in: drawing)
        if let tableHeaderView { scroller.children.append(drawEdge(tableHeaderView, "table-header", in: drawing)) }
        scroller.children.append(drawRows(in: drawing))
        if let tableFooterView { scroller.children.append(drawEdge(tableFooterView, "table-footer", in: drawing)) }
        drawing.nodes[scrollerID] = scroller
        node.children.append(scrollerID)
    }

    override func take(_ report: ScrollReport) {
        headerHeight = tableHeaderView == nil ? 0 : report.headerHeight
        takeEdges(report)
        for (path, cell) in live where cell.fixedHeight == nil {
            guard let height = report.rows[cell.nodeID], let index = geometry.index(of: path) else { continue }
            geometry.set(height, at: index)
        }
        super.take(report)
        setNeedsDisplay()
    }
}
