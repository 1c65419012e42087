import CardModel
import OrderedCollections
import Simulation
import WireJSON

// The filters of audiences, each made up by chance and answered from its JSON alone. A new filter is added here; what
// attributes and history need for both is in files of their own.

extension RandomAudience {
    /// Returns a filter.
    static func leaf(using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            return ["users": .array((0..<8).map { _ in .string("person-\(Int.random(in: 0..<40, using: &random))") })]
        case 1:
            let bounds = [Int64.random(in: 0...9_999, using: &random), Int64.random(in: 0...9_999, using: &random)]
                .sorted()
            return [
                "random_bucket": [
                    "from": .integer(bounds[0]), "to": .integer(bounds[1]), "salt": .string(pick(["", "x"], &random)),
                ]
            ]
        case 2: return ["segment": .string(pick(segments, &random))]
        case 3: return contact(&random)
        case 4, 5: return ["event": history(["name": .string(pick(events, &random))], &random)]
        case 6: return ["session": history([:], &random)]
        case 7: return purchase(&random)
        default: return attribute(&random)
        }
    }

    private static func contact(_ random: inout SeededRandom) -> JSONValue {
        var members: JSONObject = ["id": .string(pick(campaigns + ["none"], &random))]
        members["contact"] = .string(pick(["received", "viewed", "clicked", "dismissed"], &random))
        if Int.random(in: 0..<3, using: &random) == 0 { members["variants"] = [.string(pick(["a", "b"], &random))] }
        addWindow(to: &members, &random)
        return ["campaign": .object(members)]
    }
}

extension NaiveAudience {
    /// Returns whether a filter means a person.
    ///
    /// - Parameters:
    ///   - name: The name of the filter.
    ///   - value: The value under the name.
    ///   - json: The filter with its name.
    ///   - person: The person.
    /// - Returns: Whether it means the person.
    func holds(_ name: String, _ value: JSONValue, in json: JSONValue, of person: RandomPerson) -> Bool {
        switch name {
        case "users": return (value.array ?? []).contains(.string(person.id.rawValue))
        case "attribute": return compare(attribute(value.string ?? "", of: person), json)
        case "custom_attribute": return compare(person.custom[value["custom_attribute_name"]?.string ?? ""], value)
        case "event": return compare(person.events.filter { $0.name == value["name"]?.string }.map(\.at), person, value)
        case "session": return compare(person.sessions, person, value)
        case "purchase": return comparePurchases(person, value)
        case "campaign": return hadContact(person, value)
        case "segment":
            guard let segment = segments[SegmentID(rawValue: value.string ?? "")] else { return false }
            return means(person, segment)
        case "random_bucket":
            let number = RandomBucket.number(of: person.id, salt: value["salt"]?.string ?? "")
            return number >= value["from"]?.integer ?? 0 && number <= value["to"]?.integer ?? 9_999
        default: fatalError("The reference does not know \(name).")
        }
    }

    private func hadContact(_ person: RandomPerson, _ clause: JSONValue) -> Bool {
        let variants = clause["variants"]?.array?.compactMap(\.string)
        return person.cards.contains { card in
            guard .string(card.campaign) == clause["id"], variants?.contains(card.variant) ?? true else { return false }
            let times: [UnixTime]
            switch clause["contact"]?.string ?? "received" {
            case "received": times = [card.at]
            case "viewed": times = card.views
            case "clicked": times = card.clicks
            default: times = card.dismissals
            }
            return times.contains { isRecent($0, person, clause) }
        }
    }
}
