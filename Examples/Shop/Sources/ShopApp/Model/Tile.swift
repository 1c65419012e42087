import Foundation

/// One thing on the home page: of the shop itself, or brought by a card, and nobody can tell which.
struct Tile: Hashable, ContentCardable {
    /// The name of the product.
    let id: String
    let title: String
    /// One line about it.
    let detail: String
    /// The story that its page tells.
    let story: String
    /// The name of a picture of the app, or an address.
    let image: String
    /// The price; `nil` where it cannot be bought here.
    let price: Money?
    let tags: [String]
    /// The address that a tap opens, if not the page of the product.
    let deeplink: URL?
    let contentCardData: ContentCardData?

    var isControl: Bool { contentCardData?.isControl ?? false }

    init(
        id: String,
        title: String,
        detail: String = "",
        story: String = "",
        image: String = "",
        price: Money? = nil,
        tags: [String] = [],
        deeplink: URL? = nil,
        contentCardData: ContentCardData? = nil
    ) {
        self.id = id
        self.title = title
        self.detail = detail
        self.story = story
        self.image = image
        self.price = price
        self.tags = tags
        self.deeplink = deeplink
        self.contentCardData = contentCardData
    }

    /// Takes `tile_id`, `tile_title`, `tile_image`, `tile_detail`, `tile_price`, `tile_tags` and `tile_deeplink`.
    ///
    /// A tile needs a title; the slot of a control group needs nothing.
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let fields = CardFields(metaData, contentCardClassType) else { return nil }
        let title = fields.extra("tile_title")
        guard title != nil || fields.isControl else { return nil }
        self.init(
            id: fields.extra("tile_id") ?? fields.data.contentCardId,
            title: title ?? "",
            detail: fields.extra(.detail) ?? "",
            story: fields.text(.cardDescription) ?? "",
            image: fields.extra("tile_image") ?? fields.text(.image) ?? "",
            price: fields.extra("tile_price").flatMap { Decimal(plain: $0) }.map { Money($0) },
            tags: Self.tags(fields.extra(.tags)),
            deeplink: (fields.extra("tile_deeplink") ?? fields.text(.urlString)).flatMap(URL.init(string:)),
            contentCardData: fields.data
        )
    }

    /// Reads "camp, travel" and "camp,travel" alike.
    private static func tags(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

extension Tile: Decodable {
    private enum CodingKeys: CodingKey {
        case id, title, detail, story, image, price, tags
    }

    /// Reads a tile of the shop's own.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            title: try fields.decode(String.self, forKey: .title),
            detail: try fields.decodeIfPresent(String.self, forKey: .detail) ?? "",
            story: try fields.decodeIfPresent(String.self, forKey: .story) ?? "",
            image: try fields.decodeIfPresent(String.self, forKey: .image) ?? "",
            price: try fields.decodeIfPresent(String.self, forKey: .price).flatMap { Decimal(plain: $0) }.map {
                Money($0)
            },
            tags: try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
        )
    }

    /// The tiles that the app brings.
    static func bundled() -> [Tile] {
        guard let data = Assets.data("tiles.json") else { return [] }
        return (try? JSONDecoder().decode([Tile].self, from: data)) ?? []
    }
}
