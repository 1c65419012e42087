/// Collects changes of rows or items that are made as one, and says where each is then.
///
/// In whatever order they are told, what goes is named by its place before all of them, and what comes by its place
/// after.
struct PlaceChanges {
    var removed: Set<IndexPath> = []
    var inserted: Set<IndexPath> = []
    /// From old places to new ones.
    var moved: [IndexPath: IndexPath] = [:]
    /// The places of before of which the content is asked for again.
    var reloaded: Set<IndexPath> = []
    var removedSections: Set<Int> = []
    var insertedSections: Set<Int> = []
    /// From old places to new ones.
    var movedSections: [Int: Int] = [:]
    /// By their old places.
    var reloadedSections: Set<Int> = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && reloaded.isEmpty && !hasSections }

    /// Whether whole sections come, go or move.
    var hasSections: Bool {
        !(removedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && reloadedSections.isEmpty)
    }

    /// The places of before that something leaves.
    var left: Set<IndexPath> { removed.union(moved.keys) }
    /// The places of afterwards that something comes to.
    var came: Set<IndexPath> { inserted.union(moved.values) }

    /// Returns where a section is afterwards; `nil` for one that is no longer there.
    func section(of old: Int) -> Int? {
        if let new = movedSections[old] { return new }
        guard !removedSections.contains(old) else { return nil }
        var section = old - removedSections.union(movedSections.keys).count { $0 < old }
        for new in insertedSections.union(movedSections.values).sorted() where new <= section { section += 1 }
        return section
    }

    /// Returns where a row or item is afterwards; `nil` for one that is no longer there, or that lies in a section that
    /// is asked for again.
    func place(of old: IndexPath) -> IndexPath? {
        if let new = moved[old] { return new }
        guard !removed.contains(old), !reloadedSections.contains(old.section), let section = section(of: old.section)
        else { return nil }
        var row = old.row - left.count { $0.section == old.section && $0.row < old.row }
        for new in came.filter({ $0.section == section }).sorted() where new.row <= row { row += 1 }
        return IndexPath(row: row, section: section)
    }

    /// Returns how many rows or items sections have afterwards; `nil` for those of which only the data source knows.
    private func counts(after old: [Int]) -> [Int?] {
        func count(_ section: Int) -> Int? {
            reloadedSections.contains(section) ? nil : old[section] - left.count { $0.section == section }
        }
        let gone = removedSections.union(movedSections.keys)
        var counts = old.indices.filter { !gone.contains($0) }.map(count)
        let origins = Dictionary(movedSections.map { ($0.value, $0.key) }) { first, _ in first }
        for section in insertedSections.union(movedSections.values).sorted() where section <= counts.count {
            let origin = origins[section].flatMap { old.indices.contains($0) ? $0 : nil }
            counts.insert(origin.flatMap(count), at: max(section, 0))
        }
        for place in came where counts.indices.contains(place.section) { counts[place.section]? += 1 }
        return counts
    }

    /// Returns what is wrong with the numbers that a data source has afterwards; `nil` where they follow from those
    /// before.
    func problem(from old: [Int], to new: [Int]) -> String? {
        if let place = left.sorted().first(where: { !Self.has($0, old) }) {
            return "There was nothing at \(place.row) in section \(place.section) before the update."
        }
        let leaving = removedSections.union(movedSections.keys).sorted()
        if let section = leaving.first(where: { !old.indices.contains($0) }) {
            return "There was no section \(section) before the update."
        }
        let expected = counts(after: old)
        guard expected.count == new.count else {
            return "There are \(new.count) sections after the update, and not \(expected.count)."
        }
        for (section, numbers) in zip(expected, new).enumerated() where numbers.0 ?? numbers.1 != numbers.1 {
            return "Section \(section) has \(numbers.1) rows or items after the update, and not \(numbers.0 ?? 0)."
        }
        return came.sorted().first { !Self.has($0, new) }.map {
            "There is nothing at \($0.row) in section \($0.section) after the update."
        }
    }

    private static func has(_ place: IndexPath, _ counts: [Int]) -> Bool {
        place.count == 2 && counts.indices.contains(place.section) && (0..<counts[place.section]).contains(place.row)
    }
}
