import OrderedCollections
import WireJSON

extension CardTemplate {
    /// The platform on which an app runs.
    public enum Platform: String, Sendable, CaseIterable {
        /// iOS, iPadOS, tvOS, visionOS and macOS.
        case ios
        /// Android.
        case android
        /// A browser.
        case web
    }

    /// The differences for users of one language; what is `nil` is as in the template.
    public struct Translation: Sendable, Hashable {
        /// The headline.
        @Bytewise public var title: String?
        /// The text.
        @Bytewise public var description: String?
        /// The image's URL.
        @Bytewise public var image: String?
        /// The alternative text of the image.
        @Bytewise public var imageAlt: String?
        /// The text of the link.
        @Bytewise public var domain: String?
        /// The address that a click opens.
        @Bytewise public var url: String?
        /// Key-value pairs that take the place of those with the same keys.
        @Bytewise public var extras: StringMap<String> = [:]

        /// Creates a translation that changes nothing.
        public init() {}
    }

    /// The template with the texts of one of its translations.
    public func translated(to language: String) -> CardTemplate {
        guard let translation = translations[language] else { return self }
        var card = self
        card.language = language
        card.title = translation.title ?? title
        card.description = translation.description ?? description
        card.image = translation.image ?? image
        card.imageAlt = translation.imageAlt ?? imageAlt
        card.domain = translation.domain ?? domain
        card.url = translation.url ?? url
        card.extras.merge(translation.extras) { _, new in new }
        return card
    }

    /// The template with the URL of a platform.
    public func adapted(to platform: Platform?) -> CardTemplate {
        guard let platform, let url = platformURLs[platform] else { return self }
        var card = self
        card.url = url.text
        return card
    }
}

// MARK: JSON

extension CardTemplate {
    static func platformURLs(_ fields: JSONFields) throws(ModelError) -> OrderedDictionary<Platform, ByteString> {
        guard let json = fields["urls"] else { return [:] }
        let inner = try JSONFields(json, at: fields.place("urls"), known: Set(Platform.allCases.map(\.rawValue)))
        var urls: OrderedDictionary<Platform, ByteString> = [:]
        for platform in Platform.allCases {
            guard let url = try inner.string(platform.rawValue) else { continue }
            try CardURL.check(url, at: inner.place(platform.rawValue))
            urls[platform] = ByteString(url)
        }
        return urls
    }

    static func translations(_ fields: JSONFields) throws(ModelError) -> StringMap<Translation> {
        guard let json = fields["translations"] else { return [:] }
        guard let members = json.object, members.count <= 100 else {
            throw fields.invalid("translations", "An object of at most 100 languages is expected.")
        }
        var translations: StringMap<Translation> = [:]
        for (tag, value) in members {
            let place = fields.place("translations.\(tag)")
            guard LanguageTag.isValid(tag) else {
                throw ModelError(.fieldInvalid, at: place, "A BCP 47 tag such as pt-BR is expected.")
            }
            translations[tag] = try Translation(json: value, at: place)
        }
        return translations
    }
}

extension CardTemplate.Translation {
    init(json: JSONValue, at path: String) throws(ModelError) {
        let names: Set<String> = ["title", "description", "image", "image_alt", "domain", "url", "extras"]
        let fields = try JSONFields(json, at: path, known: names)
        title = try fields.string("title")
        description = try fields.string("description")
        image = try fields.string("image")
        imageAlt = try fields.string("image_alt")
        domain = try fields.string("domain")
        url = try fields.string("url")
        extras = try CardTemplate.extras(fields)
        if let url { try CardURL.check(url, at: fields.place("url")) }
    }

    var json: JSONValue {
        var members: JSONObject = [:]
        members["title"] = title.map(JSONValue.string)
        members["description"] = description.map(JSONValue.string)
        members["image"] = image.map(JSONValue.string)
        members["image_alt"] = imageAlt.map(JSONValue.string)
        members["domain"] = domain.map(JSONValue.string)
        members["url"] = url.map(JSONValue.string)
        if !extras.isEmpty { members["extras"] = .object(extras.mapValues(JSONValue.string)) }
        return .object(members)
    }
}
