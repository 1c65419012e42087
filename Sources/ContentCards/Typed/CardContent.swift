/// Decodes from the extras of a card.
///
/// ```swift
/// struct Coupon: CardContent {
///     static let classType = ContentCardClassType.coupon
///     let card: ContentCard
///     let discountPercentage: Decimal
///     let terms: URL?
/// }
/// let coupons = feed.objects(Coupon.self)
/// ```
/// A property takes the extra of its own name, or of its name in snake case (`discount_percentage`). Extras are text,
/// and are read as the property's type: whole and decimal numbers, `true`/`false`/`1`/`0`, addresses, dates (Unix
/// seconds or ISO 8601), enums with raw values, lists (JSON, or `a, b`), and nested JSON. An extra that is missing or
/// blank is `nil` for an optional. A property of type ``ContentCard`` is the card itself.
public protocol CardContent: Decodable, Sendable {
    /// The class type whose cards decode as this type.
    static var classType: ContentCardClassType { get }

    /// The extras that the type expects, for the server.
    ///
    /// The default finds it out from `Decodable`. It ends at an enum that is not `CaseIterable`, or at a property that
    /// takes only some texts: such a type describes itself.
    static var schema: ContentTypeSchema { get }
}

extension CardContent {
    /// The schema that `Decodable` tells of the type.
    public static var schema: ContentTypeSchema {
        ContentTypeSchema(classType: classType, fields: SchemaRecorder.fields(of: Self.self))
    }
}

/// Joins a card with what its extras decoded to.
///
/// Properties of the content can be read directly: `typed.discountPercentage`.
@dynamicMemberLookup
public struct TypedCard<Content: Sendable>: Sendable, Identifiable {
    /// The card.
    public let card: ContentCard
    /// Its content.
    public let content: Content

    /// The id of the card.
    public var id: String { card.id }

    /// Reads a property of the content.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Content, Value>) -> Value {
        content[keyPath: keyPath]
    }
}
