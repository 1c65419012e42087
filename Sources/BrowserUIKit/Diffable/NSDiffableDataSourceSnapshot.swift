/// Holds sections and their items, each of which is there once.
///
/// An item or section that is there already is not added again, where iOS stops the app.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable {
    /// The sections, in order.
    public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
    private var items: [SectionIdentifierType: [ItemIdentifierType]] = [:]
    private var sections: [ItemIdentifierType: SectionIdentifierType] = [:]
    /// The items whose cells are to be exchanged.
    public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
    /// The items whose cells are to be brought up to date.
    public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []
    /// The sections whose cells are to be exchanged.
    public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []

    /// Creates an empty snapshot.
    public init() {}

    /// The items of all sections, in order.
    public var itemIdentifiers: [ItemIdentifierType] { sectionIdentifiers.flatMap { items[$0] ?? [] } }
    /// The number of items.
    public var numberOfItems: Int { sections.count }
    /// The number of sections.
    public var numberOfSections: Int { sectionIdentifiers.count }

    /// Returns the items of a section, in order.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        items[identifier] ?? []
    }

    /// Returns how many items a section has.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { items[identifier]?.count ?? 0 }

    /// Returns the section of an item; `nil` where the item is not there.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        sections[identifier]
    }

    /// Returns the place of an item among all; `nil` where it is not there.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

    /// Returns the place of a section; `nil` where it is not there.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sectionIdentifiers.firstIndex(of: identifier)
    }

    // MARK: Sections

    /// Adds sections at the end.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sectionIdentifiers.count)
    }

    /// Adds sections before another.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType],
        beforeSection toIdentifier: SectionIdentifierType
    ) {
        if let index = indexOfSection(toIdentifier) { insert(identifiers, at: index) }
    }

    /// Adds sections after another.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType],
        afterSection toIdentifier: SectionIdentifierType
    ) {
        if let index = indexOfSection(toIdentifier) { insert(identifiers, at: index + 1) }
    }

    private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
        var new: [SectionIdentifierType] = []
        for identifier in identifiers where items[identifier] == nil {
            items[identifier] = []
            new.append(identifier)
        }
        sectionIdentifiers.insert(contentsOf: new, at: index)
    }

    /// Removes sections with their items.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers {
            for item in items.removeValue(forKey: identifier) ?? [] { sections[item] = nil }
        }
        sectionIdentifiers.removeAll { items[$0] == nil }
    }

    /// Moves a section, with its items, before another.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType,
        beforeSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, beside: toIdentifier, shift: 0)
    }

    /// Moves a section, with its items, after another.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType,
        afterSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, beside: toIdentifier, shift: 1)
    }

    private mutating func move(_ section: SectionIdentifierType, beside other: SectionIdentifierType, shift: Int) {
        guard section != other, items[other] != nil, let old = indexOfSection(section) else { return }
        sectionIdentifiers.remove(at: old)
        guard let new = indexOfSection(other) else { return }
        sectionIdentifiers.insert(section, at: new + shift)
    }

    /// Asks for the cells of sections again.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        reloadedSectionIdentifiers += identifiers.filter { items[$0] != nil }
    }

    // MARK: Items

    /// Adds items at the end of a section, or of the last one; without a section, none are added.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType],
        toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        guard let section = sectionIdentifier ?? sectionIdentifiers.last, let count = items[section]?.count else {
            return
        }
        insert(identifiers, into: section, at: count)
    }

    /// Adds items before another.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType],
        beforeItem beforeIdentifier: ItemIdentifierType
    ) {
        insert(identifiers, beside: beforeIdentifier, shift: 0)
    }

    /// Adds items after another.
    public mutating func insertItems(_ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType)
    {
        insert(identifiers, beside: afterIdentifier, shift: 1)
    }

    /// Moves an item before another.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        guard identifier != toIdentifier, sections[identifier] != nil, sections[toIdentifier] != nil else { return }
        deleteItems([identifier])
        insert([identifier], beside: toIdentifier, shift: 0)
    }

    /// Moves an item after another.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        guard identifier != toIdentifier, sections[identifier] != nil, sections[toIdentifier] != nil else { return }
        deleteItems([identifier])
        insert([identifier], beside: toIdentifier, shift: 1)
    }

    private mutating func insert(_ identifiers: [ItemIdentifierType], beside item: ItemIdentifierType, shift: Int) {
        guard let section = sections[item], let index = items[section]?.firstIndex(of: item) else { return }
        insert(identifiers, into: section, at: index + shift)
    }

    private mutating func insert(
        _ identifiers: [ItemIdentifierType],
        into section: SectionIdentifierType,
        at index: Int
    ) {
        var new: [ItemIdentifierType] = []
        for identifier in identifiers where sections[identifier] == nil {
            sections[identifier] = section
            new.append(identifier)
        }
        items[section]?.insert(contentsOf: new, at: index)
    }

    /// Removes items.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        let gone = Set(identifiers)
        for section in Set(identifiers.compactMap { sections[$0] }) { items[section]?.removeAll { gone.contains($0) } }
        for identifier in gone { sections[identifier] = nil }
    }

    /// Removes all items, and their sections.
    public mutating func deleteAllItems() {
        self = Self()
    }

    /// Asks for the cells of items again.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        reloadedItemIdentifiers += identifiers.filter { sections[$0] != nil }
    }

    /// Has the cells of items, which stay, brought up to date.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        reconfiguredItemIdentifiers += identifiers.filter { sections[$0] != nil }
    }

    /// The same items, none of which is to change.
    var settled: Self {
        var settled = self
        (settled.reloadedItemIdentifiers, settled.reconfiguredItemIdentifiers) = ([], [])
        settled.reloadedSectionIdentifiers = []
        return settled
    }

    /// Returns whether the same items are shown in the same order, so that cells can stay.
    func keepsPlaces(of other: Self) -> Bool {
        reloadedSectionIdentifiers.isEmpty && sectionIdentifiers == other.sectionIdentifiers && items == other.items
    }

    /// Returns the item at a place; `nil` where there is none.
    func item(at path: IndexPath) -> ItemIdentifierType? {
        guard path.count == 2, sectionIdentifiers.indices.contains(path.section),
            let items = items[sectionIdentifiers[path.section]], items.indices.contains(path.row)
        else { return nil }
        return items[path.row]
    }

    /// Returns the place of an item; `nil` where it is not there.
    func path(of item: ItemIdentifierType) -> IndexPath? {
        guard let section = sections[item], let index = indexOfSection(section),
            let row = items[section]?.firstIndex(of: item)
        else { return nil }
        return IndexPath(row: row, section: index)
    }
}
