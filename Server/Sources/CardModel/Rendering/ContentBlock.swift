public import WireJSON

/// A piece of text or markup that templates name instead of repeating it.
public struct ContentBlock: Sendable, Hashable {
    /// How many bytes a block may have.
    public static let sizeLimit = 64 << 10
    /// The maximum number of bytes in a description.
    public static let descriptionLimit = 8_000

    /// What templates name it by: 1 to 64 letters, digits, `_`, `-` and `.`.
    @Bytewise public var name: String
    /// What it says, a template itself.
    @Bytewise public var content: String
    /// What people should know of it.
    @Bytewise public var description: String
    /// When it was last changed.
    public var updatedAt: UnixTime

    /// Makes a block.
    public init(name: String, content: String, description: String = "", updatedAt: UnixTime) {
        self.name = name
        self.content = content
        self.description = description
        self.updatedAt = updatedAt
    }
}
