import CardModel
import WireJSON

/// A segment as a form has it, on top of what another member has saved since the form was opened.
struct SegmentMerge {
    /// A change that the other member has saved, with what the form says in the same place.
    struct Difference {
        let spot: String
        let before: String
        let after: String
        let mine: String
        let hasBefore: Bool
        let hasAfter: Bool
    }

    let audience: AudienceForm
    let name: String
    let description: String
    let differences: [Difference]

    /// Merges what the form has changed into what is saved now: where both changed the same, the form counts.
    init(
        _ form: AudienceForm,
        name: String,
        description: String,
        over current: JSONValue,
        _ labels: AudienceLabels
    ) {
        let base = form.base
        let merged = form.rebased(on: current)
        let mine = Self.merged(name, current.value(.name), since: base.value(.name))
        let told = Self.merged(description, current.value(.description), since: base.value(.description))
        audience = merged
        self.name = mine
        self.description = told
        differences = [
            Self.difference(localized("Name"), base.value(.name), current.value(.name), mine: mine),
            Self.difference(
                localized("Description"),
                base.value(.description),
                current.value(.description),
                mine: told
            ),
            Self.audienceDifference(
                base[.audience] ?? .null,
                current[.audience] ?? .null,
                mine: merged.audience,
                labels
            ),
        ].compactMap(\.self)
    }

    private static func merged(_ mine: String, _ theirs: String, since base: String) -> String {
        mine.hasSameBytes(as: base) ? theirs : mine
    }

    private static func difference(_ spot: String, _ before: String, _ after: String, mine: String) -> Difference? {
        guard !before.hasSameBytes(as: after) else { return nil }
        return Difference(
            spot: spot,
            before: before,
            after: after,
            mine: mine,
            hasBefore: !before.isEmpty,
            hasAfter: !after.isEmpty
        )
    }

    /// The difference of the audiences in words; as JSON where these words are the same.
    private static func audienceDifference(
        _ before: JSONValue,
        _ after: JSONValue,
        mine: JSONValue,
        _ labels: AudienceLabels
    ) -> Difference? {
        guard !before.isSameForm(as: after) else { return nil }
        func words(_ audience: JSONValue) -> String {
            (try? Audience(json: audience))?.localizedSummary(labels) ?? audience.text
        }
        let isTold = !words(before).hasSameBytes(as: words(after))
        func text(_ audience: JSONValue) -> String { isTold ? words(audience) : audience.text }
        return difference(localized("Audience"), text(before), text(after), mine: text(mine))
    }
}
