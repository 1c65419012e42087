/// Holds the items of one section, some of which may lie in others.
///
/// An item that is there already is not added again, where iOS stops the app.
public struct NSDiffableDataSourceSectionSnapshot<ItemIdentifierType> where ItemIdentifierType: Hashable {
    /// The items, each followed by those in it.
    public private(set) var items: [ItemIdentifierType] = []
    private var parents: [ItemIdentifierType: ItemIdentifierType] = [:]
    private var expanded: Set<ItemIdentifierType> = []

    /// Creates an empty snapshot.
    public init() {}

    /// The items that are in no other.
    public var rootItems: [ItemIdentifierType] { items.filter { parents[$0] == nil } }
    /// The items that are shown: those whose parents are all expanded.
    public var visibleItems: [ItemIdentifierType] { items.filter(isVisible) }

    /// Adds items at the end, or at the end of those in another.
    public mutating func append(_ items: [ItemIdentifierType], to parent: ItemIdentifierType? = nil) {
        guard let parent else { return insert(items, at: self.items.count, parent: nil) }
        guard let index = self.items.firstIndex(of: parent) else { return }
        let end = self.items[(index + 1)...].firstIndex { !isInside($0, parent) } ?? self.items.count
        insert(items, at: end, parent: parent)
    }

    private mutating func insert(_ new: [ItemIdentifierType], at index: Int, parent: ItemIdentifierType?) {
        var known = Set(items)
        let added = new.filter { known.insert($0).inserted }
        items.insert(contentsOf: added, at: index)
        for item in added { parents[item] = parent }
    }

    /// Removes items, with those in them.
    public mutating func delete(_ items: [ItemIdentifierType]) {
        let gone = Set(self.items.filter { item in items.contains { $0 == item || isInside(item, $0) } })
        self.items.removeAll { gone.contains($0) }
        for item in gone { parents[item] = nil }
        expanded.subtract(gone)
    }

    /// Removes all items.
    public mutating func deleteAll() {
        self = Self()
    }

    /// Shows the items in others.
    public mutating func expand(_ items: [ItemIdentifierType]) {
        expanded.formUnion(items)
    }

    /// Shows the items in others no longer.
    public mutating func collapse(_ items: [ItemIdentifierType]) {
        expanded.subtract(items)
    }

    /// Returns whether the items in another are shown.
    public func isExpanded(_ item: ItemIdentifierType) -> Bool { expanded.contains(item) }

    /// Returns whether an item is there.
    public func contains(_ item: ItemIdentifierType) -> Bool { items.contains(item) }

    /// Returns the item that another is in; `nil` for those that are in none.
    public func parent(of child: ItemIdentifierType) -> ItemIdentifierType? { parents[child] }

    /// Returns how many items an item is in.
    public func level(of item: ItemIdentifierType) -> Int {
        var (level, next) = (0, parents[item])
        while let parent = next {
            level += 1
            next = parents[parent]
        }
        return level
    }

    private func isInside(_ item: ItemIdentifierType, _ parent: ItemIdentifierType) -> Bool {
        var next = parents[item]
        while let current = next {
            if current == parent { return true }
            next = parents[current]
        }
        return false
    }

    private func isVisible(_ item: ItemIdentifierType) -> Bool {
        var next = parents[item]
        while let parent = next {
            guard expanded.contains(parent) else { return false }
            next = parents[parent]
        }
        return true
    }
}

extension UICollectionViewDiffableDataSource {
    /// Shows the items of one section; a section that is not there yet is added.
    public func apply(
        _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
        to section: SectionIdentifierType,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        var all = self.snapshot()
        if all.indexOfSection(section) == nil { all.appendSections([section]) }
        all.deleteItems(all.itemIdentifiers(inSection: section))
        all.appendItems(snapshot.visibleItems, toSection: section)
        sectionSnapshots[section] = snapshot
        apply(all, animatingDifferences: animatingDifferences, completion: completion)
    }

    /// Returns the items of one section.
    public func snapshot(for section: SectionIdentifierType) -> NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>
    {
        let shown = snapshot().itemIdentifiers(inSection: section)
        if let kept = sectionSnapshots[section], kept.visibleItems == shown { return kept }
        var snapshot = NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>()
        snapshot.append(shown)
        return snapshot
    }
}
