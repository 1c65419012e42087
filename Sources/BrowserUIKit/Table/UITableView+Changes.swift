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
        change { batch.places.reloaded.formUnion(indexPaths) }
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
    ///
    /// Rows of others stay chosen.
    public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
        change { batch.places.reloadedSections.formUnion(sections) }
    }

    /// Takes rows out, which the data source no longer has.
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        change {
            batch.places.removed.formUnion(indexPaths)
            if animation != .none { batch.leaving.formUnion(indexPaths) }
        }
    }

    /// Puts rows in, which the data source already has.
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        change {
            batch.places.inserted.formUnion(indexPaths)
            if animation != .none { batch.arriving.formUnion(indexPaths) }
        }
    }

    /// Makes changes that are known as a whole.
    func make(_ places: PlaceChanges, with animation: RowAnimation) {
        change {
            batch.places = places
            if animation != .none { (batch.leaving, batch.arriving) = (places.removed, places.inserted) }
        }
    }

    private func change(_ note: () -> Void) {
        guard !needsReload else { return }
        beginUpdates()
        note()
        endUpdates()
    }

    /// Makes several changes as one: in whatever order it is told, rows are taken out by their old places, and then put
    /// in by their new ones.
    ///
    /// As in UIKit, rows that the data source has then and that were not announced end the process. `completion` is
    /// called when the changes have been shown, and at once only where animations are switched off.
    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        beginUpdates()
        updates?()
        endUpdates()
        AnimationTime.afterUpdates(completion)
    }

    /// Moves a row, as the data source already has it; its cell goes with it.
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        guard indexPath != newIndexPath else { return }
        change { batch.places.moved[indexPath] = newIndexPath }
    }

    /// Puts sections in, which the data source already has; browsers exchange all rows.
    public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
        change { batch.places.insertedSections.formUnion(sections) }
    }

    /// Takes sections out, which the data source no longer has; browsers exchange all rows.
    public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        change { batch.places.removedSections.formUnion(sections) }
    }

    /// Moves a section, as the data source already has it; browsers exchange all rows.
    public func moveSection(_ section: Int, toSection newSection: Int) {
        guard section != newSection else { return }
        change { batch.places.movedSections[section] = newSection }
    }

    /// Begins changes that are made as one.
    public func beginUpdates() {
        batch.depth += 1
    }

    /// Ends changes that are made as one, and asks for the heights of cells again.
    public func endUpdates() {
        setNeedsDisplay()
        batch.depth = max(batch.depth - 1, 0)
        guard batch.depth == 0 else { return }
        let made = batch
        batch = RowBatch()
        guard !needsReload else { return }
        if !made.places.isEmpty { make(made) }
        guard !needsReload else { return }
        for path in made.reconfigured.compactMap(indexPath(for:)) { reconfigure(path) }
        for (path, cell) in live { setHeight(of: cell, at: path) }
    }

    private func make(_ made: RowBatch) {
        let places = made.places
        let problem = places.problem(from: geometry.sections, to: countRows())
        // safe: a table that shows other rows than there are would show wrong ones; such an app ends on iOS too
        precondition(problem == nil, problem ?? "")
        if places.hasSections { needsReload = true } else { makeRows(made) }
        chosen = Set(chosen.compactMap(places.place))
        prefetched = Set(prefetched.compactMap(places.place))
    }

    private func makeRows(_ made: RowBatch) {
        let places = made.places
        for path in places.removed.union(places.reloaded).sorted() {
            recycle(path, isLeaving: made.leaving.contains(path))
        }
        let heights = places.moved.map { old, new in
            (path: new, height: geometry.index(of: old).map(geometry.height(of:)) ?? 0)
        }
        geometry.remove(places.left.sorted())
        geometry.insert(places.came.sorted(), height: 0)
        let moved = live.compactMap { path, cell in places.place(of: path).map { ($0, cell) } }
        live = Dictionary(moved) { first, _ in first }
        arriving = arriving.compactMap(places.place) + places.inserted.intersection(made.arriving).sorted()
        // The delegate may ask the table while it says how high rows are.
        let estimates = places.inserted.sorted().map { (path: $0, height: estimate($0)) }
        geometry.set(heights + estimates)
    }

    func shiftRows(_ move: (IndexPath) -> IndexPath) {
        live = Dictionary(live.map { (move($0.key), $0.value) }) { first, _ in first }
        arriving = arriving.map(move)
        chosen = Set(chosen.map(move))
    }
}

/// Collects changes of rows that are made as one.
struct RowBatch {
    var depth = 0
    var places = PlaceChanges()
    /// The rows that leave gradually, by their old places.
    var leaving: Set<IndexPath> = []
    /// The rows that come gradually, by their new places.
    var arriving: Set<IndexPath> = []
    /// The cells of rows that stay, which are found by them when the others have moved.
    var reconfigured: [UITableViewCell] = []
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
