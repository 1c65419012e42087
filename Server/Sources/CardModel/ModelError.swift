/// Says why something from outside is not acceptable.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, as a word that stays the same.
    public enum Code: String, Sendable {
        case fieldMissing = "field_missing"
        case fieldInvalid = "field_invalid"
        case fieldUnknown = "field_unknown"
        case cardTooLarge = "card_too_large"
        case transitionInvalid = "transition_invalid"
    }

    public let code: Code
    /// Where, such as `variants[1].card.title`; empty for the whole.
    public let path: String
    /// What to do, without any of the data.
    public let message: String

    public init(_ code: Code, at path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// The message with its place.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
