// Asks the data source for rows, and keeps cells for those that are on screen.
extension UITableView {
    func prefetch(after range: Range<Int>) {
        let next = range.upperBound..<min(range.upperBound + Self.prefetchCount, geometry.count)
        let new = next.map { geometry.path(at: $0) }.filter { !prefetched.contains($0) }
        guard !new.isEmpty, let prefetchDataSource else { return }
        prefetched.formUnion(new)
        prefetchDataSource.tableView(self, prefetchRowsAt: new)
    }

    func readRows() {
        needsReload = false
        prefetched = []
        for path in live.keys.sorted().reversed() { recycle(path) }
        let sections = (0..<(dataSource?.numberOfSections(in: self) ?? 0)).map {
            max(dataSource?.tableView(self, numberOfRowsInSection: $0) ?? 0, 0)
        }
        var rows: [IndexPath] = []
        for (section, count) in sections.enumerated() {
            rows += (0..<count).map { IndexPath(row: $0, section: section) }
        }
        hideEdges()
        geometry.reset(sections: sections, edge: { estimate($0, in: $1) }, height: { estimate(rows[$0]) })
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
        if chosen.contains(path) { cell.setSelected(true, animated: false) }
        if cell.isEditing != editing { cell.setEditing(editing, animated: false) }
        watchForMenus(cell, at: path)
        live[path] = cell
        addSubview(cell)
        tableDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
    }

    private func setHeight(of cell: UITableViewCell, at path: IndexPath) {
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
