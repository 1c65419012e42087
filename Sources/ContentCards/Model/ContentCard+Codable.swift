import Foundation

extension ContentCard: Codable {
    enum CodingKeys: String, CodingKey {
        case id, type, title, description, image, domain, url, extras, pinned, dismissible, priority, viewed, clicked
        case dismissed, test, language
        case imageAspectRatio = "image_aspect_ratio"
        case imageAlt = "image_alt"
        case openURLInWebView = "open_url_in_web_view"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case campaignID = "campaign_id"
        case variantID = "variant_id"
    }

    /// Decodes a card of the device API, forgiving what servers have been seen to send.
    ///
    /// Booleans may be 0 and 1, numbers text, extras anything, text `null`. Only a card without an id is an error.
    public init(from decoder: any Decoder) throws {
        let fields = try TolerantContainer(decoder.container(keyedBy: CodingKeys.self))
        guard let id = fields.text(.id), !id.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no id"))
        }
        self.init(
            id: id,
            kind: Kind(wireName: fields.text(.type) ?? ""),
            title: fields.text(.title) ?? "",
            description: fields.text(.description) ?? "",
            image: fields.text(.image),
            imageAspectRatio: fields.number(.imageAspectRatio).flatMap { $0 > 0 && $0.isFinite ? $0 : nil },
            imageAlt: fields.text(.imageAlt),
            domain: fields.text(.domain),
            urlString: fields.text(.url),
            opensInWebView: fields.bool(.openURLInWebView) ?? false,
            extras: fields.extras(.extras),
            isPinned: fields.bool(.pinned) ?? false,
            isDismissible: fields.bool(.dismissible) ?? true,
            priority: fields.number(.priority).map(Self.whole) ?? 0,
            createdAt: Date(timeIntervalSince1970: fields.number(.createdAt) ?? 0),
            expiresAt: fields.number(.expiresAt).flatMap { $0 < 0 ? nil : Date(timeIntervalSince1970: $0) },
            isViewed: fields.bool(.viewed) ?? false,
            isClicked: fields.bool(.clicked) ?? false,
            isDismissed: fields.bool(.dismissed) ?? false,
            isTest: fields.bool(.test) ?? false,
            campaignID: fields.text(.campaignID),
            variantID: fields.text(.variantID),
            language: fields.text(.language)
        )
    }

    /// Encodes the card as the device API sends it.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(kind.wireName, forKey: .type)
        try fields.encode(title, forKey: .title)
        try fields.encode(description, forKey: .description)
        try fields.encodeIfPresent(image, forKey: .image)
        try fields.encodeIfPresent(imageAspectRatio, forKey: .imageAspectRatio)
        try fields.encodeIfPresent(imageAlt, forKey: .imageAlt)
        try fields.encodeIfPresent(domain, forKey: .domain)
        try fields.encodeIfPresent(urlString, forKey: .url)
        try fields.encode(opensInWebView, forKey: .openURLInWebView)
        try fields.encode(extras, forKey: .extras)
        try fields.encode(isPinned, forKey: .pinned)
        try fields.encode(isDismissible, forKey: .dismissible)
        try fields.encode(priority, forKey: .priority)
        try fields.encode(createdAt.timeIntervalSince1970, forKey: .createdAt)
        try fields.encodeIfPresent(expiresAt?.timeIntervalSince1970, forKey: .expiresAt)
        try fields.encode(isViewed, forKey: .viewed)
        try fields.encode(isClicked, forKey: .clicked)
        try fields.encode(isDismissed, forKey: .dismissed)
        try fields.encode(isTest, forKey: .test)
        try fields.encodeIfPresent(campaignID, forKey: .campaignID)
        try fields.encodeIfPresent(variantID, forKey: .variantID)
        try fields.encodeIfPresent(language, forKey: .language)
    }

    private static func whole(_ number: Double) -> Int {
        Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? Int.max : number < 0 ? Int.min : 0)
    }
}
