import OrderedCollections
import WireJSON

/// What two versions of a campaign say differently in one field, in the words of the editor.
struct CampaignDifference {
    let spot: String
    let before: String
    let after: String
    /// What a third version says there, where there is one.
    let mine: String
    let hasBefore: Bool
    let hasAfter: Bool

    private init(spot: String, before: String, after: String, mine: String) {
        self.spot = spot
        self.before = before
        self.after = after
        self.mine = mine
        hasBefore = !before.isEmpty
        hasAfter = !after.isEmpty
    }

    /// What differs between two campaigns, field by field.
    static func list(_ before: JSONValue, _ after: JSONValue, timeZone: String) -> [CampaignDifference] {
        list(entries(of: before, timeZone), entries(of: after, timeZone))
    }

    /// What they changed since the editing began, with what the draft says in the same places.
    static func list(
        _ before: JSONValue,
        _ after: JSONValue,
        beside mine: CampaignDraft
    ) -> [CampaignDifference] {
        let zone = mine.timeZone
        let texts = Texts(EditorView(mine, .init()).entries)
        return list(entries(of: before, zone), entries(of: after, zone), beside: texts)
    }

    private static func entries(of campaign: JSONValue, _ timeZone: String) -> [FieldMaker.Entry] {
        EditorView(CampaignDraft(campaign: campaign, timeZone: timeZone), .init()).entries
    }

    /// The fields that say something, by what they are found by.
    private struct Texts {
        let entries: OrderedDictionary<String, FieldMaker.Entry>

        init(_ entries: [FieldMaker.Entry]) {
            self.entries = OrderedDictionary(
                entries.filter { !$0.text.isEmpty }.map { ($0.key, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// What a field says, which is empty for nothing.
        subscript(key: String) -> String { entries[key]?.text ?? "" }
    }

    private static func list(
        _ before: [FieldMaker.Entry],
        _ after: [FieldMaker.Entry],
        beside mine: Texts = Texts([])
    ) -> [CampaignDifference] {
        let (old, new) = (Texts(before), Texts(after))
        let keys = Array(old.entries.keys) + new.entries.keys.filter { old.entries[$0] == nil }
        return keys.compactMap { key in
            let (left, right) = (old[key], new[key])
            guard left != right, let entry = new.entries[key] ?? old.entries[key] else { return nil }
            let spot = entry.group.isEmpty ? entry.label : "\(entry.group): \(entry.label)"
            return CampaignDifference(spot: spot, before: left, after: right, mine: mine[key])
        }
    }
}
