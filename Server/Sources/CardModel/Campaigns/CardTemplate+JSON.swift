import OrderedCollections
public import WireJSON

extension CardTemplate {
    private static let fieldNames: Set<String> = [
        "type", "title", "description", "image", "image_aspect_ratio", "image_alt", "domain", "url",
        "open_url_in_web_view", "extras", "pinned", "dismissible", "priority", "expires_at", "expires_after",
        "expires_in_local_time", "language", "urls", "translations",
    ]

    /// Reads a card template.
    ///
    /// - Throws: `ModelError` that names the wrong field.
    public init(json: JSONValue, at path: String) throws(ModelError) {
        do throws(ModelErrors) {
            self = try Self.read(json, at: path)
        } catch {
            throw error.first
        }
    }

    /// Reads a card template, and goes on after what is wrong.
    ///
    /// - Throws: `ModelErrors`, with an error for each wrong field; of a kind of card that there isn't, with that
    ///   alone.
    static func read(_ json: JSONValue, at path: String) throws(ModelErrors) -> CardTemplate {
        var parts = PartReader()
        let fields = try JSONFields.open(json, at: path, known: fieldNames, &parts)
        let layout: Layout? = parts.read(or: nil) { () throws(ModelError) in try self.layout(fields) }
        guard let layout else { throw parts.failure ?? ModelErrors(fields.missing("type")) }
        var card = CardTemplate(layout: layout)
        card.readTexts(fields, &parts)
        card.opensURLInWebView = parts.bool("open_url_in_web_view", of: fields) ?? false
        card.extras = parts.read(or: [:]) { () throws(ModelError) in try extras(fields) }
        card.isPinned = parts.bool("pinned", of: fields) ?? false
        card.dismissible = parts.bool("dismissible", of: fields)
        card.priority = parts.read(or: 0) { () throws(ModelError) in
            Int(try fields.integer("priority", in: -1_000_000...1_000_000) ?? 0)
        }
        card.expiry = parts.read(or: .never) { () throws(ModelError) in try expiry(fields) }
        card.platformURLs = parts.read(or: [:]) { () throws(ModelError) in try platformURLs(fields) }
        card.translations = parts.read(or: [:]) { () throws(ModelError) in try translations(fields) }
        card.requireFields(fields, &parts)
        if let failure = parts.failure { throw failure }
        return card
    }

    private static func layout(_ fields: JSONFields) throws(ModelError) -> Layout {
        guard let layout = Layout(rawValue: try fields.requiredString("type")) else {
            let known = Layout.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("type", "There is no such card type. Known: \(known). A control is a variant's flag.")
        }
        return layout
    }

    private mutating func readTexts(_ fields: JSONFields, _ parts: inout PartReader) {
        title = parts.string("title", of: fields)
        description = parts.string("description", of: fields)
        image = parts.string("image", of: fields)
        imageAspectRatio = parts.read(or: nil) { () throws(ModelError) in
            try fields.double("image_aspect_ratio", in: 0.01...100)
        }
        imageAlt = parts.string("image_alt", of: fields)
        domain = parts.string("domain", of: fields)
        url = parts.string("url", of: fields)
        language = parts.string("language", of: fields)
        if let url { parts.read(or: ()) { () throws(ModelError) in try CardURL.check(url, at: fields.place("url")) } }
    }

    static func extras(_ fields: JSONFields) throws(ModelError) -> StringMap<String> {
        guard let value = fields["extras"] else { return [:] }
        guard let members = value.object else { throw fields.invalid("extras", "An object is expected.") }
        var extras: StringMap<String> = [:]
        for (name, value) in members where !value.isNull {
            // Extras are strings on every device; other values arrive as their JSON text.
            extras[name] = value.string ?? value.text
        }
        return extras
    }

    private static func expiry(_ fields: JSONFields) throws(ModelError) -> CardExpiry {
        let isLocal = try fields.bool("expires_in_local_time") ?? false
        if isLocal, fields["expires_at"] == nil { throw fields.missing("expires_at") }
        let time: CardExpiry? =
            isLocal
            ? try fields.localTime("expires_at").map(CardExpiry.atLocal)
            : try fields.time("expires_at").map(CardExpiry.at)
        let seconds = try fields.double("expires_after", in: 1...3_153_600_000)
        switch (time, seconds) {
        case (nil, nil): return .never
        case (let time?, nil): return time
        case (nil, let seconds?): return .afterDelivery(seconds: seconds)
        case (_?, _?): throw fields.invalid("expires_after", "Give expires_at or expires_after, not both.")
        }
    }

    private func requireFields(_ fields: JSONFields, _ parts: inout PartReader) {
        let texts = ["title": title, "description": description, "image": image].compactMapValues { $0 }
        for name in layout.shape.requiredFields where texts[name]?.isEmpty ?? true {
            parts.refuse(fields.missing(name))
        }
    }

    /// The template as it is read back, without the fields that are at their defaults.
    public var json: JSONValue {
        var members: JSONObject = ["type": .string(layout.rawValue)]
        members["title"] = title.map(JSONValue.string)
        members["description"] = description.map(JSONValue.string)
        members["image"] = image.map(JSONValue.string)
        members["image_aspect_ratio"] = imageAspectRatio.map(JSONValue.number)
        members["image_alt"] = imageAlt.map(JSONValue.string)
        members["domain"] = domain.map(JSONValue.string)
        members["url"] = url.map(JSONValue.string)
        if opensURLInWebView { members["open_url_in_web_view"] = true }
        if !extras.isEmpty { members["extras"] = .object(extras.mapValues(JSONValue.string)) }
        if isPinned { members["pinned"] = true }
        members["dismissible"] = dismissible.map(JSONValue.bool)
        // safe: both have 64 bits
        if priority != 0 { members["priority"] = .integer(Int64(priority)) }
        switch expiry {
        case .never: break
        case .at(let time): members["expires_at"] = .number(time)
        case .atLocal(let time):
            members["expires_at"] = .string(time.text)
            members["expires_in_local_time"] = true
        case .afterDelivery(let seconds): members["expires_after"] = .number(seconds)
        }
        members["language"] = language.map(JSONValue.string)
        if !platformURLs.isEmpty {
            let pairs = platformURLs.map { ($0.key.rawValue, JSONValue.string($0.value.text)) }
            members["urls"] = .object(JSONObject(pairs, uniquingKeysWith: { _, last in last }))
        }
        if !translations.isEmpty { members["translations"] = .object(translations.mapValues(\.json)) }
        return .object(members)
    }
}
