/// Gives a collection the items of a snapshot.
@preconcurrency @MainActor
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject,
    UICollectionViewDataSource
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable {
    /// Returns the cell of an item.
    public typealias CellProvider = (
        _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?

    /// Returns a view beside the items, such as a header.
    public typealias SupplementaryViewProvider = (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

    /// Returns views beside the items.
    ///
    /// The default is none.
    open var supplementaryViewProvider: SupplementaryViewProvider?
    /// The closures that let the user move items, and hear of that.
    public var reorderingHandlers = ReorderingHandlers()
    private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
    /// The sections that were given one by one, whose items may lie in others.
    var sectionSnapshots: [SectionIdentifierType: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>] = [:]
    private let cellProvider: CellProvider
    private weak var collectionView: UICollectionView?

    /// Creates a data source, and gives it to a collection.
    public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
        self.collectionView = collectionView
        self.cellProvider = cellProvider
        super.init()
        collectionView.dataSource = self
    }

    /// Shows the items of a snapshot.
    ///
    /// Cells of items that stay are kept, unless the snapshot names them.
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {
        guard snapshot.keepsPlaces(of: current) else {
            show(snapshot)
            completion?()
            return
        }
        // They may be equal and yet say something else.
        current = snapshot.settled
        collectionView?.reloadItems(at: snapshot.reloadedItemIdentifiers.compactMap(snapshot.path))
        collectionView?.reconfigureItems(at: snapshot.reconfiguredItemIdentifiers.compactMap(snapshot.path))
        completion?()
    }

    /// Shows other items, or the same ones at other places: cells of items that stay are kept, where that can be.
    private func show(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>) {
        guard let changes = snapshot.changes(from: current), let collectionView, collectionView.dataSource === self,
            !collectionView.needsReload
        else {
            let chosen = (collectionView?.chosen ?? []).compactMap(current.item)
            applySnapshotUsingReloadData(snapshot)
            collectionView?.chosen = Set(chosen.compactMap(snapshot.path))
            return
        }
        current = snapshot.settled
        collectionView.change { $0 = changes }
        collectionView.reconfigureItems(at: snapshot.reconfiguredItemIdentifiers.compactMap(snapshot.path))
    }

    /// Shows the items of a snapshot in cells that are all asked for again.
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        completion: (() -> Void)? = nil
    ) {
        current = snapshot.settled
        collectionView?.reloadData()
        completion?()
    }

    /// Returns what is shown.
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }

    /// Returns the item at a place; `nil` where there is none.
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { current.item(at: indexPath) }

    /// Returns the place of an item; `nil` where it is not shown.
    open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? { current.path(of: itemIdentifier) }

    /// Returns the section at a place; `nil` where there is none.
    open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        current.sectionIdentifiers.indices.contains(index) ? current.sectionIdentifiers[index] : nil
    }

    // MARK: Items

    /// Returns how many sections there are.
    open func numberOfSections(in collectionView: UICollectionView) -> Int { current.numberOfSections }

    /// Returns how many items a section has.
    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        sectionIdentifier(for: section).map { current.numberOfItems(inSection: $0) } ?? 0
    }

    /// Returns the cell that the app has made for an item.
    open func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = current.item(at: indexPath).flatMap { cellProvider(collectionView, indexPath, $0) }
        return cell ?? UICollectionViewCell(frame: .zero)
    }

    /// Returns whether an item can be moved by the user, as the handlers say.
    open func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        guard let item = current.item(at: indexPath), let canReorder = reorderingHandlers.canReorderItem else {
            return false
        }
        return canReorder(item)
    }

    /// Moves an item in what is shown, and tells the handlers.
    open func collectionView(
        _ collectionView: UICollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        guard let item = current.item(at: sourceIndexPath),
            let section = sectionIdentifier(for: destinationIndexPath.section)
        else { return }
        var changed = current
        changed.deleteItems([item])
        let others = changed.itemIdentifiers(inSection: section)
        if others.indices.contains(destinationIndexPath.item) {
            changed.insertItems([item], beforeItem: others[destinationIndexPath.item])
        } else {
            changed.appendItems([item], toSection: section)
        }
        let transaction = NSDiffableDataSourceTransaction(initialSnapshot: current, finalSnapshot: changed)
        reorderingHandlers.willReorder?(transaction)
        current = changed
        reorderingHandlers.didReorder?(transaction)
    }

    /// Returns the view that the app has made beside the items.
    open func collectionView(
        _ collectionView: UICollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        supplementaryViewProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView(frame: .zero)
    }
}
