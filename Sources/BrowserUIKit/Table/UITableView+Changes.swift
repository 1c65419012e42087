extension UITableView {
    /// Says how a change of rows is shown; browsers fade.
    public enum RowAnimation: Int, Sendable {
        /// Fading.
        case fade = 0
        /// To the right.
        case right = 1
        /// To the left.
        case left = 2
        /// Upwards.
        case top = 3
        /// Downwards.
        case bottom = 4
        /// Not at all.
        case none = 5
        /// From the middle.
        case middle = 6
        /// As the table thinks best.
        case automatic = 100
    }

    /// Asks for some rows again.
    public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        for path in indexPaths { recycle(path) }
        setNeedsDisplay()
    }

    /// Has the data source bring the cells of some rows up to date, which stay.
    ///
    /// It has to ask for the cell with the place of the row, `dequeueReusableCell(withIdentifier:for:)`.
    public func reconfigureRows(at indexPaths: [IndexPath]) {
        guard !needsReload else { return }
        beginUpdates()
        batch.reconfigured += indexPaths.compactMap { live[$0] }
        endUpdates()
    }

    /// Reloads the rows of some sections; in browsers, those of all.
    public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
        reloadData()
    }

    /// Takes rows out, which the data source no longer has.
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        change { batch.removed.append((indexPaths, animation)) }
    }

    /// Puts rows in, which the data source already has.
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        change { batch.inserted.append((indexPaths, animation)) }
    }

    private func change(_ note: () -> Void) {
        guard !needsReload else { return }
        beginUpdates()
        note()
        endUpdates()
    }

    private func takeOut(_ indexPaths: [IndexPath], animated: Set<IndexPath>) {
        for path in indexPaths { recycle(path, isLeaving: animated.contains(path)) }
        geometry.remove(indexPaths)
        let removed = indexPaths.sorted()
        chosen.subtract(removed)
        shiftRows { path in
            IndexPath(row: path.row - removed.count { $0.section == path.section && $0 < path }, section: path.section)
        }
    }

    private func putIn(_ indexPaths: [IndexPath], animated: Set<IndexPath>) {
        guard let first = indexPaths.first else { return }
        geometry.insert(indexPaths, height: estimate(first))
        let inserted = indexPaths.sorted()
        shiftRows { path in
            var row = path.row
            for new in inserted where new.section == path.section && new.row <= row { row += 1 }
            return IndexPath(row: row, section: path.section)
        }
        arriving += inserted.filter(animated.contains)
    }

    /// Makes several changes as one: in whatever order it is told, rows are taken out by their old places, and then put
    /// in by their new ones.
    ///
    /// As in UIKit, rows that the data source has then and that were not announced end the process.
    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        beginUpdates()
        updates?()
        endUpdates()
        completion?(true)
    }

    /// Moves a row, as the data source already has it.
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        guard indexPath != newIndexPath else { return }
        beginUpdates()
        deleteRows(at: [indexPath], with: .none)
        insertRows(at: [newIndexPath], with: .none)
        endUpdates()
    }

    /// Puts sections in, which the data source already has; browsers exchange all rows.
    public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
        reloadData()
    }

    /// Takes sections out, which the data source no longer has; browsers exchange all rows.
    public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        reloadData()
    }

    /// Moves a section, as the data source already has it; browsers exchange all rows.
    public func moveSection(_ section: Int, toSection newSection: Int) {
        reloadData()
    }

    /// Begins changes that are made as one.
    public func beginUpdates() {
        batch.depth += 1
    }

    /// Ends changes that are made as one, and asks for heights again.
    public func endUpdates() {
        setNeedsDisplay()
        batch.depth = max(batch.depth - 1, 0)
        guard batch.depth == 0 else { return }
        let made = batch
        batch = RowBatch()
        guard !needsReload else { return }
        defer { for path in made.reconfigured.compactMap(indexPath(for:)) { reconfigure(path) } }
        guard !made.isEmpty else { return }
        takeOut(RowBatch.paths(made.removed), animated: RowBatch.animated(made.removed))
        putIn(RowBatch.paths(made.inserted), animated: RowBatch.animated(made.inserted))
        for section in Set(made.sections) { check(section) }
    }

    /// A table that shows other rows than there are would show the wrong card, or read beyond the end.
    private func check(_ section: Int) {
        guard let dataSource, geometry.sections.indices.contains(section) else { return }
        let (shown, count) = (geometry.sections[section], dataSource.tableView(self, numberOfRowsInSection: section))
        // safe: an app that tells a table of other rows than it has is wrong, and ends on iOS too
        precondition(shown == count, "Section \(section) has \(count) rows after the update, and not \(shown).")
    }

    func shiftRows(_ move: (IndexPath) -> IndexPath) {
        live = Dictionary(live.map { (move($0.key), $0.value) }) { first, _ in first }
        arriving = arriving.map(move)
        chosen = Set(chosen.map(move))
    }
}

/// Collects changes of rows that are made as one.
struct RowBatch {
    typealias Change = (paths: [IndexPath], animation: UITableView.RowAnimation)

    var depth = 0
    /// By their old places.
    var removed: [Change] = []
    /// By their new places.
    var inserted: [Change] = []
    /// The cells of rows that stay, which are found by them when the others have moved.
    var reconfigured: [UITableViewCell] = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }
    var sections: [Int] { Self.paths(removed + inserted).map(\.section) }

    /// Each place once, however often it was named.
    static func paths(_ changes: [Change]) -> [IndexPath] { Set(changes.flatMap { $0.paths }).sorted() }

    static func animated(_ changes: [Change]) -> Set<IndexPath> {
        Set(changes.filter { $0.animation != .none }.flatMap { $0.paths })
    }
}

/// Tells the page which rows leave and arrive, so that it shows that gradually.
struct RowChanges {
    private var count = 0
    private var attributes: [String: String] = [:]

    /// Takes note of the changes of one drawing.
    mutating func note(leaving: [String], arriving: [String]) {
        for (name, ids) in [("data-leaving", leaving), ("data-arriving", arriving)] where !ids.isEmpty {
            count += 1
            attributes[name] = "\(count):" + ids.joined(separator: ",")
        }
    }

    func draw(_ node: inout Node) {
        node.attributes.merge(attributes) { $1 }
    }
}

extension UITableView {
    /// Lets plain cells be made for an identifier: browsers have no nib files.
    public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
        register(nib == nil ? nil : UITableViewCell.self as UITableViewCell.Type, forCellReuseIdentifier: identifier)
    }
}
