/// Describes what the user has moved.
public struct NSDiffableDataSourceTransaction<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable {
    /// The items before.
    public let initialSnapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
    /// The items after.
    public let finalSnapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>

    /// The steps from the items before to those after, over all sections.
    public var difference: CollectionDifference<ItemIdentifierType> {
        finalSnapshot.itemIdentifiers.difference(from: initialSnapshot.itemIdentifiers)
    }
}

extension UICollectionViewDiffableDataSource {
    /// Lets the user move items, and hears of that.
    public struct ReorderingHandlers {
        /// Returns whether an item can be moved.
        ///
        /// The default is none, which lets none be.
        public var canReorderItem: ((ItemIdentifierType) -> Bool)?
        /// Is called before what is shown takes over a move.
        ///
        /// The default is none.
        public var willReorder: ((NSDiffableDataSourceTransaction<SectionIdentifierType, ItemIdentifierType>) -> Void)?
        /// Is called after what is shown has taken over a move: the time to bring the data in line.
        ///
        /// The default is none.
        public var didReorder: ((NSDiffableDataSourceTransaction<SectionIdentifierType, ItemIdentifierType>) -> Void)?

        /// Creates handlers that let nothing be moved.
        public init() {}
    }
}
