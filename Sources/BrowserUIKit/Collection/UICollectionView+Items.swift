// Asks the data source for items, and keeps cells for those that are on screen.
extension UICollectionView {
    /// Returns where a cell is drawn: among the content, or in the part of it that scrolls across.
    func place(of path: IndexPath) -> GroupSolver.Place {
        var place = collectionViewLayout.place(at: path) ?? GroupSolver.Place(frame: .zero, isMeasured: false)
        if let row = collectionViewLayout.scrollingRows[path.section] { place.frame.origin.y -= row.frame.minY }
        return place
    }

    /// Asks the data source for the numbers of items again, and gives up all cells.
    func readItems() {
        needsReload = false
        needsArranging = true
        prefetched = []
        for path in live.keys.sorted().reversed() { recycle(path) }
        recycleViews()
        sectionCounts = countItems()
    }

    private func countItems() -> [Int] {
        let sections = max(dataSource?.numberOfSections(in: self) ?? 0, 0)
        return (0..<sections).map { max(dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0, 0) }
    }

    func arrangeIfNeeded() {
        if needsReload { readItems() }
        // One that was taken off the screen keeps its arrangement.
        let width = bounds.width > 0 ? bounds.width : arrangedWidth
        guard needsArranging || width != arrangedWidth || traitCollection != arrangedTraits else { return }
        if width != arrangedWidth || traitCollection != arrangedTraits { collectionViewLayout.forgetDecisions() }
        needsArranging = false
        arrangedWidth = width
        arrangedTraits = traitCollection
        collectionViewLayout.prepare(width: width - contentInset.left - contentInset.right)
    }

    func recycle(_ path: IndexPath) {
        guard let cell = live.removeValue(forKey: path) else { return }
        cell.removeFromSuperview()
        if let identifier = cell.reuseIdentifier, waiting[identifier, default: []].count < 24 {
            waiting[identifier, default: []].append((cell, path))
        }
        itemDelegate?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
    }

    func show(_ path: IndexPath) {
        guard let cell = dataSource?.collectionView(self, cellForItemAt: path) else { return }
        cell.isSelectable = choosesAny && itemDelegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
        cell.isSelected = chosen.contains(path)
        watchForMenus(cell, at: path)
        live[path] = cell
        addSubview(cell)
        if let attributes = layoutAttributesForItem(at: path) { cell.apply(attributes) }
        itemDelegate?.collectionView(self, willDisplay: cell, forItemAt: path)
    }

    // MARK: Changes

    func change(_ note: (inout PlaceChanges) -> Void) {
        guard !needsReload else { return }
        batch.depth += 1
        note(&batch.places)
        endUpdates()
    }

    func endUpdates() {
        batch.depth = max(batch.depth - 1, 0)
        guard batch.depth == 0 else { return }
        let places = batch.places
        batch.places = PlaceChanges()
        forgetDecisions()
        setNeedsArranging()
        if !needsReload, !places.isEmpty { make(places) }
    }

    private func make(_ places: PlaceChanges) {
        let counts = countItems()
        let problem = places.problem(from: sectionCounts, to: counts)
        // safe: a collection that shows other items than there are would show wrong ones; such an app ends on iOS too
        precondition(problem == nil, problem ?? "")
        sectionCounts = counts
        for path in live.keys.sorted() where places.place(of: path) == nil || places.reloaded.contains(path) {
            recycle(path)
        }
        recycleViews()
        let kept = live.compactMap { path, cell in places.place(of: path).map { ($0, cell) } }
        live = Dictionary(kept) { first, _ in first }
        chosen = Set(chosen.compactMap(places.place))
        prefetched = Set(prefetched.compactMap(places.place))
        collectionViewLayout.follow(places)
    }
}
