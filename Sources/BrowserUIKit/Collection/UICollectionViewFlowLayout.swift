/// Puts items in rows from top to bottom, each row with as many as fit.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
    /// The size of items.
    ///
    /// The default is 50 by 50.
    open var itemSize = CGSize(width: 50, height: 50) { didSet { invalidateLayout() } }
    /// The size of items that is taken until that of their content is known; any size but none, such as
    /// ``automaticSize``, has items be as large as their content.
    ///
    /// The default is none.
    open var estimatedItemSize = CGSize.zero {
        didSet {
            guard estimatedItemSize != oldValue else { return }
            fitted = [:]
            invalidateLayout()
        }
    }
    /// The size of items that are as large as their content.
    public static let automaticSize = CGSize(width: CGFloat.greatestFiniteMagnitude, height: .greatestFiniteMagnitude)
    private var fitted: [IndexPath: FittedSize] = [:]
    /// Whether a cell is asked for its size now, which may invalidate the layout.
    private var isDeciding = false
    /// The least room between rows, in points.
    ///
    /// The default is 10.
    open var minimumLineSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
    /// The least room between items of a row, in points.
    ///
    /// The default is 10.
    open var minimumInteritemSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
    /// The direction in which the items scroll.
    ///
    /// The default is `vertical`.
    open var scrollDirection = UICollectionView.ScrollDirection.vertical { didSet { invalidateLayout() } }
    /// The size of headers; of a layout that scrolls up and down, the height counts.
    ///
    /// The default is none.
    open var headerReferenceSize = CGSize.zero { didSet { invalidateLayout() } }
    /// The size of footers; of a layout that scrolls up and down, the height counts.
    ///
    /// The default is none.
    open var footerReferenceSize = CGSize.zero { didSet { invalidateLayout() } }
    /// The room around each section.
    ///
    /// The default is none.
    open var sectionInset = UIEdgeInsets.zero { didSet { invalidateLayout() } }
    private var frames: [[CGRect]] = []
    private var size = CGSize.zero

    /// The size of all items together.
    open override var collectionViewContentSize: CGSize { size }

    /// Returns where an item is; `nil` where there is no such item.
    open override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        guard frames.indices.contains(indexPath.section), frames[indexPath.section].indices.contains(indexPath.item)
        else { return nil }
        let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
        attributes.frame = frames[indexPath.section][indexPath.item]
        return attributes
    }

    override func prepare(width: CGFloat) {
        guard let collectionView else { return }
        frames = []
        let counts = collectionView.sectionCounts
        fitted = fitted.filter { counts.indices.contains($0.key.section) && $0.key.item < counts[$0.key.section] }
        (supplementaries, scrollingRows) = ([], [:])
        if scrollDirection == .horizontal { return prepareRows(width: width, collectionView) }
        var top: CGFloat = 0
        for section in 0..<collectionView.sectionCounts.count {
            top = placeEdge(UICollectionView.elementKindSectionHeader, headerSize(of: section), section, top, width)
            let insets = insets(of: section, collectionView)
            let origin = CGPoint(x: insets.left, y: top + insets.top)
            var row = Row(origin: origin, end: width - insets.right, spacing: spacing(of: section))
            for item in 0..<collectionView.sectionCounts[section] {
                row.add(self.size(of: IndexPath(item: item, section: section), collectionView))
            }
            frames.append(row.frames)
            top = (row.frames.map(\.maxY).max() ?? row.origin.y) + insets.bottom
            top = placeEdge(UICollectionView.elementKindSectionFooter, footerSize(of: section), section, top, width)
        }
        size = CGSize(width: width, height: top)
    }

    /// Places a header or footer; returns where it ends.
    private func placeEdge(_ kind: String, _ size: CGSize, _ section: Int, _ top: CGFloat, _ width: CGFloat) -> CGFloat
    {
        guard size.height > 0 else { return top }
        let element = CollectionElement(kind: kind, path: IndexPath(item: 0, section: section))
        let frame = CGRect(x: 0, y: top, width: width, height: size.height)
        supplementaries.append(
            SupplementaryPlace(element: element, place: GroupSolver.Place(frame: frame, isMeasured: false))
        )
        return top + size.height
    }

    /// Places each section in columns from the start on, and lets it scroll across.
    private func prepareRows(width: CGFloat, _ collectionView: UICollectionView) {
        let height = collectionView.bounds.height
        var top: CGFloat = 0
        for section in 0..<collectionView.sectionCounts.count {
            let (insets, spacing) = (insets(of: section, collectionView), spacing(of: section))
            var (x, y, column) = (insets.left, top + insets.top, CGFloat(0))
            var places: [CGRect] = []
            for item in 0..<collectionView.sectionCounts[section] {
                let size = self.size(of: IndexPath(item: item, section: section), collectionView)
                if y > top + insets.top, y + size.height > top + height - insets.bottom + 0.01 {
                    (x, y, column) = (x + column + spacing.lines, top + insets.top, 0)
                }
                places.append(CGRect(x: x, y: y, width: max(size.width, 0), height: max(size.height, 0)))
                column = max(column, size.width)
                y += size.height + spacing.items
            }
            frames.append(places)
            let end = (places.map(\.maxY).max() ?? top) + insets.bottom
            scrollingRows[section] = ScrollingRow(
                frame: CGRect(x: 0, y: top, width: width, height: end - top),
                width: (places.map(\.maxX).max() ?? 0) + insets.right,
                behavior: collectionView.isPagingEnabled ? "start" : "free"
            )
            top = end
        }
        size = CGSize(width: width, height: top)
    }

    /// Collects the items of a section row by row.
    private struct Row {
        let origin: CGPoint
        let end: CGFloat
        let spacing: Spacing
        private(set) var frames: [CGRect] = []
        private var start = 0
        private var x: CGFloat
        private var y: CGFloat

        init(origin: CGPoint, end: CGFloat, spacing: Spacing) {
            self.origin = origin
            self.end = end
            self.spacing = spacing
            (x, y) = (origin.x, origin.y)
        }

        mutating func add(_ size: CGSize) {
            if x > origin.x, x + size.width > end + 0.01 {
                justify()
                y = (frames[start...].map(\.maxY).max() ?? y) + spacing.lines
                x = origin.x
                start = frames.count
            }
            frames.append(CGRect(x: x, y: y, width: max(size.width, 0), height: max(size.height, 0)))
            x += size.width + spacing.items
        }

        /// A full row reaches from side to side; items of a row share their middle line.
        private mutating func justify() {
            let row = frames[start...]
            let height = row.map(\.height).max() ?? 0
            let spare = end - (row.last?.maxX ?? end)
            let gap = row.count > 1 ? max(spare, 0) / CGFloat(row.count - 1) : 0
            for (number, index) in row.indices.enumerated() {
                frames[index].origin.x += gap * CGFloat(number)
                frames[index].origin.y += (height - frames[index].height) / 2
            }
        }
    }

    /// The room between rows, and between items of one.
    private struct Spacing {
        let lines: CGFloat
        let items: CGFloat
    }

    private func spacing(of section: Int) -> Spacing {
        guard let view = collectionView, let delegate = view.flowDelegate else {
            return Spacing(lines: minimumLineSpacing, items: minimumInteritemSpacing)
        }
        return Spacing(
            lines: delegate.collectionView(view, layout: self, minimumLineSpacingForSectionAt: section),
            items: delegate.collectionView(view, layout: self, minimumInteritemSpacingForSectionAt: section)
        )
    }

    private func headerSize(of section: Int) -> CGSize {
        guard let view = collectionView, let delegate = view.flowDelegate else { return headerReferenceSize }
        return delegate.collectionView(view, layout: self, referenceSizeForHeaderInSection: section)
    }

    private func footerSize(of section: Int) -> CGSize {
        guard let view = collectionView, let delegate = view.flowDelegate else { return footerReferenceSize }
        return delegate.collectionView(view, layout: self, referenceSizeForFooterInSection: section)
    }

    private func insets(of section: Int, _ view: UICollectionView) -> UIEdgeInsets {
        view.flowDelegate?.collectionView(view, layout: self, insetForSectionAt: section) ?? sectionInset
    }

    private func size(of path: IndexPath, _ view: UICollectionView) -> CGSize {
        let given = givenSize(of: path, view)
        guard isFitted(given) else { return given }
        if let known = fitted[path] { return known.preferred }
        let isStated = estimatedItemSize != .zero && estimatedItemSize != Self.automaticSize
        return isStated ? estimatedItemSize : CGSize(width: 50, height: 50)
    }

    private func givenSize(of path: IndexPath, _ view: UICollectionView) -> CGSize {
        view.flowDelegate?.collectionView(view, layout: self, sizeForItemAt: path) ?? itemSize
    }

    /// Returns whether an item that was to have a size is as large as its content.
    private func isFitted(_ given: CGSize) -> Bool { estimatedItemSize != .zero || given == Self.automaticSize }

    override func place(at path: IndexPath) -> GroupSolver.Place? {
        guard let view = collectionView, let place = super.place(at: path) else { return nil }
        let known = fitted[path]
        // What the cell has decided itself isn't measured, until it is asked again.
        guard isFitted(givenSize(of: path, view)), known.map({ $0.isNatural || $0.isDated }) ?? true else {
            return place
        }
        let insets = insets(of: path.section, view)
        let most = scrollDirection == .horizontal ? 10_000 : size.width - insets.left - insets.right
        return GroupSolver.Place(frame: place.frame, isMeasured: true, fittingWidth: max(most, 0))
    }

    override func note(_ size: CGSize, of cell: UICollectionReusableView, at path: IndexPath) -> Bool {
        guard size.width.isFinite, size.height.isFinite else { return false }
        let natural = CGSize(width: min(max(size.width, 0), 10_000), height: min(max(size.height, 0), 10_000))
        let known = fitted[path]
        if let known, !known.isDated, FittedSize(natural: known.natural, preferred: natural).isNatural { return false }
        cell.measuredSize = natural
        let attributes = UICollectionViewLayoutAttributes(forCellWith: path)
        attributes.frame = CGRect(origin: layoutAttributesForItem(at: path)?.frame.origin ?? .zero, size: natural)
        isDeciding = true
        let preferred = cell.preferredLayoutAttributesFitting(attributes).size
        isDeciding = false
        guard preferred.width.isFinite, preferred.height.isFinite else { return false }
        fitted[path] = FittedSize(natural: natural, preferred: preferred)
        return true
    }

    /// Keeps the sizes as estimates, until the page has measured the content again.
    override func forgetDecisions() {
        guard !isDeciding else { return }
        for path in fitted.keys { fitted[path]?.isDated = true }
    }

    override func follow(_ places: PlaceChanges) {
        let kept = fitted.compactMap { path, size in places.place(of: path).map { ($0, size) } }
        fitted = Dictionary(kept) { first, _ in first }
    }

    /// The size of an item's content, and the one that its cell wants.
    private struct FittedSize {
        let natural: CGSize
        let preferred: CGSize
        /// Whether either may have changed since.
        var isDated = false

        var isNatural: Bool {
            abs(natural.width - preferred.width) < 0.5 && abs(natural.height - preferred.height) < 0.5
        }
    }

    override func paths(in rect: CGRect) -> [IndexPath] {
        frames.enumerated().flatMap { section, frames in
            frames.indices.filter { scrollingRows[section] != nil || frames[$0].intersects(rect) }.map {
                IndexPath(item: $0, section: section)
            }
        }
    }
}
