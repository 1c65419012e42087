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

    /// Asks for some rows anew.
    public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        for path in indexPaths { recycle(path) }
        setNeedsDisplay()
    }

    /// Reloads the rows of some sections; in browsers, those of all.
    public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
        reloadData()
    }

    /// Takes rows out, which the data source no longer has.
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        guard !needsReload else { return }
        for path in indexPaths { recycle(path, isLeaving: animation != .none) }
        geometry.remove(indexPaths)
        let removed = indexPaths.sorted()
        chosen.subtract(removed)
        shiftRows { path in
            IndexPath(row: path.row - removed.count { $0.section == path.section && $0 < path }, section: path.section)
        }
        setNeedsDisplay()
    }

    /// Puts rows in, which the data source already has.
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        guard !needsReload else { return }
        geometry.insert(indexPaths, height: estimate(indexPaths.first ?? IndexPath(row: 0, section: 0)))
        let inserted = indexPaths.sorted()
        shiftRows { path in
            var row = path.row
            for new in inserted where new.section == path.section && new.row <= row { row += 1 }
            return IndexPath(row: row, section: path.section)
        }
        if animation != .none { arriving += inserted }
        setNeedsDisplay()
    }

    /// Makes several changes as one: rows are taken out first, by their old places.
    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }

    /// Moves a row, as the data source already has it.
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        guard indexPath != newIndexPath else { return }
        deleteRows(at: [indexPath], with: .none)
        insertRows(at: [newIndexPath], with: .none)
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

    /// Begins changes that are made as one; browsers make each at once.
    public func beginUpdates() {}

    /// Ends changes that are made as one, and asks for heights again.
    public func endUpdates() {
        setNeedsDisplay()
    }

    private func shiftRows(_ move: (IndexPath) -> IndexPath) {
        live = Dictionary(live.map { (move($0.key), $0.value) }) { first, _ in first }
        arriving = arriving.map(move)
        chosen = Set(chosen.map(move))
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
