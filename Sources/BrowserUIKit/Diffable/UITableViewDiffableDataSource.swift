/// Gives a table the rows of a snapshot.
@preconcurrency @MainActor
open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject, UITableViewDataSource
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable {
    /// Returns the cell of an item.
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

    private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()
    private let cellProvider: CellProvider
    private weak var tableView: UITableView?
    /// The animation of changes; browsers fade.
    ///
    /// The default is `automatic`.
    open var defaultRowAnimation = UITableView.RowAnimation.automatic

    /// Creates a data source, and gives it to a table.
    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        self.tableView = tableView
        self.cellProvider = cellProvider
        super.init()
        tableView.dataSource = self
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
            show(snapshot, with: animatingDifferences ? defaultRowAnimation : .none)
            completion?()
            return
        }
        // They may be equal and yet say something else.
        current = snapshot.settled
        let reloaded = snapshot.reloadedItemIdentifiers.compactMap(snapshot.path)
        tableView?.reloadRows(at: reloaded, with: animatingDifferences ? defaultRowAnimation : .none)
        tableView?.reconfigureRows(at: snapshot.reconfiguredItemIdentifiers.compactMap(snapshot.path))
        completion?()
    }

    /// Shows other items, or the same ones at other places: cells of items that stay are kept, where that can be.
    private func show(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        with animation: UITableView.RowAnimation
    ) {
        guard let changes = snapshot.changes(from: current), let tableView, tableView.dataSource === self,
            !tableView.needsReload
        else {
            let chosen = (tableView?.chosen ?? []).compactMap(current.item)
            applySnapshotUsingReloadData(snapshot)
            tableView?.chosen = Set(chosen.compactMap(snapshot.path))
            return
        }
        current = snapshot.settled
        tableView.make(changes, with: animation)
        tableView.reconfigureRows(at: snapshot.reconfiguredItemIdentifiers.compactMap(snapshot.path))
    }

    /// Shows the items of a snapshot in cells that are all asked for again.
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        completion: (() -> Void)? = nil
    ) {
        current = snapshot.settled
        tableView?.reloadData()
        completion?()
    }

    /// Returns what is shown.
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { current }

    /// Returns the item of a row; `nil` where there is no such row.
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { current.item(at: indexPath) }

    /// Returns the row of an item; `nil` where it is not shown.
    open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? { current.path(of: itemIdentifier) }

    /// Returns the section at a place; `nil` where there is none.
    open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
        current.sectionIdentifiers.indices.contains(index) ? current.sectionIdentifiers[index] : nil
    }

    // MARK: Rows

    /// Returns how many sections there are.
    open func numberOfSections(in tableView: UITableView) -> Int { current.numberOfSections }

    /// Returns how many rows a section has.
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        sectionIdentifier(for: section).map { current.numberOfItems(inSection: $0) } ?? 0
    }

    /// Returns the cell that the app has made for the item of a row.
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = current.item(at: indexPath).flatMap { cellProvider(tableView, indexPath, $0) }
        return cell ?? UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    /// Returns what stands above the rows of a section: nothing, unless a subclass says so.
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }

    /// Returns what stands below the rows of a section: nothing, unless a subclass says so.
    open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }

    /// Returns whether a row can be edited; none can, unless a subclass says so.
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }

    /// Returns whether a row can be moved by the user; none can, unless a subclass says so.
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }

    /// Is called after the user has moved a row; a subclass applies a snapshot that says so.
    open func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}

    /// Is called to delete a row; a subclass does that.
    open func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}
}
