/// Names what the meta data of a card holds, and the extras of the known class types.
public enum ContentCardKey: String, Sendable, Hashable, CaseIterable {
    /// The id of the card, a `String`.
    case idString
    /// The time at which the card was created: Unix seconds, a `Double`.
    case created
    /// Whether the user may dismiss the card, a `Bool`.
    case dismissible
    /// The key-value pairs, a `[String: String]`.
    case extras
    /// The address of the image, a `String`; absent without one.
    case image
    /// The headline, a `String`; absent for banners.
    case title
    /// The text, a `String`; absent for banners.
    case cardDescription
    /// The address of the click, a `String`; absent without one.
    case urlString
    /// Whether the card belongs to a control group, a `Bool`: keep the view hidden and log its impression.
    case isControl
    /// Whether the card stays on top, a `Bool`.
    case pinned
    /// Whether the user has seen the card, a `Bool`.
    case viewed
    /// Whether the user has clicked the card, a `Bool`.
    case clicked
    /// The time at which the card expires: Unix seconds, a `Double`; absent for never.
    case expiresAt
    /// HTML to show, in the extras.
    case html
    /// The class type, in the extras.
    case classType = "class_type"
    /// The header of a message, in the extras.
    case messageHeader = "message_header"
    /// The title of a message, in the extras.
    case messageTitle = "message_title"
    /// The per cent that a coupon takes off, in the extras.
    case discountPercentage = "discount_percentage"
    /// The tags of a tile, in the extras.
    case tags = "tile_tags"
    /// The text of a tile, in the extras.
    case detail = "tile_detail"
    /// The id of a content block, in the extras.
    case contentBlock = "content_block_id"
    /// The style of a group, in the extras.
    case groupStyle = "group_style"
    /// A colour, in the extras.
    case backgroundColor = "background_color"
    /// A colour, in the extras.
    case borderColor = "border_color"
    /// A width, in the extras.
    case borderWidth = "border_width"
    /// A radius, in the extras.
    case cornerRadius = "corner_radius"
    /// The family of a font, in the extras.
    case fontStyle = "font_style"
    /// A colour, in the extras.
    case labelColor = "label_color"
    /// A colour, in the extras.
    case linkColor = "link_color"
    /// A colour, in the extras.
    case unreadColor = "unread_color"

    /// The other spelling of ``dismissible``.
    public static let dismissable = ContentCardKey.dismissible
}

extension ContentCard {
    /// The card as the meta data that a ``ContentCardable`` is made of.
    public var metaData: [ContentCardKey: Any] {
        var data: [ContentCardKey: Any] = [
            .idString: id,
            .created: createdAt.timeIntervalSince1970,
            .dismissible: isDismissible,
            .extras: extras,
            .isControl: isControl,
            .pinned: isPinned,
            .viewed: isViewed,
            .clicked: isClicked,
        ]
        data[.expiresAt] = expiresAt?.timeIntervalSince1970
        data[.urlString] = urlString
        data[.image] = image
        if kind != .banner, !isControl || !title.isEmpty { data[.title] = title }
        if kind != .banner, !isControl || !description.isEmpty { data[.cardDescription] = description }
        return data
    }
}
