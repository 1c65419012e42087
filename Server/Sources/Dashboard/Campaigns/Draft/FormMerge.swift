import OrderedCollections
import WireJSON

/// Brings together what two people made of the same fields.
enum FormMerge {
    /// The fields of one, with what only the other has changed; where both did, the first counts.
    static func merge(_ mine: JSONValue, _ theirs: JSONValue, since base: JSONValue) -> JSONValue {
        if mine.isSameForm(as: base) { return theirs }
        if theirs.isSameForm(as: base) || mine.isSameForm(as: theirs) { return mine }
        if let mine = mine.object, let theirs = theirs.object, let base = base.object {
            var merged: JSONObject = [:]
            for name in Array(theirs.keys) + mine.keys where merged[name] == nil {
                merged[name] = merge(mine[name] ?? .null, theirs[name] ?? .null, since: base[name] ?? .null)
            }
            return .object(merged)
        }
        guard let mine = mine.array, let theirs = theirs.array, let base = base.array else { return mine }
        guard mine.count == base.count, theirs.count == base.count else {
            // Without IDs, rows that were added or removed on either side have no partners to be merged with.
            return .array(merge(byID: mine, theirs, since: base) ?? mine)
        }
        return .array(base.indices.map { merge(mine[$0], theirs[$0], since: base[$0]) })
    }

    /// Merges rows that have IDs, such as variants: what the other has added comes last, and what the other has removed
    /// goes, unless the first has changed it.
    ///
    /// Where both have added one of the same ID, which forms propose in the same order, the other's was saved, and the
    /// first's gets another ID.
    ///
    /// - Returns: The rows, or `nil` where one has no ID, or the same as another.
    private static func merge(
        byID mine: [JSONValue],
        _ theirs: [JSONValue],
        since base: [JSONValue]
    ) -> [JSONValue]? {
        guard let own = byID(mine), let other = byID(theirs), let before = byID(base) else { return nil }
        let kept = mine.compactMap { row -> JSONValue? in
            guard let old = before[id(of: row)] else { return added(row, besides: other, own) }
            guard let new = other[id(of: row)] else { return row.isSameForm(as: old) ? nil : row }
            return merge(row, new, since: old)
        }
        return kept + theirs.filter { row in before[id(of: row)] == nil && !kept.contains { $0.isSameForm(as: row) } }
    }

    /// A row that the first has added, by an ID that the other has added no other row by.
    private static func added(
        _ row: JSONValue,
        besides other: [ByteString: JSONValue],
        _ own: [ByteString: JSONValue]
    ) -> JSONValue {
        guard let theirs = other[id(of: row)], !row.isSameForm(as: theirs), var members = row.object else { return row }
        let name = row.trimmed(.id)
        // safe: a count of rows
        let names = (2...other.count + own.count + 2).map { "\(name)-\($0)" }
        let free = names.first { other[ByteString($0)] == nil && own[ByteString($0)] == nil }
        members[.id] = .string(free ?? name)
        return .object(members)
    }

    private static func byID(_ rows: [JSONValue]) -> [ByteString: JSONValue]? {
        let known = Dictionary(rows.map { (id(of: $0), $0) }) { first, _ in first }
        return known.count == rows.count && known[ByteString("")] == nil ? known : nil
    }

    private static func id(of row: JSONValue) -> ByteString { ByteString(row.trimmed(.id)) }
}
