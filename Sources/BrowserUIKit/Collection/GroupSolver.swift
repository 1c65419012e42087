/// Finds the places of a section's items: repeats its group until no item is left.
@MainActor
struct GroupSolver {
    /// The place of one item.
    struct Place: Equatable {
        var frame: CGRect
        /// Whether the height follows from the content.
        let isMeasured: Bool
        /// The widest that the content may make it, where its width follows from that, too.
        var fittingWidth: CGFloat?
    }

    /// The room of what is placed; without a height where that follows from the content.
    struct Room {
        let width: CGFloat
        let height: CGFloat?
    }

    /// The number of items.
    let count: Int
    /// The height of an item's content, once it is measured.
    let measured: (Int) -> CGFloat?
    private(set) var places: [Place] = []

    /// A line of more is not laid out: sizes of zero would never end.
    private static let longestLine = 1_000

    init(count: Int, measured: @escaping (Int) -> CGFloat?) {
        self.count = count
        self.measured = measured
    }

    /// Places every item, group by group along an axis; returns the end of the last one.
    mutating func repeatGroup(
        _ group: NSCollectionLayoutGroup,
        along axis: NSLayoutConstraint.Axis,
        from origin: CGPoint,
        in room: Room,
        spacing: CGFloat
    ) -> CGPoint {
        var (next, end) = (origin, origin)
        while places.count < count {
            let before = places.count
            let size = place(group, at: next, in: room)
            guard places.count > before else { break }
            end = CGPoint(x: max(end.x, next.x + size.width), y: max(end.y, next.y + size.height))
            if axis == .vertical { next.y += size.height + spacing } else { next.x += size.width + spacing }
        }
        return end
    }

    /// Places an item, or the items of a group; returns its size.
    mutating func place(
        _ item: NSCollectionLayoutItem,
        at point: CGPoint,
        in room: Room,
        width: CGFloat? = nil,
        height: CGFloat? = nil
    ) -> CGSize {
        let edges = item.edgeSpacing?.insets ?? .zero
        let origin = CGPoint(x: point.x + edges.leading, y: point.y + edges.top)
        let ownWidth = width ?? Self.width(of: item.layoutSize, in: room)
        let ownHeight = height ?? Self.height(of: item.layoutSize, in: room)
        let size: CGSize
        if let group = item as? NSCollectionLayoutGroup {
            size = placeGroup(group, at: origin, width: ownWidth, height: ownHeight)
        } else {
            size = placeLeaf(item, at: origin, width: ownWidth, height: ownHeight)
        }
        return CGSize(
            width: size.width + edges.leading + edges.trailing,
            height: size.height + edges.top + edges.bottom
        )
    }

    private mutating func placeLeaf(
        _ item: NSCollectionLayoutItem,
        at origin: CGPoint,
        width: CGFloat,
        height: CGFloat?
    ) -> CGSize {
        let insets = item.contentInsets
        let estimate = item.layoutSize.heightDimension.isEstimated ? item.layoutSize.heightDimension.dimension : 44
        let content = height.map { max($0 - insets.top - insets.bottom, 0) } ?? measured(places.count) ?? estimate
        let frame = CGRect(
            x: origin.x + insets.leading,
            y: origin.y + insets.top,
            width: max(width - insets.leading - insets.trailing, 0),
            height: content
        )
        places.append(Place(frame: frame, isMeasured: height == nil))
        return CGSize(width: width, height: content + insets.top + insets.bottom)
    }

    private mutating func placeGroup(
        _ group: NSCollectionLayoutGroup,
        at origin: CGPoint,
        width: CGFloat,
        height: CGFloat?
    ) -> CGSize {
        let insets = group.contentInsets
        let inner = Room(
            width: max(width - insets.leading - insets.trailing, 0),
            height: height.map { max($0 - insets.top - insets.bottom, 0) }
        )
        let start = CGPoint(x: origin.x + insets.leading, y: origin.y + insets.top)
        let line = placeLine(of: group, at: start, in: inner)
        return CGSize(width: width, height: height ?? line.height + insets.top + insets.bottom)
    }

    /// Places the items of a group one after the other; returns the size of the line.
    private mutating func placeLine(of group: NSCollectionLayoutGroup, at start: CGPoint, in room: Room) -> CGSize {
        let isRow = group.axis == .horizontal
        let spacing = group.interItemSpacing?.spacing ?? 0
        let length = isRow ? room.width : room.height
        let share = Self.share(of: group, length: length, spacing: spacing)
        var (used, across, ends) = (CGFloat(0), CGFloat(0), [places.count])
        for number in 0..<Self.most(of: group) where places.count < count {
            let item = group.subitems[number % group.subitems.count]
            let gap = number > 0 ? spacing : 0
            let wanted = share ?? Self.length(of: item, along: group.axis, in: room)
            let isFull = length.map { used + gap + (wanted ?? 0) > $0 + 0.5 } ?? (number >= group.subitems.count)
            if group.repetition == .toFill, number > 0, isFull || wanted == 0 { break }
            let point =
                isRow ? CGPoint(x: start.x + used + gap, y: start.y) : CGPoint(x: start.x, y: start.y + used + gap)
            let size = place(item, at: point, in: room, width: isRow ? share : nil, height: isRow ? nil : share)
            used += gap + (isRow ? size.width : size.height)
            across = max(across, isRow ? size.height : size.width)
            ends.append(places.count)
        }
        if group.interItemSpacing?.isFlexibleSpacing == true, let length { spread(ends, length - used, isRow) }
        return isRow ? CGSize(width: used, height: across) : CGSize(width: across, height: used)
    }

    /// Deals what is left over to the gaps between the items of a line.
    private mutating func spread(_ ends: [Int], _ spare: CGFloat, _ isRow: Bool) {
        guard spare > 0, ends.count > 2 else { return }
        let gap = spare / CGFloat(ends.count - 2)
        for item in 1..<(ends.count - 1) {
            for index in ends[item]..<ends[item + 1] {
                if isRow {
                    places[index].frame.origin.x += gap * CGFloat(item)
                } else {
                    places[index].frame.origin.y += gap * CGFloat(item)
                }
            }
        }
    }

    // MARK: Lengths

    private static func most(of group: NSCollectionLayoutGroup) -> Int {
        guard !group.subitems.isEmpty else { return 0 }
        switch group.repetition {
        case .toFill: return longestLine
        case .shared(let count), .count(let count): return min(max(count, 1), longestLine)
        }
    }

    private static func share(of group: NSCollectionLayoutGroup, length: CGFloat?, spacing: CGFloat) -> CGFloat? {
        guard case .shared = group.repetition, let length else { return nil }
        let count = CGFloat(most(of: group))
        let around = group.subitems.first?.room(along: group.axis) ?? 0
        return max((length - spacing * (count - 1)) / max(count, 1) - around, 0)
    }

    /// Returns how much of a line an item takes, with the room around it.
    private static func length(
        of item: NSCollectionLayoutItem,
        along axis: NSLayoutConstraint.Axis,
        in room: Room
    ) -> CGFloat? {
        let own = axis == .horizontal ? width(of: item.layoutSize, in: room) : height(of: item.layoutSize, in: room)
        return own.map { $0 == 0 ? 0 : $0 + item.room(along: axis) }
    }

    static func width(of size: NSCollectionLayoutSize, in room: Room) -> CGFloat {
        let dimension = size.widthDimension
        switch dimension.kind {
        case .width: return dimension.dimension * room.width
        case .height: return dimension.dimension * (room.height ?? room.width)
        case .absolute, .estimated: return dimension.dimension
        }
    }

    /// Returns the height; `nil` where that follows from the content.
    static func height(of size: NSCollectionLayoutSize, in room: Room) -> CGFloat? {
        let dimension = size.heightDimension
        switch dimension.kind {
        case .width: return dimension.dimension * room.width
        case .height: return room.height.map { dimension.dimension * $0 }
        case .absolute: return dimension.dimension
        case .estimated: return nil
        }
    }
}
