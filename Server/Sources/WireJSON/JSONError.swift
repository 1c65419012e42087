/// Says why a text is not the JSON that was expected, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message that says what is wrong, in words that carry none of the text's data.
    public let message: String
    /// The byte at which it was noticed, from 0.
    public let offset: Int
    /// Whether the text is JSON, in which a name stands twice in an object.
    public let isRepeatedName: Bool

    /// Creates an error.
    public init(_ message: String, at offset: Int) {
        self.init(message, at: offset, isRepeatedName: false)
    }

    private init(_ message: String, at offset: Int, isRepeatedName: Bool) {
        self.message = message
        self.offset = offset
        self.isRepeatedName = isRepeatedName
    }

    /// Makes an error for a name that stands twice in an object.
    static func repeatedName(at offset: Int) -> JSONError {
        JSONError("A name stands twice in an object", at: offset, isRepeatedName: true)
    }

    /// The message with its place.
    public var description: String { "\(message) at byte \(offset)" }
}
