extension UICollectionView {
    /// Says which class makes the cells of items, and how a cell shows its item.
    public struct CellRegistration<Cell, Item> where Cell: UICollectionViewCell {
        /// Brings a cell in line with its item.
        public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void

        let handler: Handler
        let identifier = "registration-\(UUID().uuidString)"

        /// Creates a registration.
        public init(handler: @escaping Handler) {
            self.handler = handler
        }
    }

    /// Returns a cell for an item, as its registration says.
    public func dequeueConfiguredReusableCell<Cell, Item>(
        using registration: CellRegistration<Cell, Item>,
        for indexPath: IndexPath,
        item: Item?
    ) -> Cell {
        register(Cell.self, forCellWithReuseIdentifier: registration.identifier)
        let dequeued = dequeueReusableCell(withReuseIdentifier: registration.identifier, for: indexPath)
        let cell = dequeued as? Cell ?? Cell(dequeuedWithReuseIdentifier: registration.identifier)
        if let item { registration.handler(cell, indexPath, item) }
        return cell
    }

    /// Says which class makes the views of a kind, and how a view shows its section.
    public struct SupplementaryRegistration<Supplementary> where Supplementary: UICollectionReusableView {
        /// Brings a view in line with its section.
        public typealias Handler = (
            _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
        ) -> Void

        let elementKind: String
        let handler: Handler
        let identifier = "registration-\(UUID().uuidString)"

        /// Creates a registration.
        public init(elementKind: String, handler: @escaping Handler) {
            self.elementKind = elementKind
            self.handler = handler
        }
    }

    /// Returns a view for a section, as its registration says.
    public func dequeueConfiguredReusableSupplementary<Supplementary>(
        using registration: SupplementaryRegistration<Supplementary>,
        for indexPath: IndexPath
    ) -> Supplementary {
        let (kind, identifier) = (registration.elementKind, registration.identifier)
        register(Supplementary.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
        let dequeued = dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: identifier, for: indexPath)
        let view = dequeued as? Supplementary ?? Supplementary(dequeuedWithReuseIdentifier: identifier)
        registration.handler(view, kind, indexPath)
        return view
    }
}

extension UICollectionView {
    /// Lets plain cells be made for an identifier: browsers have no nib files.
    public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
        register(
            nib == nil ? nil : UICollectionViewCell.self as UICollectionViewCell.Type,
            forCellWithReuseIdentifier: identifier
        )
    }
}

extension UICollectionView {
    /// Has the data source bring the cells of some items up to date, which stay.
    ///
    /// An item for which it gives another cell is shown again.
    public func reconfigureItems(at indexPaths: [IndexPath]) {
        guard !needsReload, let dataSource else { return }
        for path in indexPaths {
            guard let cell = live[path] else { continue }
            reconfigured = path
            let given = dataSource.collectionView(self, cellForItemAt: path)
            reconfigured = nil
            if given !== cell { reloadItems(at: [path]) }
        }
        if !indexPaths.isEmpty { forgetDecisions() }
        setNeedsDisplay()
    }

    /// Has cells be asked again for the sizes that they have decided themselves.
    ///
    /// An app that changes the layout whenever it is drawn doesn't have them asked each time, which would not end.
    func forgetDecisions() {
        if screen?.isDrawing != true { collectionViewLayout.forgetDecisions() }
    }
}
