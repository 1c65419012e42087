/// Says where the items of a collection are.
@preconcurrency @MainActor
open class UICollectionViewLayout: NSObject {
    /// The collection that is laid out.
    public internal(set) weak var collectionView: UICollectionView?
    /// The views that show no item, in the last arrangement.
    var supplementaries: [SupplementaryPlace] = []
    /// The sections that scroll across the collection.
    var scrollingRows: [Int: ScrollingRow] = [:]
    /// The background of a collection that has none of its own.
    var background: UIColor? { nil }
    private(set) var decorationClasses: [String: UICollectionReusableView.Type] = [:]

    /// Creates a layout that shows nothing.
    public override init() {
        super.init()
    }

    /// Creates a layout from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// Says which class makes the views of a kind that lie behind items.
    open func register(_ viewClass: UICollectionReusableView.Type?, forDecorationViewOfKind elementKind: String) {
        decorationClasses[elementKind] = viewClass
    }

    /// Asks for all sizes again.
    open func invalidateLayout() {
        collectionView?.forgetDecisions()
        collectionView?.setNeedsArranging()
    }

    /// The size of all items together.
    open var collectionViewContentSize: CGSize { .zero }

    /// Returns where an item is; `nil` where there is no such item.
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }

    func prepare(width: CGFloat) {}
    func paths(in rect: CGRect) -> [IndexPath] { [] }

    func place(at path: IndexPath) -> GroupSolver.Place? {
        layoutAttributesForItem(at: path).map { GroupSolver.Place(frame: $0.frame, isMeasured: false) }
    }

    /// Returns the look of an item that is the row of a list.
    func list(at path: IndexPath) -> ListRow? { nil }

    /// Takes in the size of the content of a cell, whose width follows from that, too; returns whether others have to
    /// move.
    func note(_ size: CGSize, of cell: UICollectionReusableView, at path: IndexPath) -> Bool { false }

    /// Has cells be asked again for the sizes that they have decided themselves.
    func forgetDecisions() {}

    /// Keeps what is known of the sizes of items while those come, go and move.
    func follow(_ places: PlaceChanges) {}

    /// Tells the app of the cells that are seen in a part of the content.
    func tellVisible(_ cells: [IndexPath: UICollectionViewCell], in rect: CGRect) {}

    /// Takes in the height of the content of a view; returns whether others have to move.
    func note(_ height: CGFloat, of element: CollectionElement) -> Bool { false }
}

/// Tells where one item is.
@preconcurrency @MainActor
open class UICollectionViewLayoutAttributes: NSObject {
    /// The item.
    open var indexPath: IndexPath
    /// The rectangle among the content.
    open var frame = CGRect.zero
    /// The size of that rectangle; another one is taken about the middle.
    open var size: CGSize {
        get { frame.size }
        set { frame = frame.resized(to: newValue) }
    }
    /// The middle of that rectangle.
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }
    /// The opacity, which is for `apply(_:)` alone.
    ///
    /// The default is 1.
    open var alpha: CGFloat = 1
    /// The place before or behind others, which is for `apply(_:)` alone.
    ///
    /// The default is 0.
    open var zIndex = 0
    /// The transform, which is for `apply(_:)` alone.
    ///
    /// The default is none.
    open var transform = CGAffineTransform.identity

    /// Creates the attributes of an item.
    public init(forCellWith indexPath: IndexPath) {
        self.indexPath = indexPath
    }
}
