// Asks the data source for rows, and keeps cells for those that are on screen.
extension UITableView {
    /// Has the rows prepared that come next below those with cells, and no longer those that were passed over.
    func prefetch(after range: Range<Int>) {
        guard let prefetchDataSource else { return }
        let next = range.upperBound..<min(range.upperBound + Self.prefetchCount, geometry.count)
        let wanted = Set(next.map { geometry.path(at: $0) })
        let new = wanted.subtracting(prefetched).sorted()
        let gone = prefetched.subtracting(wanted).filter { live[$0] == nil }.sorted()
        prefetched = wanted
        if !new.isEmpty { prefetchDataSource.tableView(self, prefetchRowsAt: new) }
        if !gone.isEmpty { prefetchDataSource.tableView(self, cancelPrefetchingForRowsAt: gone) }
    }

    func readRows() {
        needsReload = false
        prefetched = []
        for path in live.keys.sorted().reversed() { recycle(path) }
        let sections = countRows()
        var rows: [IndexPath] = []
        for (section, count) in sections.enumerated() {
            rows += (0..<count).map { IndexPath(row: $0, section: section) }
        }
        hideEdges()
        // The app may ask the table for its new numbers while it says how high rows are.
        var next = geometry
        geometry = RowGeometry(counting: sections)
        next.reset(sections: sections, edge: { estimate($0, in: $1) }, height: { estimate(rows[$0]) })
        geometry = next
    }

    /// Asks the data source how many rows each section has.
    func countRows() -> [Int] {
        let sections = max(dataSource?.numberOfSections(in: self) ?? 0, 0)
        return (0..<sections).map { max(dataSource?.tableView(self, numberOfRowsInSection: $0) ?? 0, 0) }
    }

    func estimate(_ path: IndexPath) -> CGFloat {
        let height = tableDelegate?.tableView(self, heightForRowAt: path) ?? rowHeight
        if height >= 0 { return height }
        let estimate = tableDelegate?.tableView(self, estimatedHeightForRowAt: path) ?? estimatedRowHeight
        return estimate > 0 ? estimate : 44
    }

    func recycle(_ path: IndexPath, isLeaving: Bool = false) {
        guard let cell = live.removeValue(forKey: path) else { return }
        cell.removeFromSuperview()
        if isLeaving { leaving.append((cell, path)) } else { reuse.put(cell, as: cell.reuseIdentifier, from: path) }
        tableDelegate?.tableView(self, didEndDisplaying: cell, forRowAt: path)
    }

    func show(_ path: IndexPath) {
        guard let dataSource else { return }
        let cell = dataSource.tableView(self, cellForRowAt: path)
        setHeight(of: cell, at: path)
        cell.hasSeparator = separatorStyle == .singleLine
        cell.tableSeparatorInset = separatorInset
        cell.swipeActions = swipeActions(for: path, cell: cell)
        cell.leadingActions = leadingActions(for: path)
        prepareForEditing(cell, at: path)
        // A cell that the app brings back by its own means may still have the choice of its last row.
        if cell.isSelected != chosen.contains(path) { cell.setSelected(chosen.contains(path), animated: false) }
        if cell.isEditing != editing { cell.setEditing(editing, animated: false) }
        watchForMenus(cell, at: path)
        live[path] = cell
        addSubview(cell)
        tableDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
    }

    func setHeight(of cell: UITableViewCell, at path: IndexPath) {
        let height = tableDelegate?.tableView(self, heightForRowAt: path) ?? rowHeight
        cell.fixedHeight = height >= 0 ? height : nil
        if height >= 0, let index = geometry.index(of: path) { geometry.set(height, at: index) }
    }

    /// Has the data source bring the cell of a row up to date; one that gives another cell has the row shown again.
    func reconfigure(_ path: IndexPath) {
        guard let dataSource, let cell = live[path] else { return }
        reconfigured = path
        let given = dataSource.tableView(self, cellForRowAt: path)
        reconfigured = nil
        if given === cell { setHeight(of: cell, at: path) } else { recycle(path) }
        setNeedsDisplay()
    }
}
