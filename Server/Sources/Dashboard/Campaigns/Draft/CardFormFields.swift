import CardModel
import OrderedCollections
import WireJSON

/// What a variant shows.
struct CardFormFields: Sendable {
    static let translated = ["title", "description", "image", "image_alt", "domain", "url"]
    private static let texts = translated + ["language"]
    private static let numbers = ["image_aspect_ratio", "priority"]

    let times: DraftTimes

    // MARK: From a card

    func fields(of card: JSONValue) -> JSONValue {
        var fields: JSONObject = ["type": .string(card["type"]?.string ?? "classic")]
        for name in Self.texts + Self.numbers { fields[name] = .string(card[name]?.fieldText ?? "") }
        fields["open_url_in_web_view"] = .string(card["open_url_in_web_view"]?.bool == true ? "on" : "")
        fields["pinned"] = .string(card["pinned"]?.bool == true ? "on" : "")
        fields["dismissible"] = .string(card["dismissible"]?.bool.map { $0 ? "yes" : "no" } ?? "")
        fields["expiry"] = expiry(of: card)
        fields["urls"] = .object(
            JSONObject(
                CardTemplate.Platform.allCases.map { ($0.rawValue, .string(card["urls"]?[$0.rawValue]?.string ?? "")) },
                uniquingKeysWith: { _, last in last }
            )
        )
        fields["extras"] = Self.pairs(card["extras"])
        fields["translations"] = .array(
            (card["translations"]?.object ?? [:]).map { Self.fields(ofTranslation: $0.value, tag: $0.key) }
        )
        return .object(fields)
    }

    func expiry(of card: JSONValue) -> JSONValue {
        let isLocal = card["expires_in_local_time"]?.bool == true
        let kind = card["expires_after"]?.double != nil ? "after" : isLocal ? "local" : "at"
        let hasTime = card["expires_at"].map { !$0.isNull } ?? false
        return [
            "kind": .string(kind == "at" && !hasTime ? "" : kind),
            "at": .string(times.field(card["expires_at"] ?? .null)),
            "after": DurationFields.fields(of: card["expires_after"], unit: "days"),
        ]
    }

    static func fields(ofTranslation translation: JSONValue, tag: String) -> JSONValue {
        var fields: JSONObject = ["tag": .string(tag)]
        for name in translated { fields[name] = .string(translation[name]?.string ?? "") }
        fields["extras"] = pairs(translation["extras"])
        return .object(fields)
    }

    private static func pairs(_ extras: JSONValue?) -> JSONValue {
        .array((extras?.object ?? [:]).map { ["key": .string($0.key), "value": .string($0.value.fieldText)] })
    }

    // MARK: To a card

    /// The card, over what the form has no field for.
    func json(_ fields: JSONValue, over base: JSONValue?, _ kept: Kept) -> JSONValue {
        var members = base?.object ?? [:]
        members["type"] = .string(fields.text("type") ?? "classic")
        Self.write(Self.texts, of: fields, to: &members)
        for name in Self.numbers { members[name] = fields.text(name).map(JSONValue.guessing) ?? JSONValue?.none }
        members["open_url_in_web_view"] = fields.isOn("open_url_in_web_view") ? true : JSONValue?.none
        members["pinned"] = fields.isOn("pinned") ? true : JSONValue?.none
        members["dismissible"] = fields.text("dismissible").map { .bool($0 == "yes") } ?? JSONValue?.none
        write(expiry: fields["expiry"] ?? [:], to: &members, kept)
        var urls: JSONObject = [:]
        Self.write(CardTemplate.Platform.allCases.map(\.rawValue), of: fields["urls"] ?? [:], to: &urls)
        members["urls"] = urls.isEmpty ? JSONValue?.none : .object(urls)
        members["extras"] = Self.extras(fields["extras"])
        members["translations"] = Self.translations(fields["translations"], kept)
        return .object(members)
    }

    private func write(expiry: JSONValue, to members: inout JSONObject, _ kept: Kept) {
        for name in ["expires_at", "expires_after", "expires_in_local_time"] { members[name] = JSONValue?.none }
        if let same = kept[expiry] {
            for (name, value) in same.object ?? [:] { members[name] = value }
            return
        }
        switch expiry.text("kind") {
        case "at": members["expires_at"] = times.value(expiry.text("at"), isLocal: false)
        case "local":
            members["expires_at"] = times.value(expiry.text("at"), isLocal: true)
            members["expires_in_local_time"] = true
        case "after": members["expires_after"] = DurationFields.seconds(expiry["after"]) ?? JSONValue?.none
        default: break
        }
    }

    private static func translations(_ fields: JSONValue?, _ kept: Kept) -> JSONValue? {
        var translations: JSONObject = [:]
        for fields in fields?.array ?? [] {
            guard let tag = fields.text("tag") else { continue }
            var members: JSONObject = [:]
            write(translated, of: fields, to: &members)
            members["extras"] = extras(fields["extras"])
            translations[tag] = kept[fields] ?? .object(members)
        }
        return translations.isEmpty ? nil : .object(translations)
    }

    /// Texts as they were typed, those of nothing but spaces left out.
    private static func write(
        _ names: [String],
        of fields: JSONValue,
        to members: inout JSONObject
    ) {
        for name in names {
            members[name] = fields.text(name) == nil ? JSONValue?.none : .string(fields[name]?.string ?? "")
        }
    }

    private static func extras(_ pairs: JSONValue?) -> JSONValue? {
        var extras: JSONObject = [:]
        for pair in pairs?.array ?? [] {
            if let key = pair.text("key") { extras[key] = .string(pair["value"]?.string ?? "") }
        }
        return extras.isEmpty ? nil : .object(extras)
    }
}
