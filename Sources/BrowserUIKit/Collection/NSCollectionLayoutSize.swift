/// Says how long one side of an item or group is.
@preconcurrency @MainActor
open class NSCollectionLayoutDimension: NSObject {
    enum Kind: Equatable {
        case width, height, absolute, estimated
    }

    let kind: Kind
    /// The length in points, or the part of the container.
    public let dimension: CGFloat

    init(_ kind: Kind, _ dimension: CGFloat) {
        self.kind = kind
        self.dimension = dimension.isFinite ? max(dimension, 0) : 0
        super.init()
    }

    /// Returns a part of the container's width.
    public class func fractionalWidth(_ fractionalWidth: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(.width, fractionalWidth)
    }

    /// Returns a part of the container's height.
    public class func fractionalHeight(_ fractionalHeight: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(.height, fractionalHeight)
    }

    /// Returns a length in points.
    public class func absolute(_ absoluteDimension: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(.absolute, absoluteDimension)
    }

    /// Returns a length in points that holds until the content is measured; browsers measure heights.
    public class func estimated(_ estimatedDimension: CGFloat) -> NSCollectionLayoutDimension {
        NSCollectionLayoutDimension(.estimated, estimatedDimension)
    }

    /// Whether the length is a part of the container's width.
    open var isFractionalWidth: Bool { kind == .width }
    /// Whether the length is a part of the container's height.
    open var isFractionalHeight: Bool { kind == .height }
    /// Whether the length is in points.
    open var isAbsolute: Bool { kind == .absolute }
    /// Whether the length is measured.
    open var isEstimated: Bool { kind == .estimated }
}

/// Says how large an item or group is.
@preconcurrency @MainActor
open class NSCollectionLayoutSize: NSObject {
    /// The width.
    public let widthDimension: NSCollectionLayoutDimension
    /// The height.
    public let heightDimension: NSCollectionLayoutDimension

    /// Creates a size.
    public init(widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension) {
        self.widthDimension = widthDimension
        self.heightDimension = heightDimension
        super.init()
    }
}

/// Says how much room there is between items.
@preconcurrency @MainActor
open class NSCollectionLayoutSpacing: NSObject {
    /// The room, in points.
    public let spacing: CGFloat
    /// Whether the room grows with what is left over.
    public let isFlexibleSpacing: Bool

    init(_ spacing: CGFloat, isFlexible: Bool) {
        self.spacing = spacing.isFinite ? max(spacing, 0) : 0
        isFlexibleSpacing = isFlexible
        super.init()
    }

    /// Returns room that does not grow.
    public class func fixed(_ fixedSpacing: CGFloat) -> NSCollectionLayoutSpacing {
        NSCollectionLayoutSpacing(fixedSpacing, isFlexible: false)
    }

    /// Returns room that grows with what is left over.
    public class func flexible(_ flexibleSpacing: CGFloat) -> NSCollectionLayoutSpacing {
        NSCollectionLayoutSpacing(flexibleSpacing, isFlexible: true)
    }

    /// Whether the room does not grow.
    open var isFixedSpacing: Bool { !isFlexibleSpacing }
}

/// Says how much room there is at each side of an item.
@preconcurrency @MainActor
open class NSCollectionLayoutEdgeSpacing: NSObject {
    /// The room before the item.
    public let leading: NSCollectionLayoutSpacing?
    /// The room above the item.
    public let top: NSCollectionLayoutSpacing?
    /// The room behind the item.
    public let trailing: NSCollectionLayoutSpacing?
    /// The room below the item.
    public let bottom: NSCollectionLayoutSpacing?

    /// Creates the room around an item.
    public init(
        leading: NSCollectionLayoutSpacing?,
        top: NSCollectionLayoutSpacing?,
        trailing: NSCollectionLayoutSpacing?,
        bottom: NSCollectionLayoutSpacing?
    ) {
        self.leading = leading
        self.top = top
        self.trailing = trailing
        self.bottom = bottom
        super.init()
    }

    var insets: NSDirectionalEdgeInsets {
        NSDirectionalEdgeInsets(
            top: top?.spacing ?? 0,
            leading: leading?.spacing ?? 0,
            bottom: bottom?.spacing ?? 0,
            trailing: trailing?.spacing ?? 0
        )
    }
}
