import OrderedCollections
import WireJSON

extension CampaignDraft {
    /// A draft of nothing yet, with fields to begin with.
    init(emptyWith fields: JSONValue, timeZone: String) {
        self.init(campaign: [:], timeZone: timeZone)
        self.fields = fields
    }

    /// The same fields over a newer version of the campaign.
    func rebased(on current: JSONValue) -> CampaignDraft {
        var draft = CampaignDraft(campaign: current, timeZone: timeZone)
        draft.fields = fields
        return draft
    }

    /// Adds or removes rows, as a button of the form says: `pair 0`, `unpair 0 2`, `variant`, `control`, `unvariant 1`,
    /// `condition KIND PLACE`, `uncondition PLACE`.
    mutating func reshape(_ order: [String]) {
        let number = order.count > 1 ? Int(order[1]) : nil
        switch order.first {
        case "pair": addPairs([""], value: "", toVariant: number ?? 0)
        case "unpair": removePair(number ?? 0, order.count > 2 ? Int(order[2]) ?? 0 : 0)
        case "variant": addVariant(isControl: false)
        case "control": addVariant(isControl: true)
        case "unvariant":
            change("variants") { items in
                if let number, items.indices.contains(number) { items.remove(at: number) }
            }
        case "condition" where order.count == 3:
            set("audience", AudienceFields.adding(order[1], to: order[2], in: fields["audience"] ?? ["kind": "all"]))
        case "uncondition" where order.count >= 2:
            set("audience", AudienceFields.removing(order[1], in: fields["audience"] ?? ["kind": "all"]))
        default: break
        }
    }

    /// Adds key-value pairs that are not there yet; the first gets the value.
    mutating func addPairs(_ keys: [String], value: String, toVariant index: Int) {
        change("variants") { variants in
            guard variants.indices.contains(index), case .object(var members) = variants[index] else { return }
            var card = members["card"]?.object ?? [:]
            var pairs = card["extras"]?.array ?? []
            let known = Set(pairs.compactMap { $0.text("key") })
            for (number, key) in keys.enumerated() where !known.contains(key) {
                pairs.append(["key": .string(key), "value": .string(number == 0 ? value : "")])
            }
            card["extras"] = .array(pairs)
            members["card"] = .object(card)
            variants[index] = .object(members)
        }
    }

    private mutating func removePair(_ index: Int, _ number: Int) {
        change("variants") { variants in
            guard variants.indices.contains(index), case .object(var members) = variants[index],
                var card = members["card"]?.object, var pairs = card["extras"]?.array, pairs.indices.contains(number)
            else { return }
            pairs.remove(at: number)
            card["extras"] = .array(pairs)
            members["card"] = .object(card)
            variants[index] = .object(members)
        }
    }

    private mutating func addVariant(isControl: Bool) {
        let used = Set(variants.compactMap { $0.text("id") })
        let letters = "abcdefghijklmnopqrst".map(String.init)
        let id = isControl && !used.contains("control") ? "control" : letters.first { !used.contains($0) } ?? "z"
        change("variants") { variants in
            var members = variants.first { !$0.isOn("control") }?.object ?? [:]
            members["id"] = .string(id)
            members["name"] = .string(isControl ? "Control" : "Variant \(id.uppercased())")
            members["weight"] = "1"
            members["control"] = .string(isControl ? "on" : "")
            if isControl { members["card"] = JSONValue?.none }
            variants.append(.object(members))
        }
    }

    private mutating func change(_ name: String, _ body: (inout [JSONValue]) -> Void) {
        var items = fields[name]?.array ?? []
        body(&items)
        set(name, .array(items))
    }

    private mutating func set(_ name: String, _ value: JSONValue) {
        var members = fields.object ?? [:]
        members[name] = value
        fields = .object(members)
    }
}
