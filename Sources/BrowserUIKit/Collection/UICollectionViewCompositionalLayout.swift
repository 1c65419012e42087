/// Returns the layout of a section; `nil` leaves the section out.
public typealias UICollectionViewCompositionalLayoutSectionProvider =
    @MainActor (
        _ sectionIndex: Int,
        _ layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> NSCollectionLayoutSection?

/// Holds what applies to all sections of a layout.
@preconcurrency @MainActor
open class UICollectionViewCompositionalLayoutConfiguration: NSObject {
    /// The direction in which the collection scrolls; browsers scroll up and down, and sections across.
    ///
    /// The default is `vertical`.
    open var scrollDirection = UICollectionView.ScrollDirection.vertical
    /// The room between sections, in points.
    ///
    /// The default is 0.
    open var interSectionSpacing: CGFloat = 0
    /// The place from which the insets of sections are counted that don't say it themselves.
    ///
    /// The default is the safe area.
    open var contentInsetsReference = UIContentInsetsReference.safeArea
}

/// Lays out sections, each in its own way.
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    private struct Section {
        let section: NSCollectionLayoutSection
        let places: [GroupSolver.Place]
        let frame: CGRect
    }

    private let provider: UICollectionViewCompositionalLayoutSectionProvider
    /// The configuration of all sections.
    open var configuration: UICollectionViewCompositionalLayoutConfiguration { didSet { invalidateLayout() } }
    private var sections: [Section?] = []
    private var size = CGSize.zero
    private var measured: [CollectionElement: CGFloat] = [:]

    /// Creates a layout whose sections are all alike.
    public convenience init(section: NSCollectionLayoutSection) {
        self.init(sectionProvider: { _, _ in section })
    }

    /// Creates a layout whose sections are all alike.
    public convenience init(
        section: NSCollectionLayoutSection,
        configuration: UICollectionViewCompositionalLayoutConfiguration
    ) {
        self.init(sectionProvider: { _, _ in section }, configuration: configuration)
    }

    /// Creates a layout that asks for each section.
    public convenience init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
        self.init(sectionProvider: sectionProvider, configuration: UICollectionViewCompositionalLayoutConfiguration())
    }

    /// Creates a layout that asks for each section.
    public init(
        sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider,
        configuration: UICollectionViewCompositionalLayoutConfiguration
    ) {
        provider = sectionProvider
        self.configuration = configuration
        super.init()
    }

    /// Creates a layout from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Returns a layout whose sections are lists.
    public class func list(
        using configuration: UICollectionLayoutListConfiguration
    ) -> UICollectionViewCompositionalLayout {
        let layout = UICollectionViewCompositionalLayout { _, environment in
            .list(using: configuration, layoutEnvironment: environment)
        }
        layout.listBackground = configuration.background
        return layout
    }

    private var listBackground: UIColor?
    override var background: UIColor? { listBackground }

    /// The size of all items together.
    open override var collectionViewContentSize: CGSize { size }

    // MARK: Arranging

    override func prepare(width: CGFloat) {
        guard let collectionView else { return }
        let room = CGSize(width: max(width, 0), height: collectionView.bounds.height)
        let environment = LayoutEnvironment(size: room, traits: collectionView.traitCollection)
        let counts = collectionView.sectionCounts
        measured = measured.filter { counts.indices.contains($0.key.path.section) }
        sections = []
        (supplementaries, scrollingRows) = ([], [:])
        var top: CGFloat = 0
        for (number, count) in counts.enumerated() {
            guard let section = provider(number, environment) else {
                sections.append(nil)
                continue
            }
            if number > 0 { top += configuration.interSectionSpacing }
            top = place(section, number: number, count: count, top: top, room: room)
        }
        size = CGSize(width: width, height: top)
    }

    /// Places a section; returns where it ends.
    private func place(
        _ section: NSCollectionLayoutSection,
        number: Int,
        count: Int,
        top: CGFloat,
        room: CGSize
    ) -> CGFloat {
        let insets = insets(of: section, width: room.width)
        let start = placeEdges(of: section, number: number, top: top, room: room, isBottom: false)
        let inner = GroupSolver.Room(width: max(room.width - insets.leading - insets.trailing, 0), height: room.height)
        var solver = GroupSolver(count: count) { [measured] item in
            measured[CollectionElement(kind: nil, path: IndexPath(item: item, section: number))]
        }
        let origin = CGPoint(x: insets.leading, y: start + insets.top)
        let isAcross = section.orthogonalScrollingBehavior != .none
        let end = solver.repeatGroup(
            section.group,
            along: isAcross ? .horizontal : .vertical,
            from: origin,
            in: inner,
            spacing: section.interGroupSpacing
        )
        if isAcross {
            scrollingRows[number] = ScrollingRow(
                frame: CGRect(x: 0, y: origin.y, width: room.width, height: end.y - origin.y),
                width: end.x + insets.trailing,
                behavior: section.orthogonalScrollingBehavior.name
            )
        }
        let bottom = placeEdges(of: section, number: number, top: end.y + insets.bottom, room: room, isBottom: true)
        let frame = CGRect(x: 0, y: top, width: room.width, height: bottom - top)
        sections.append(Section(section: section, places: solver.places, frame: frame))
        placeBackgrounds(of: section, number: number, frame: frame)
        return bottom
    }

    /// Places the views at the top or the bottom of a section; returns where they end.
    private func placeEdges(
        of section: NSCollectionLayoutSection,
        number: Int,
        top: CGFloat,
        room: CGSize,
        isBottom: Bool
    ) -> CGFloat {
        let insets = edgeInsets(of: section, width: room.width)
        let width = max(room.width - insets.leading - insets.trailing, 0)
        var end = top
        for item in section.boundarySupplementaryItems where item.alignment.isBottom == isBottom {
            let space = GroupSolver.Room(width: width, height: room.height)
            let element = CollectionElement(kind: item.elementKind, path: IndexPath(item: 0, section: number))
            let fixed = GroupSolver.height(of: item.layoutSize, in: space)
            let height = fixed ?? measured[element] ?? item.layoutSize.heightDimension.dimension
            let ownWidth = min(GroupSolver.width(of: item.layoutSize, in: space), width)
            let frame = CGRect(
                x: insets.leading + item.alignment.start(in: width - ownWidth),
                y: isBottom && !item.extendsBoundary ? end - height : end,
                width: ownWidth,
                height: height
            )
            let place = GroupSolver.Place(frame: frame.inset(by: item.contentInsets), isMeasured: fixed == nil)
            supplementaries.append(SupplementaryPlace(element: element, place: place))
            if item.extendsBoundary { end += height }
        }
        return end
    }

    /// Returns the insets of a section, counted from the edges of the collection.
    private func insets(of section: NSCollectionLayoutSection, width: CGFloat) -> NSDirectionalEdgeInsets {
        guard let collectionView else { return section.contentInsets }
        let outer = section.contentInsetsReference.insets(
            of: collectionView,
            width: width,
            automatic: configuration.contentInsetsReference
        )
        return section.contentInsets.adding(outer)
    }

    /// Returns the insets of the views at the edges of a section.
    private func edgeInsets(of section: NSCollectionLayoutSection, width: CGFloat) -> NSDirectionalEdgeInsets {
        let reference = section.supplementaryContentInsetsReference
        guard let collectionView, reference != .automatic else {
            return section.supplementariesFollowContentInsets ? insets(of: section, width: width) : .zero
        }
        let outer = reference.insets(of: collectionView, width: width, automatic: configuration.contentInsetsReference)
        return section.supplementariesFollowContentInsets ? section.contentInsets.adding(outer) : outer
    }

    override func tellVisible(_ cells: [IndexPath: UICollectionViewCell], in rect: CGRect) {
        guard let collectionView else { return }
        let room = CGSize(width: size.width, height: rect.height)
        let environment = LayoutEnvironment(size: room, traits: collectionView.traitCollection)
        for (number, section) in sections.enumerated() {
            guard let section, let handler = section.section.visibleItemsInvalidationHandler else { continue }
            let paths = cells.keys.filter { $0.section == number }.sorted()
            let items: [any NSCollectionLayoutVisibleItem] = paths.compactMap { path in
                guard let cell = cells[path], section.places.indices.contains(path.item) else { return nil }
                let frame = section.places[path.item].frame
                let isSeen = scrollingRows[number] != nil || frame.intersects(rect)
                return isSeen ? VisibleItem(cell, at: path, frame: frame) : nil
            }
            if !items.isEmpty { handler(items, rect.origin, environment) }
        }
    }

    private func placeBackgrounds(of section: NSCollectionLayoutSection, number: Int, frame: CGRect) {
        for item in section.decorationItems {
            let element = CollectionElement(kind: item.elementKind, path: IndexPath(item: 0, section: number))
            let place = GroupSolver.Place(frame: frame.inset(by: item.contentInsets), isMeasured: false)
            supplementaries.append(SupplementaryPlace(element: element, place: place, isDecoration: true))
        }
    }

    // MARK: Finding

    private func section(_ number: Int) -> Section? { sections.indices.contains(number) ? sections[number] : nil }

    override func place(at path: IndexPath) -> GroupSolver.Place? {
        guard let section = section(path.section), section.places.indices.contains(path.item) else { return nil }
        return section.places[path.item]
    }

    override func list(at path: IndexPath) -> ListRow? {
        guard let section = section(path.section), let list = section.section.list else { return nil }
        return ListRow(configuration: list, isFirst: path.item == 0, isLast: path.item == section.places.count - 1)
    }

    override func paths(in rect: CGRect) -> [IndexPath] {
        sections.enumerated().flatMap { number, section -> [IndexPath] in
            guard let section, section.frame.maxY >= rect.minY, section.frame.minY <= rect.maxY else { return [] }
            let isAcross = scrollingRows[number] != nil
            return section.places.indices.filter { isAcross || section.places[$0].frame.intersects(rect) }
                .map { IndexPath(item: $0, section: number) }
        }
    }

    /// Returns where an item is; `nil` where there is no such item.
    open override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        guard let place = place(at: indexPath) else { return nil }
        let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
        attributes.frame = place.frame
        return attributes
    }

    override func follow(_ places: PlaceChanges) {
        let kept = measured.compactMap { element, height in
            follow(element, places).map { (CollectionElement(kind: element.kind, path: $0), height) }
        }
        measured = Dictionary(kept) { first, _ in first }
    }

    private func follow(_ element: CollectionElement, _ places: PlaceChanges) -> IndexPath? {
        guard element.kind != nil else { return places.place(of: element.path) }
        return places.section(of: element.path.section).map { IndexPath(item: element.path.item, section: $0) }
    }

    override func note(_ height: CGFloat, of element: CollectionElement) -> Bool {
        let height = min(max(height, 0), 10_000)
        guard height.isFinite, abs(height - (measured[element] ?? -1)) >= 0.5 else { return false }
        measured[element] = height
        return true
    }
}

extension NSDirectionalEdgeInsets {
    func adding(_ other: Self) -> Self {
        Self(
            top: top + other.top,
            leading: leading + other.leading,
            bottom: bottom + other.bottom,
            trailing: trailing + other.trailing
        )
    }
}

extension CGRect {
    func inset(by insets: NSDirectionalEdgeInsets) -> CGRect {
        CGRect(
            x: minX + insets.leading,
            y: minY + insets.top,
            width: max(width - insets.leading - insets.trailing, 0),
            height: max(height - insets.top - insets.bottom, 0)
        )
    }
}
