/// Knows where the rows of a table are: measured heights where the browser told them, else what was estimated.
struct RowGeometry: Equatable {
    private(set) var sections: [Int] = []
    private var heights: [CGFloat] = []
    private var starts: [CGFloat] = [0]

    var count: Int { heights.count }
    var totalHeight: CGFloat { starts.last ?? 0 }

    /// Takes the rows of a table anew.
    ///
    /// Heights that were measured at a place are kept as the best estimate for it.
    mutating func reset(sections: [Int], height: (Int) -> CGFloat) {
        let old = self.sections == sections || self.sections.count == 1 && sections.count == 1 ? heights : []
        self.sections = sections
        let total = sections.reduce(0, +)
        heights = (0..<total).map { old.indices.contains($0) ? old[$0] : height($0) }
        sum()
    }

    mutating func set(_ height: CGFloat, at index: Int) {
        guard heights.indices.contains(index), height.isFinite, height >= 0, heights[index] != height else { return }
        heights[index] = height
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
            heights.insert(height, at: sections[..<path.section].reduce(0, +) + path.row)
            sections[path.section] += 1
        }
        sum()
    }

    private mutating func sum() {
        starts = [0]
        starts.reserveCapacity(heights.count + 1)
        var total: CGFloat = 0
        for height in heights {
            total += height
            starts.append(total)
        }
    }

    // MARK: Asking

    func index(of path: IndexPath) -> Int? {
        guard path.count == 2, sections.indices.contains(path.section), path.row >= 0, path.row < sections[path.section]
        else { return nil }
        return sections[..<path.section].reduce(0, +) + path.row
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
    func height(of index: Int) -> CGFloat { heights.indices.contains(index) ? heights[index] : 0 }

    /// The rows of which something lies between two heights.
    func rows(from top: CGFloat, to bottom: CGFloat) -> Range<Int> {
        guard !heights.isEmpty, bottom > top else { return 0..<0 }
        let first = firstRow { starts[$0 + 1] > top }
        let end = firstRow { starts[$0] >= bottom }
        return first..<max(first, end)
    }

    private func firstRow(where isBeyond: (Int) -> Bool) -> Int {
        var low = 0
        var high = heights.count
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
