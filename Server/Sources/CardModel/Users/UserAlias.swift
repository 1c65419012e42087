public import WireJSON

/// A second name of a user, in a system that the label names: `{"alias_label": "loyalty_id", "alias_name": "4711"}`.
///
/// A user has one name at most for each label, and a name belongs to one user at most.
public struct UserAlias: Sendable, Hashable {
    /// The system in which it is a name.
    @Bytewise public private(set) var label: String
    /// The name.
    @Bytewise public private(set) var name: String

    /// Takes an alias that was checked before.
    public init(label: String, name: String) {
        self.label = label
        self.name = name
    }

    /// Takes an alias from outside, or returns `nil` where a part isn't an ``IdentityText`` of 1 to 255 bytes.
    public init?(checkingLabel label: String, name: String) {
        guard IdentityText.isValid(label), IdentityText.isValid(name) else { return nil }
        self.init(label: label, name: name)
    }
}

extension UserID {
    /// The prefix of the IDs of users of which only an alias, an e-mail address or a telephone number is known.
    public static let unidentifiedPrefix = "unidentified-"
    /// The prefix of the IDs of users that the SDK created before anybody signed in.
    public static let anonymousPrefix = "anonymous-"

    /// Whether the app or backend gave the id, so that it says who the user is.
    public var isIdentified: Bool {
        !rawValue.hasBytePrefix(Self.unidentifiedPrefix) && !rawValue.hasBytePrefix(Self.anonymousPrefix)
    }
}
