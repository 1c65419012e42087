/// Says how a section scrolls across the direction of the collection.
public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
    /// Not at all.
    case none = 0
    /// Freely.
    case continuous = 1
    /// Freely, and comes to rest at the beginning of a group.
    case continuousGroupLeadingBoundary = 2
    /// By the width of the collection.
    case paging = 3
    /// By groups.
    case groupPaging = 4
    /// By groups, each of which comes to rest in the middle.
    case groupPagingCentered = 5

    /// The name in the style sheet.
    var name: String {
        switch self {
        case .none, .continuous: "free"
        case .continuousGroupLeadingBoundary, .paging, .groupPaging: "start"
        case .groupPagingCentered: "center"
        }
    }
}

/// Lays out the items of a section in groups.
@preconcurrency @MainActor
open class NSCollectionLayoutSection: NSObject {
    let group: NSCollectionLayoutGroup
    /// The looks of the list, of a section that is one.
    var list: UICollectionLayoutListConfiguration?
    /// The room around the section.
    ///
    /// The default is none.
    open var contentInsets = NSDirectionalEdgeInsets.zero
    /// The room between groups, in points.
    ///
    /// The default is 0.
    open var interGroupSpacing: CGFloat = 0
    /// The scrolling behavior of the section across the direction of the collection.
    ///
    /// The default is not at all.
    open var orthogonalScrollingBehavior = UICollectionLayoutSectionOrthogonalScrollingBehavior.none
    /// The views at the edges, such as a header.
    ///
    /// The default is none.
    open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []
    /// Whether the views at the edges keep the insets of the section.
    ///
    /// The default is `true`.
    open var supplementariesFollowContentInsets = true
    /// The place from which ``contentInsets`` are counted.
    ///
    /// The default is that of the layout.
    open var contentInsetsReference = UIContentInsetsReference.automatic
    /// The place from which the views at the edges keep away.
    ///
    /// The default is that of the section.
    open var supplementaryContentInsetsReference = UIContentInsetsReference.automatic
    /// Is told of the items that are seen, whenever they change or are scrolled.
    ///
    /// The default is none.
    open var visibleItemsInvalidationHandler: NSCollectionLayoutSectionVisibleItemsInvalidationHandler?
    /// The views behind the items.
    ///
    /// The default is none.
    open var decorationItems: [NSCollectionLayoutDecorationItem] = []

    /// Creates a section that repeats a group.
    public init(group: NSCollectionLayoutGroup) {
        self.group = group
        super.init()
    }

    /// Returns a section that is a list.
    public class func list(
        using configuration: UICollectionLayoutListConfiguration,
        layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> NSCollectionLayoutSection {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(44))
        let item = NSCollectionLayoutItem(layoutSize: size)
        let section = NSCollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [item]))
        section.list = configuration
        section.boundarySupplementaryItems = configuration.boundaryItems
        if configuration.appearance == .insetGrouped {
            section.contentInsets = NSDirectionalEdgeInsets(top: 17.5, leading: 20, bottom: 17.5, trailing: 20)
        } else if configuration.appearance == .grouped {
            section.contentInsets = NSDirectionalEdgeInsets(top: 17.5, leading: 0, bottom: 17.5, trailing: 0)
        }
        return section
    }
}

/// Describes what a layout has room in.
@preconcurrency @MainActor
public protocol NSCollectionLayoutContainer: NSObjectProtocol {
    /// The size.
    var contentSize: CGSize { get }
    /// The size without insets.
    var effectiveContentSize: CGSize { get }
    /// The insets.
    var contentInsets: NSDirectionalEdgeInsets { get }
    /// The insets that apply.
    var effectiveContentInsets: NSDirectionalEdgeInsets { get }
}

/// Describes the surroundings of a layout.
@preconcurrency @MainActor
public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {
    /// The room.
    var container: any NSCollectionLayoutContainer { get }
    /// Appearance, text size and the like.
    var traitCollection: UITraitCollection { get }
}

final class LayoutEnvironment: NSObject, NSCollectionLayoutEnvironment, NSCollectionLayoutContainer {
    let contentSize: CGSize
    let traitCollection: UITraitCollection

    init(size: CGSize, traits: UITraitCollection) {
        contentSize = size
        traitCollection = traits
        super.init()
    }

    var container: any NSCollectionLayoutContainer { self }
    var effectiveContentSize: CGSize { contentSize }
    var contentInsets: NSDirectionalEdgeInsets { .zero }
    var effectiveContentInsets: NSDirectionalEdgeInsets { .zero }
}
