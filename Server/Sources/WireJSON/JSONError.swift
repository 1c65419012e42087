/// Says why a text is not the JSON that was expected, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in words that carry none of the text's data.
    public let message: String
    /// The byte at which it was noticed, from 0.
    public let offset: Int

    /// Makes an error.
    public init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }

    /// The message with its place.
    public var description: String { "\(message) at byte \(offset)" }
}
