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
        // Rows that were added or removed on either side have no partners to be merged with.
        guard let mine = mine.array, let theirs = theirs.array, let base = base.array, mine.count == base.count,
            theirs.count == base.count
        else { return mine }
        return .array(base.indices.map { merge(mine[$0], theirs[$0], since: base[$0]) })
    }
}
