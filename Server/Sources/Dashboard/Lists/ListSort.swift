/// A key that a list can be sorted by.
protocol SortKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// The order of a list that asks for none; it begins with the largest.
    static var standard: Self { get }
    /// The name in the column and the menu.
    var name: String { get }
    /// Whether the first click of its column sorts by the largest first.
    var beginsWithLargest: Bool { get }
}

/// The order of a list, which its address has as `sort=name` or, with the largest first, `sort=-name`.
struct ListSort<Key: SortKey>: Equatable, Sendable {
    let key: Key
    let isDescending: Bool

    static var standard: ListSort { ListSort(key: .standard, isDescending: true) }

    init(key: Key, isDescending: Bool) {
        self.key = key
        self.isDescending = isDescending
    }

    /// Reads the order that a query asks for; anything else is the list's own.
    init(_ query: FormData) {
        let text = query.trimmed(.sort)
        let isDescending = text.hasPrefix("-")
        guard let key = Key(rawValue: String(isDescending ? text.dropFirst() : text[...])) else {
            self = .standard
            return
        }
        self.init(key: key, isDescending: isDescending)
    }

    var text: String { isDescending ? "-\(key.rawValue)" : key.rawValue }

    /// Sorts lines by what they are compared by; lines that are equal in it stay in the order that they had.
    func sorted<Line, Value: Comparable>(_ lines: [Line], by value: (Line) -> Value) -> [Line] {
        let keyed = lines.enumerated().map { (place: $0.offset, value: value($0.element), line: $0.element) }
        return keyed.sorted { left, right in
            guard left.value != right.value else { return left.place < right.place }
            return isDescending ? right.value < left.value : left.value < right.value
        }.map(\.line)
    }

    /// The head of a column, a link that sorts by it, and the other way round where the list is sorted by it.
    func head(_ key: Key, style: String = "", _ address: (ListSort) -> String) -> SortHead {
        let isCurrent = key == self.key
        let next = ListSort(key: key, isDescending: isCurrent ? !isDescending : key.beginsWithLargest)
        return SortHead(
            name: key.name,
            address: address(next),
            style: style,
            order: isCurrent ? (isDescending ? "descending" : "ascending") : nil,
            arrow: isCurrent ? (isDescending ? "↓" : "↑") : ""
        )
    }
}

/// The head of a column that sorts a list.
struct SortHead {
    let name: String
    let address: String
    let style: String
    /// The order in which the list is sorted by it, as `aria-sort` says it.
    let order: String?
    let arrow: String
}

/// A choice of a menu.
struct SortChoice {
    let value: String
    let name: String
    let isChosen: Bool
}
