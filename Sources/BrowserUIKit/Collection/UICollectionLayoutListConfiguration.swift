/// Says how a list looks.
@preconcurrency @MainActor
public struct UICollectionLayoutListConfiguration {
    /// Names a look.
    public enum Appearance: Sendable {
        /// Rows from edge to edge.
        case plain
        /// Rows in groups.
        case grouped
        /// Rows in groups with room at the sides.
        case insetGrouped
        /// Rows of a bar at the side.
        case sidebar
        /// Rows of a bar at the side, from edge to edge.
        case sidebarPlain
    }

    /// Says what a section begins with.
    public enum HeaderMode: Sendable {
        /// Nothing.
        case none
        /// A view of its own.
        case supplementary
        /// Its first row.
        case firstItemInSection
    }

    /// Says what a section ends with.
    public enum FooterMode: Sendable {
        /// Nothing.
        case none
        /// A view of its own.
        case supplementary
    }

    /// Returns what a swipe over a row offers.
    public typealias SwipeActionsConfigurationProvider = @MainActor (IndexPath) -> UISwipeActionsConfiguration?

    /// The look.
    public let appearance: Appearance
    /// Whether there are lines between rows.
    ///
    /// The default is `true`.
    public var showsSeparators = true
    /// The background; `nil`, the default, is that of the look.
    public var backgroundColor: UIColor?
    /// The kind of header that a section begins with.
    ///
    /// The default is nothing.
    public var headerMode = HeaderMode.none
    /// The kind of footer that a section ends with.
    ///
    /// The default is nothing.
    public var footerMode = FooterMode.none
    /// The room above headers; `nil`, the default, is that of the look.
    public var headerTopPadding: CGFloat?
    /// The actions that a swipe from the start of a row offers.
    ///
    /// The default is nothing.
    public var leadingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
    /// The actions that a swipe from the end of a row offers.
    ///
    /// The default is nothing.
    public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?

    /// Creates a configuration.
    public init(appearance: Appearance) {
        self.appearance = appearance
    }

    var background: UIColor {
        backgroundColor
            ?? (appearance == .plain || appearance == .sidebarPlain ? .systemBackground : .systemGroupedBackground)
    }

    var rowBackground: UIColor {
        appearance == .grouped || appearance == .insetGrouped ? .secondarySystemGroupedBackground : .clear
    }

    var boundaryItems: [NSCollectionLayoutBoundarySupplementaryItem] {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(38))
        var items: [NSCollectionLayoutBoundarySupplementaryItem] = []
        if headerMode == .supplementary {
            let kind = UICollectionView.elementKindSectionHeader
            items.append(
                NSCollectionLayoutBoundarySupplementaryItem(layoutSize: size, elementKind: kind, alignment: .top)
            )
        }
        if footerMode == .supplementary {
            let kind = UICollectionView.elementKindSectionFooter
            items.append(
                NSCollectionLayoutBoundarySupplementaryItem(layoutSize: size, elementKind: kind, alignment: .bottom)
            )
        }
        return items
    }
}

/// Says how one row of a list looks.
struct ListRow {
    let configuration: UICollectionLayoutListConfiguration
    let isFirst: Bool
    let isLast: Bool

    /// The name in the style sheet.
    @MainActor var name: String {
        var names = ["list-row"]
        if configuration.appearance == .insetGrouped { names += ["inset"] }
        if isFirst { names += ["first"] }
        if isLast { names += ["last"] }
        if configuration.showsSeparators, !isLast { names += ["separated"] }
        return names.joined(separator: " ")
    }
}
