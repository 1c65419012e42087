import CardModel
import OrderedCollections
import WireJSON

/// The difference of two versions of a campaign in one field, in the words of the editor; as JSON where these words are
/// the same, since words are made to be read and leave things out.
struct CampaignDifference {
    let spot: String
    let before: String
    let after: String
    /// The value of a third version, where there is one.
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

    /// A formatter of campaigns in the words of the editor.
    private struct EntryFormatter {
        let timeZone: String
        let labels: AudienceLabels

        func entries(of draft: CampaignDraft) -> [FieldMaker.NamedField] {
            EditorView(draft, .init(labels: labels)).entries
        }

        func entries(of campaign: JSONValue) -> [FieldMaker.NamedField] {
            entries(of: CampaignDraft(campaign: campaign, timeZone: timeZone))
        }
    }

    /// Returns the differences between two campaigns, field by field.
    ///
    /// - Parameters:
    ///   - before: The campaign as it was.
    ///   - after: The campaign as it is.
    ///   - timeZone: The time zone in which times are shown.
    ///   - labels: The names of segments and campaigns that audiences name.
    /// - Returns: The differences.
    static func list(
        _ before: JSONValue,
        _ after: JSONValue,
        timeZone: String,
        labels: AudienceLabels = AudienceLabels()
    ) -> [CampaignDifference] {
        let formatter = EntryFormatter(timeZone: timeZone, labels: labels)
        let (old, new) = (formatter.entries(of: before), formatter.entries(of: after))
        return list(old, new) + unspoken(before, after, old, new, formatter)
    }

    /// Returns the changes that others made since the editing began, with what the draft says in the same places.
    static func list(
        _ before: JSONValue,
        _ after: JSONValue,
        beside mine: CampaignDraft,
        labels: AudienceLabels
    ) -> [CampaignDifference] {
        let formatter = EntryFormatter(timeZone: mine.timeZone, labels: labels)
        let texts = Texts(formatter.entries(of: mine))
        let (old, new) = (formatter.entries(of: before), formatter.entries(of: after))
        return list(old, new, beside: texts) + unspoken(before, after, old, new, formatter)
    }

    /// The limits on values that are looked at one by one, on fields of the editor for which they are in all, and on
    /// those that are shown.
    private static let unspokenLimits = (found: 2_000, tried: 100, fields: 20_000, shown: 50)

    /// The changes of which the words of the editor say nothing, such as other users in a list that is as long.
    private static func unspoken(
        _ before: JSONValue,
        _ after: JSONValue,
        _ old: [FieldMaker.NamedField],
        _ new: [FieldMaker.NamedField],
        _ formatter: EntryFormatter
    ) -> [CampaignDifference] {
        let limits = unspokenLimits
        let changes = JSONChange.list(from: content(of: before), to: content(of: after), limit: limits.found)
        let (oldTexts, newTexts) = (texts(old), texts(new))
        // Each try writes the whole campaign in the editor's words: the larger it is, the fewer there are.
        let tries = min(limits.tried, limits.fields / max(old.count, 1))
        var tried = 0
        let unspoken = changes.filter { change in
            let path = change.path
            // A field that holds just this value, and says another one.
            if let left = oldTexts[path], let right = newTexts[path], left != right, !path.hasPrefix("audience") {
                return false
            }
            tried += 1
            guard tried <= tries else { return true }
            return texts(formatter.entries(of: change.applied(to: before))) == oldTexts
        }
        // safe: a positive number
        return unspoken.prefix(limits.shown).map { change in
            let entry = FieldMaker.entry(for: change.path, among: new) ?? FieldMaker.entry(for: change.path, among: old)
            let label = entry.map { name(of: $0) }
            let (left, right) = change.texts
            let spot = label.map { "\($0) (\(change.path))" } ?? change.path
            return CampaignDifference(spot: spot, before: left, after: right, mine: "")
        }
    }

    /// Returns the label of a field, with its group.
    private static func name(of entry: FieldMaker.NamedField) -> String {
        entry.group.isEmpty ? entry.label : PageFormatter.labeled(entry.group, entry.label)
    }

    /// Returns the parts of a campaign that people write, spelt as the API spells them where they can be read.
    private static func content(of campaign: JSONValue) -> JSONValue {
        let allowed = Campaign.keptFieldNames.union(["warnings"])
        if let content = try? Campaign.Content(json: campaign, allowing: allowed) { return .object(content.json) }
        let members = (campaign.object ?? [:]).filter { name, _ in
            !allowed.contains(name)
        }
        return .object(members)
    }

    private static func texts(_ entries: [FieldMaker.NamedField]) -> [String: ByteString] {
        Dictionary(entries.map { ($0.path, ByteString($0.text)) }) { first, _ in first }
    }

    /// The fields that say something, by what they are found by.
    private struct Texts {
        let entries: OrderedDictionary<String, FieldMaker.NamedField>

        init(_ entries: [FieldMaker.NamedField]) {
            self.entries = OrderedDictionary(
                entries.filter { !$0.text.isEmpty }.map { ($0.key, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// Accesses the text of a field, which is empty for nothing.
        subscript(key: String) -> String { entries[key]?.text ?? "" }
    }

    private static func list(
        _ before: [FieldMaker.NamedField],
        _ after: [FieldMaker.NamedField],
        beside mine: Texts = Texts([])
    ) -> [CampaignDifference] {
        let (old, new) = (Texts(before), Texts(after))
        let keys = Array(old.entries.keys) + new.entries.keys.filter { old.entries[$0] == nil }
        return keys.compactMap { key in
            let (left, right) = (old[key], new[key])
            guard !left.hasSameBytes(as: right), let entry = new.entries[key] ?? old.entries[key] else { return nil }
            let told = JSONChange.told(apart: left, right)
            return CampaignDifference(spot: name(of: entry), before: told.before, after: told.after, mine: mine[key])
        }
    }
}
