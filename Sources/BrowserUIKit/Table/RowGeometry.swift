/// Says which end of a section something lies at.
enum SectionEdge: String {
    case header, footer
}

/// Knows where the rows of a table are, and what lies above and below those of each section: measured heights where the
/// browser told them, else what was estimated.
struct RowGeometry: Equatable {
    private(set) var sections: [Int] = []
    private var heights: [CGFloat] = []
    private var starts: [CGFloat] = [0]
    private var edges: [SectionEdge: [CGFloat]] = [:]
    private var sectionStarts: [CGFloat] = [0]

    var count: Int { heights.count }
    var totalHeight: CGFloat { starts.last ?? 0 }
    /// Whether any section has room for a header or footer.
    var hasEdges: Bool { edges.values.contains { $0.contains { $0 > 0 } } }

    init() {}

    /// Creates the geometry of rows of which only the numbers are known.
    init(counting sections: [Int]) {
        reset(sections: sections) { _ in 0 }
    }

    /// Takes the rows of a table again.
    ///
    /// Heights that were measured at a place are kept as the best estimate for it.
    mutating func reset(
        sections: [Int],
        edge: (SectionEdge, Int) -> CGFloat = { _, _ in 0 },
        height: (Int) -> CGFloat
    ) {
        let old = self.sections == sections || self.sections.count == 1 && sections.count == 1 ? heights : []
        self.sections = sections
        let total = sections.reduce(0, +)
        heights = (0..<total).map { old.indices.contains($0) ? old[$0] : height($0) }
        for side in [SectionEdge.header, .footer] { edges[side] = sections.indices.map { edge(side, $0) } }
        sum()
    }

    mutating func set(_ height: CGFloat, of edge: SectionEdge, in section: Int) {
        guard sections.indices.contains(section), height.isFinite, height >= 0,
            self.height(of: edge, in: section) != height
        else { return }
        edges[edge]?[section] = height
        sum()
    }

    mutating func set(_ height: CGFloat, at index: Int) {
        guard heights.indices.contains(index), height.isFinite, height >= 0, heights[index] != height else { return }
        heights[index] = height
        sum()
    }

    mutating func set(_ new: [(path: IndexPath, height: CGFloat)]) {
        for (path, height) in new where height.isFinite && height >= 0 {
            if let index = index(of: path) { heights[index] = height }
        }
        sum()
    }

    mutating func remove(_ paths: [IndexPath]) {
        for path in paths.sorted().reversed() {
            guard let index = index(of: path) else { continue }
            heights.remove(at: index)
            sections[path.section] -= 1
        }
        sum()
    }

    mutating func insert(_ paths: [IndexPath], height: CGFloat) {
        for path in paths.sorted() where sections.indices.contains(path.section) && path.row <= sections[path.section] {
            heights.insert(height, at: firstRow(of: path.section) + path.row)
            sections[path.section] += 1
        }
        sum()
    }

    private mutating func sum() {
        (starts, sectionStarts) = ([], [])
        starts.reserveCapacity(heights.count + 1)
        var total: CGFloat = 0
        var row = 0
        for (section, count) in sections.enumerated() {
            sectionStarts.append(total)
            total += height(of: .header, in: section)
            for _ in 0..<count {
                starts.append(total)
                total += heights[row]
                row += 1
            }
            total += height(of: .footer, in: section)
        }
        starts.append(total)
        sectionStarts.append(total)
    }

    // MARK: Asking

    func index(of path: IndexPath) -> Int? {
        guard path.count == 2, sections.indices.contains(path.section), path.row >= 0, path.row < sections[path.section]
        else { return nil }
        return firstRow(of: path.section) + path.row
    }

    func path(at index: Int) -> IndexPath {
        var rest = index
        for (section, count) in sections.enumerated() {
            if rest < count { return IndexPath(row: rest, section: section) }
            rest -= count
        }
        return IndexPath(row: 0, section: 0)
    }

    func start(of index: Int) -> CGFloat { starts[min(max(index, 0), starts.count - 1)] }
    func end(of index: Int) -> CGFloat { start(of: index) + height(of: index) }
    func height(of index: Int) -> CGFloat { heights.indices.contains(index) ? heights[index] : 0 }

    /// Returns the number of the first row of a section among all rows.
    func firstRow(of section: Int) -> Int { sections.prefix(max(section, 0)).reduce(0, +) }

    func height(of edge: SectionEdge, in section: Int) -> CGFloat {
        guard let heights = edges[edge], heights.indices.contains(section) else { return 0 }
        return heights[section]
    }

    func start(ofSection section: Int) -> CGFloat { sectionStarts[min(max(section, 0), sectionStarts.count - 1)] }

    /// The sections of which something lies between two heights, or that have no height and lie there.
    func sections(from top: CGFloat, to bottom: CGFloat) -> Range<Int> {
        let touched = sections.indices.filter { start(ofSection: $0 + 1) >= top && start(ofSection: $0) <= bottom }
        guard let first = touched.first, let last = touched.last else { return 0..<0 }
        return first..<last + 1
    }

    /// The rows of which something lies between two heights.
    func rows(from top: CGFloat, to bottom: CGFloat) -> Range<Int> {
        guard !heights.isEmpty, bottom > top else { return 0..<0 }
        let first = search { self.end(of: $0) > top }
        let end = search { starts[$0] >= bottom }
        return first..<max(first, end)
    }

    private func search(where isBeyond: (Int) -> Bool) -> Int {
        var low = 0
        var high = heights.count
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
