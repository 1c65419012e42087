import CardModel
import OrderedCollections
import WireJSON

/// The users of an export in counts: a report has nothing of a single user but the place in a file.
package struct UserTally: Sendable {
    /// The number of times that something was the case, and the first place.
    package struct Count: Sendable {
        /// The number of times.
        package fileprivate(set) var number = 0
        /// The place at which it was found first.
        package let firstPlace: String
    }

    /// The maximum number of reasons or fields that are counted apart.
    private static let maximumKinds = 500
    /// The maximum number of bytes of one.
    private static let maximumBytes = 400

    /// The number of users that were imported.
    package private(set) var taken = 0
    /// The number of users that were not, by the reason.
    package private(set) var refusals: OrderedDictionary<String, Count> = [:]
    /// The number of fields of imported users that were left out, by the field.
    package private(set) var fields: OrderedDictionary<String, Count> = [:]

    /// Creates a tally of nothing.
    init() {}

    /// Whether there were no users.
    package var isEmpty: Bool { taken == 0 && refusals.isEmpty }

    /// The number of users that were not imported.
    // safe: counts of lines
    package var refused: Int { refusals.values.reduce(0) { $0 + $1.number } }

    /// Counts a user that was taken over.
    mutating func take() { taken += 1 }

    /// Counts a user that was not.
    mutating func refuse(_ reason: String, at place: String) { Self.count(reason, at: place, in: &refusals) }

    /// Counts a user one of whose fields was left out.
    mutating func leaveOut(_ field: String, at place: String) { Self.count(field, at: place, in: &fields) }

    private static func count(_ key: String, at place: String, in counts: inout OrderedDictionary<String, Count>) {
        let isNamed = key.utf8.count <= maximumBytes && (counts[key] != nil || counts.count < maximumKinds)
        let kind = isNamed ? key : "others"
        counts[kind, default: Count(firstPlace: place)].number += 1
    }

    /// The tally for people.
    var lines: [String] {
        ["\(taken) were written to users.jsonl."]
            + refusals.map { "\($1.number) were left out: \($0) (first at \($1.firstPlace))" }
            + fields.map { "\($0) of \(Quantity.text($1.number, "user")) was left out (first at \($1.firstPlace))." }
    }

    /// The tally for programs.
    var json: JSONValue {
        func counts(_ counts: OrderedDictionary<String, Count>, _ name: String) -> JSONValue {
            .array(
                counts.map {
                    // safe: counts lines
                    [name: .string($0), "users": .integer(Int64($1.number)), "first_at": .string($1.firstPlace)]
                }
            )
        }
        return [
            "imported": .integer(Int64(taken)), "left_out": counts(refusals, "reason"),
            "fields_left_out": counts(fields, "field"),
        ]
    }
}
