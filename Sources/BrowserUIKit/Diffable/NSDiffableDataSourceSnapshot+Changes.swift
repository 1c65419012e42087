extension NSDiffableDataSourceSnapshot {
    /// Returns how a list comes from what another snapshot shows to what this one does; `nil` where sections change
    /// places or are asked for again, for which it asks for all cells.
    func changes(from old: Self) -> PlaceChanges? {
        let (kept, sections) = (Set(old.sectionIdentifiers), Set(sectionIdentifiers))
        guard reloadedSectionIdentifiers.isEmpty,
            old.sectionIdentifiers.filter(sections.contains) == sectionIdentifiers.filter(kept.contains)
        else { return nil }
        var changes = PlaceChanges()
        let gone = old.sectionIdentifiers.enumerated().filter { !sections.contains($0.element) }
        changes.removedSections = Set(gone.map(\.offset))
        let new = sectionIdentifiers.enumerated().filter { !kept.contains($0.element) }
        changes.insertedSections = Set(new.map(\.offset))
        let (before, after) = (old.places, places)
        for (item, path) in before where !changes.removedSections.contains(path.section) && after[item] == nil {
            changes.removed.insert(path)
        }
        for (item, path) in after where !changes.insertedSections.contains(path.section) && before[item] == nil {
            changes.inserted.insert(path)
        }
        let staying = Set(sectionIdentifiers.flatMap { stayingItems(in: $0, old, after) })
        for (item, path) in before where !staying.contains(item) {
            if let new = after[item] { changes.moved[path] = new }
        }
        changes.reloaded = Set(reloadedItemIdentifiers.compactMap { before[$0] })
        return changes.problem(from: old.counts, to: counts) == nil ? changes : nil
    }

    private var counts: [Int] { sectionIdentifiers.map(numberOfItems(inSection:)) }

    /// The places of all items.
    private var places: [ItemIdentifierType: IndexPath] {
        var places: [ItemIdentifierType: IndexPath] = [:]
        for (section, identifier) in sectionIdentifiers.enumerated() {
            for (row, item) in itemIdentifiers(inSection: identifier).enumerated() {
                places[item] = IndexPath(row: row, section: section)
            }
        }
        return places
    }

    /// Returns as many items as there are of a section that stay in it in the same order: the others move.
    private func stayingItems(
        in section: SectionIdentifierType,
        _ old: Self,
        _ places: [ItemIdentifierType: IndexPath]
    ) -> [ItemIdentifierType] {
        let common = old.itemIdentifiers(inSection: section).filter { sectionIdentifier(containingItem: $0) == section }
        let rows = common.compactMap { places[$0]?.row }
        return LongestRun(of: rows).indices.map { common[$0] }
    }
}

/// The longest run of numbers that increase, among others that may lie between them.
struct LongestRun {
    /// The places of the numbers of the run.
    let indices: [Int]

    init(of numbers: [Int]) {
        // Of the runs of each length, the place of the number at the end of the one that ends lowest.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var run: [Int] = []
        var next = ends.last
        while let index = next {
            run.append(index)
            next = previous[index]
        }
        indices = run.reversed()
    }
}
