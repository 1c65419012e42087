import WireJSON

/// A user who gets tests: by default where a test names none, and by name where it is a test device.
public struct TestUser: Sendable, Hashable {
    /// The maximum number of test users.
    public static let limit = 50
    /// The maximum number of bytes in a name.
    public static let nameBytes = 120

    /// The user.
    public let id: UserID
    /// What the team calls the user's device, such as `Anna’s iPhone`, or `nil` for none.
    @Bytewise public private(set) var name: String?

    /// Creates a test user.
    public init(_ id: UserID, name: String? = nil) {
        self.id = id
        self.name = name
    }

    /// Returns whether a text can be a name.
    public static func isName(_ text: String) -> Bool { IdentityText.isValid(text, maximumBytes: nameBytes) }
}
