public import WireJSON

/// A piece of text or markup that templates name instead of repeating it.
public struct ContentBlock: Sendable, Hashable {
    /// The maximum size of a block, in bytes.
    public static let sizeLimit = 64 << 10
    /// The maximum number of bytes in a description.
    public static let descriptionLimit = 8_000

    /// The name that templates use: 1 to 64 letters, digits, `_`, `-` and `.`.
    @Bytewise public var name: String
    /// The content of the block, a template itself.
    @Bytewise public var content: String
    /// The description for people.
    @Bytewise public var description: String
    /// The time at which it was last changed.
    public var updatedAt: UnixTime

    /// Creates a block.
    public init(name: String, content: String, description: String = "", updatedAt: UnixTime) {
        self.name = name
        self.content = content
        self.description = description
        self.updatedAt = updatedAt
    }
}
