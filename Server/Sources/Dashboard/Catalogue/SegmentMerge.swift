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
    init(_ form: AudienceForm, name: String, description: String, over current: JSONValue) {
        let base = form.base
        let merged = form.rebased(on: current)
        let texts: [(spot: String, field: DraftField, typed: String)] = [
            (localized("Name"), .name, name), (localized("Description"), .description, description),
        ]
        let mine = texts.map { text in
            Self.merged(text.typed, current.value(text.field), since: base.value(text.field))
        }
        audience = merged
        self.name = mine[0]
        self.description = mine[1]
        let changed = texts.enumerated().map { index, text in
            Self.difference(text.spot, base.value(text.field), current.value(text.field), mine: mine[index])
        }
        differences = (changed + [Self.audienceDifference(base, current, mine: merged.audience)]).compactMap(\.self)
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
    private static func audienceDifference(_ before: JSONValue, _ after: JSONValue, mine: JSONValue) -> Difference? {
        let audiences = [before[.audience] ?? .null, after[.audience] ?? .null, mine]
        guard !audiences[0].isSameForm(as: audiences[1]) else { return nil }
        let words = audiences.map { (try? Audience(json: $0))?.localizedSummary ?? $0.text }
        let texts = words[0].hasSameBytes(as: words[1]) ? audiences.map(\.text) : words
        return difference(localized("Audience"), texts[0], texts[1], mine: texts[2])
    }
}
