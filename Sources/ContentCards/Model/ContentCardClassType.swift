/// Names what a card is to the app: the value of its extra `class_type`.
///
/// It is open. Add the types of your app in an extension:
/// ```swift
/// extension ContentCardClassType {
///     static let recipe = ContentCardClassType(rawValue: "recipe")
/// }
/// ```
/// Comparison ignores case.
public struct ContentCardClassType: RawRepresentable, Hashable, Sendable {
    /// The value of `class_type` in lowercase; empty for ``none``.
    public let rawValue: String

    /// Creates a class type from the value of `class_type`.
    public init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Creates a class type from an extra that may be missing; blank and missing make ``none``.
    public init(rawType: String?) {
        let isBlank = rawType?.allSatisfy(\.isWhitespace) ?? true
        self.init(rawValue: isBlank ? "" : rawType ?? "")
    }

    /// A card without a class type.
    public static let none = ContentCardClassType(rawValue: "")
    /// An advertisement (`ad_banner`).
    public static let ad = ContentCardClassType(rawValue: "ad_banner")
    /// A coupon (`coupon_code`).
    public static let coupon = ContentCardClassType(rawValue: "coupon_code")

    /// Returns the class type of an item on the home screen.
    public static func item(_ item: Item) -> ContentCardClassType {
        ContentCardClassType(rawValue: item.rawValue)
    }

    /// Returns the class type of a message in a message centre.
    public static func message(_ message: Message) -> ContentCardClassType {
        ContentCardClassType(rawValue: message.rawValue)
    }

    /// The kinds of items on a home screen.
    public enum Item: String, Sendable, Hashable, CaseIterable {
        /// One tile (`home_tile`).
        case tile = "home_tile"
        /// A group of tiles (`group`).
        case group
    }

    /// The kinds of messages in a message centre.
    public enum Message: String, Sendable, Hashable, CaseIterable {
        /// A page with image, title and text (`message_full_page`).
        case fullPage = "message_full_page"
        /// A web page (`message_webview`).
        case webView = "message_webview"
    }
}
