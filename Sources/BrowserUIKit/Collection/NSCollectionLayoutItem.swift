/// Stands for one item of a layout.
@preconcurrency @MainActor
open class NSCollectionLayoutItem: NSObject {
    /// The size, of which ``contentInsets`` are a part.
    public let layoutSize: NSCollectionLayoutSize
    /// The room between the item's place and what it shows.
    ///
    /// The default is none.
    open var contentInsets = NSDirectionalEdgeInsets.zero
    /// The room around the item's place.
    ///
    /// The default is none.
    open var edgeSpacing: NSCollectionLayoutEdgeSpacing?

    /// Creates an item.
    public convenience init(layoutSize: NSCollectionLayoutSize) {
        self.init(size: layoutSize)
    }

    init(size: NSCollectionLayoutSize) {
        layoutSize = size
        super.init()
    }

    /// Returns the room before and behind the item's place.
    func room(along axis: NSLayoutConstraint.Axis) -> CGFloat {
        guard let insets = edgeSpacing?.insets else { return 0 }
        return axis == .horizontal ? insets.leading + insets.trailing : insets.top + insets.bottom
    }
}

/// Lays out items, or groups of items, in a line.
open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
    enum Repetition: Equatable {
        /// Until the room is used up.
        case toFill
        /// So many times, sharing the room.
        case shared(Int)
        /// So many times.
        case count(Int)
    }

    let axis: NSLayoutConstraint.Axis
    let repetition: Repetition
    /// The items that are laid out, again and again.
    public let subitems: [NSCollectionLayoutItem]
    /// The room between items.
    ///
    /// The default is none.
    open var interItemSpacing: NSCollectionLayoutSpacing?

    private init(
        _ axis: NSLayoutConstraint.Axis,
        _ size: NSCollectionLayoutSize,
        _ subitems: [NSCollectionLayoutItem],
        _ repetition: Repetition
    ) {
        self.axis = axis
        self.subitems = subitems
        self.repetition = repetition
        super.init(size: size)
    }

    /// Returns a group that lays out items side by side, as often as there is room.
    public class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        subitems: [NSCollectionLayoutItem]
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.horizontal, layoutSize, subitems, .toFill)
    }

    /// Returns a group of so many items of the same width, which fill it.
    public class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.horizontal, layoutSize, [subitem], .shared(count))
    }

    /// Returns a group of so many items in their own size.
    @available(iOS 16, tvOS 16, *)
    public class func horizontal(
        layoutSize: NSCollectionLayoutSize,
        repeatingSubitem subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.horizontal, layoutSize, [subitem], .count(count))
    }

    /// Returns a group that lays out items one below the other, as often as there is room.
    public class func vertical(
        layoutSize: NSCollectionLayoutSize,
        subitems: [NSCollectionLayoutItem]
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.vertical, layoutSize, subitems, .toFill)
    }

    /// Returns a group of so many items of the same height, which fill it.
    public class func vertical(
        layoutSize: NSCollectionLayoutSize,
        subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.vertical, layoutSize, [subitem], .shared(count))
    }

    /// Returns a group of so many items in their own size.
    @available(iOS 16, tvOS 16, *)
    public class func vertical(
        layoutSize: NSCollectionLayoutSize,
        repeatingSubitem subitem: NSCollectionLayoutItem,
        count: Int
    ) -> NSCollectionLayoutGroup {
        NSCollectionLayoutGroup(.vertical, layoutSize, [subitem], .count(count))
    }
}

/// Says at which side something lies.
public enum NSRectAlignment: Int, Sendable {
    /// At none.
    case none = 0
    /// At the top.
    case top = 1
    /// At the start of the top.
    case topLeading = 2
    /// At the start.
    case leading = 3
    /// At the start of the bottom.
    case bottomLeading = 4
    /// At the bottom.
    case bottom = 5
    /// At the end of the bottom.
    case bottomTrailing = 6
    /// At the end.
    case trailing = 7
    /// At the end of the top.
    case topTrailing = 8

    var isBottom: Bool { self == .bottom || self == .bottomLeading || self == .bottomTrailing }

    /// Returns how far from the start something lies that leaves so much of the width.
    func start(in spare: CGFloat) -> CGFloat {
        switch self {
        case .none, .top, .bottom: spare / 2
        case .leading, .topLeading, .bottomLeading: 0
        case .trailing, .topTrailing, .bottomTrailing: spare
        }
    }
}

/// Stands for a view beside the items of a section, such as a header.
open class NSCollectionLayoutSupplementaryItem: NSCollectionLayoutItem {
    /// The kind of the view.
    public let elementKind: String
    /// The order of views in front of others.
    ///
    /// The default is 0.
    open var zIndex = 0

    init(size: NSCollectionLayoutSize, kind: String) {
        elementKind = kind
        super.init(size: size)
    }
}

/// Stands for a view at the edge of a section, such as a header.
open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem {
    /// The edge.
    public let alignment: NSRectAlignment
    /// Whether the view makes the section longer; otherwise it lies over the items.
    ///
    /// The default is `true`.
    open var extendsBoundary = true
    /// Whether the view stays on screen as long as its section is; browsers let it scroll.
    ///
    /// The default is `false`.
    open var pinToVisibleBounds = false

    /// Creates a view at an edge.
    public init(layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment) {
        self.alignment = alignment
        super.init(size: layoutSize, kind: elementKind)
    }
}

/// Stands for a view behind the items of a section.
open class NSCollectionLayoutDecorationItem: NSCollectionLayoutItem {
    /// The kind of the view.
    public let elementKind: String
    /// The order of views in front of others.
    ///
    /// The default is 0.
    open var zIndex = 0

    private init(kind: String) {
        elementKind = kind
        let whole = NSCollectionLayoutDimension.fractionalHeight(1)
        super.init(size: NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: whole))
    }

    /// Returns a view behind the whole section.
    public class func background(elementKind: String) -> NSCollectionLayoutDecorationItem {
        NSCollectionLayoutDecorationItem(kind: elementKind)
    }
}
