import CardModel
import OrderedCollections
import WireJSON

/// The fields of the card that a variant shows.
struct CardFormFields: Sendable {
    static let translated: [DraftField] = [.title, .description, .image, .imageAlt, .domain, .url]
    static let expiry: [DraftField] = [.expiresAt, .expiresAfter, .expiresInLocalTime]
    private static let texts = translated + [.language]
    private static let numbers: [DraftField] = [.imageAspectRatio, .priority]

    let times: DraftTimes

    // MARK: From a card

    func fields(of card: JSONValue) -> JSONValue {
        var fields: JSONObject = ["type": .string(card[.type]?.string ?? "classic")]
        for field in Self.texts + Self.numbers { fields[field] = .string(card.shown(field)) }
        for field in [DraftField.opensInWebView, .pinned] { fields[field] = .string(card.isOn(field) ? "on" : "") }
        fields[.dismissible] = .string(card[.dismissible]?.bool.map { $0 ? "yes" : "no" } ?? "")
        fields[.expiry] = expiry(of: card)
        let urls = CardTemplate.Platform.allCases.map { platform in
            (platform.rawValue, JSONValue.string(card.part(.urls).value(named: platform.rawValue)))
        }
        fields[.urls] = .object(JSONObject(urls, uniquingKeysWith: { _, last in last }))
        fields[.extras] = Self.pairs(card[.extras])
        fields[.translations] = .array(
            (card[.translations]?.object ?? [:]).map { Self.fields(ofTranslation: $0.value, tag: $0.key) }
        )
        return .object(fields)
    }

    func expiry(of card: JSONValue) -> JSONValue {
        let isLocal = card[.expiresInLocalTime]?.bool == true
        let kind = card[.expiresAfter]?.double != nil ? "after" : isLocal ? "local" : "at"
        let hasTime = card[.expiresAt].map { !$0.isNull } ?? false
        return [
            "kind": .string(kind == "at" && !hasTime ? "" : kind),
            "at": .string(times.field(card[.expiresAt] ?? .null)),
            "after": DurationFields.fields(of: card[.expiresAfter], unit: "days"),
        ]
    }

    static func fields(ofTranslation translation: JSONValue, tag: String) -> JSONValue {
        var fields: JSONObject = ["tag": .string(tag)]
        for field in translated { fields[field] = .string(translation.value(field)) }
        fields[.extras] = pairs(translation[.extras])
        return .object(fields)
    }

    private static func pairs(_ extras: JSONValue?) -> JSONValue {
        .array(
            (extras?.object ?? [:]).map { key, value in
                var row: JSONObject = ["key": .string(key), "value": .string(value.fieldText)]
                // One that the API wrote: it stays as it is for as long as nothing else is typed.
                if !key.hasSameBytes(as: key.trimmingSpaces) { row[.formerKey] = .string(key) }
                return .object(row)
            }
        )
    }

    // MARK: To a card

    /// The card, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue?, _ baseValues: BaseValues) -> JSONValue {
        var members = base?.object ?? [:]
        members[.type] = .string(fields.text(.type) ?? "classic")
        Self.write(Self.texts, of: fields, to: &members)
        for field in Self.numbers { members[field] = fields.text(field).map(TypedNumber.json) }
        members[.opensInWebView] = fields.isOn(.opensInWebView) ? true : JSONValue?.none
        members[.pinned] = fields.isOn(.pinned) ? true : JSONValue?.none
        members[.dismissible] = fields.text(.dismissible).map { .bool($0 == "yes") }
        write(expiry: fields.part(.expiry), to: &members, baseValues)
        let urls = CardTemplate.Platform.allCases.reduce(into: JSONObject()) { urls, platform in
            urls[platform.rawValue] = fields.part(.urls).typed(platform.rawValue)
        }
        members[.urls] = urls.isEmpty ? JSONValue?.none : .object(urls)
        members[.extras] = Self.extras(fields[.extras])
        members[.translations] = Self.translations(fields[.translations], baseValues)
        return .object(members)
    }

    private func write(expiry: JSONValue, to members: inout JSONObject, _ baseValues: BaseValues) {
        for field in Self.expiry { members[field] = JSONValue?.none }
        if let same = baseValues[expiry] {
            for (name, value) in same.object ?? [:] { members[name] = value }
            return
        }
        switch expiry.text(.kind) {
        case "at": members[.expiresAt] = times.value(expiry.text(.at), isLocal: false)
        case "local":
            members[.expiresAt] = times.value(expiry.text(.at), isLocal: true)
            members[.expiresInLocalTime] = true
        case "after": members[.expiresAfter] = DurationFields.seconds(expiry[.after])
        default: break
        }
    }

    private static func translations(_ fields: JSONValue?, _ baseValues: BaseValues) -> JSONValue? {
        var translations: JSONObject = [:]
        for fields in fields?.array ?? [] {
            guard let tag = fields.text(.tag) else { continue }
            var members: JSONObject = [:]
            write(translated, of: fields, to: &members)
            members[.extras] = extras(fields[.extras])
            translations[tag] = baseValues[fields] ?? .object(members)
        }
        return translations.isEmpty ? nil : .object(translations)
    }

    /// Texts as they were typed, those of nothing but spaces left out.
    private static func write(
        _ names: [DraftField],
        of fields: JSONValue,
        to members: inout JSONObject
    ) {
        for field in names { members[field] = fields.typed(field) }
    }

    private static func extras(_ pairs: JSONValue?) -> JSONValue? {
        var extras: JSONObject = [:]
        for pair in writtenPairs(pairs?.array ?? []) { extras[pair.key] = .string(pair.value) }
        return extras.isEmpty ? nil : .object(extras)
    }

    /// Returns the pairs of some rows: an extra may have no name, and a row in which nothing was written is none.
    static func writtenPairs(_ rows: [JSONValue]) -> [(key: String, value: String)] {
        rows.map { row in
            let typed = row.value(.key)
            let isFormer = typed.hasSameBytes(as: row.value(.formerKey))
            return (isFormer ? typed : typed.trimmingSpaces, row.value(.value))
        }
        .filter { !$0.key.isEmpty || !$0.value.isEmpty }
    }
}
