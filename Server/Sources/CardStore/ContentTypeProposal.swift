public import CardModel
public import WireJSON

/// What a version of an app says that its typed contents expect, until a member of the team accepts it.
///
/// Anybody can read an app's key, so what comes with it changes nothing by itself.
public struct ContentTypeProposal: Sendable, Hashable {
    /// The maximum number of proposals that are kept: beyond it, those that were published the longest ago go.
    public static let limit = 20

    /// What names the content of the proposal: another content has another id, so that nobody accepts what they
    /// haven't seen.
    @Bytewise public var id: String
    /// The id of the key that it was published with.
    @Bytewise public var keyID: String
    /// The version of the app, or an empty text where the app doesn't say.
    @Bytewise public var appVersion: String
    /// What the typed contents expect.
    public var types: [ContentType]
    /// When it was published.
    public var updatedAt: UnixTime

    /// Creates a proposal.
    public init(id: String, keyID: String, appVersion: String, types: [ContentType], updatedAt: UnixTime) {
        self.id = id
        self.keyID = keyID
        self.appVersion = appVersion
        self.types = types
        self.updatedAt = updatedAt
    }
}
