import OrderedCollections
import WireJSON

extension CampaignDraft {
    /// The place where the form goes on after rows were added or removed, and the change.
    struct Reshaped {
        /// The place of what was added, or of the list that something was removed from.
        var place: String
        var said: String
    }

    /// The same fields over another version of the campaign.
    func over(_ current: JSONValue) -> CampaignDraft {
        CampaignDraft(fields: fields, over: current, timeZone: timeZone)
    }

    /// The draft over a newer version of the campaign, with what only that one has changed.
    func rebased(on current: JSONValue) -> CampaignDraft {
        let before = CampaignDraft(campaign: base, timeZone: timeZone)
        let theirs = CampaignDraft(campaign: current, timeZone: timeZone)
        let merged = FormMerge.merge(fields, theirs.fields, since: before.fields)
        var draft = CampaignDraft(fields: merged, over: current, timeZone: timeZone)
        draft.traffic = traffic
        // Where the split is theirs, it is in their unit.
        if weights == before.weights { draft.traffic.isPercent = theirs.isSplitInPercent }
        return draft
    }

    private var weights: [String] { variants.map { $0.trimmed(.weight) } }

    /// Adds or removes rows, as a button of the form says: `add PLACE KIND`, `remove PLACE`, `group PLACE`.
    mutating func reshape(_ order: [String], controlShare: Int = TrafficSplit.usualControl) -> Reshaped? {
        guard order.count > 1, order[1].hasPrefix("c.") else { return nil }
        let place = FormPlace(order[1].dropFirst(2))
        switch order[0] {
        case "add":
            let item = row(for: place, kind: order.count > 2 ? order[2] : "")
            let count = place.value(in: fields)?.array?.count ?? 0
            if place.list == "variants" {
                addVariant(item, controlShare: controlShare)
            } else {
                fields = place.changing(fields) { .array(($0?.array ?? []) + [item]) }
            }
            return Reshaped(place: "\(order[1])[\(count)]", said: localized("Added."))
        case "remove":
            let isSplit = place.list == "variants" && isSplitInPercent
            fields = place.changing(fields) { _ in nil }
            if isSplit { splitAmongVariants() }
            let list = order[1].prefix(upTo: order[1].utf8.lastIndex(of: UInt8(ascii: "[")) ?? order[1].endIndex)
            return Reshaped(place: String(list), said: localized("Removed."))
        case "group":
            fields = place.changing(fields) { $0.map { ["kind": "any", "items": [$0]] } }
            return Reshaped(place: order[1], said: localized("Put into a group."))
        default: return nil
        }
    }

    /// An empty row for a list.
    private func row(for place: FormPlace, kind: String) -> JSONValue {
        switch place.list {
        case "variants": variant(isControl: kind == "control")
        case "conversions":
            ["id": .string(newConversionID), "from": "delivery", "window": ["number": "3", "unit": "days"]]
        case "items": ["kind": .string(kind)]
        case "extras": ["key": "", "value": ""]
        case "translations": ["tag": ""]
        default: ["name": ""]
        }
    }

    private var newConversionID: String {
        let used = Set(fields.rows(.conversions).compactMap { $0.text(.id) })
        return (1...9).map { "goal\($0)" }.first { !used.contains($0) } ?? ""
    }

    /// Another variant: with the texts of the first one to begin with, or the control.
    private func variant(isControl: Bool) -> JSONValue {
        let used = Set(variants.compactMap { $0.text(.id) })
        let letters = "abcdefghijklmnopqrst".map(String.init)
        let id = isControl && !used.contains("control") ? "control" : letters.first { !used.contains($0) } ?? ""
        var members = variants.first { !$0.isOn(.control) }?.object ?? [:]
        members[.id] = .string(id)
        members[.name] = .string(isControl ? localized("Control") : localized("Variant \(id.uppercased())"))
        members[.control] = .string(isControl ? "on" : "")
        if isControl { members[.card] = JSONValue?.none }
        return .object(members)
    }

    /// Adds key-value pairs that are not there yet; the first gets the value.
    mutating func addPairs(_ keys: [String], value: String, toVariant index: Int) {
        let place = FormPlace("variants[\(index)].card.extras")
        var pairs = place.value(in: fields)?.array ?? []
        let known = Set(pairs.compactMap { $0.text(.key) })
        for (number, key) in keys.enumerated() where !known.contains(key) {
            pairs.append(["key": .string(key), "value": .string(number == 0 ? value : "")])
        }
        fields = place.changing(fields) { _ in .array(pairs) }
    }
}
