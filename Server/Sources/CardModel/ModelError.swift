/// Says why something from outside is not acceptable.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, a word that stays the same.
    public enum Code: String, Sendable {
        /// A required field is absent, `null` or empty.
        case fieldMissing = "field_missing"
        /// A field has the wrong type or range, or does not go with another.
        case fieldInvalid = "field_invalid"
        /// There is no field of that name.
        case fieldUnknown = "field_unknown"
        /// A card has more bytes than the settings allow.
        case cardTooLarge = "card_too_large"
        /// A regular expression is not understood.
        case patternInvalid = "pattern_invalid"
        /// There is no segment of that id.
        case segmentUnknown = "segment_unknown"
        /// A segment would be part of itself.
        case segmentCycle = "segment_cycle"
        /// The campaign's status does not allow it.
        case transitionInvalid = "transition_invalid"
    }

    /// The reason for the error.
    public let code: Code
    /// The path of the field, such as `variants[1].card.title`; empty for the whole.
    public let path: String
    /// The message that says what to do, without any of the data.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, at path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// The message with its place.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
