public import CardModel
public import WireJSON

/// Keeps what the app's typed contents expect of a card's extras, and what apps propose.
public protocol ContentTypeStore: Sendable {
    /// Reads what the app's typed contents expect, by class type.
    func contentTypes() async throws -> [ContentType]

    /// Saves what the app's typed contents expect; the newest description of a class type replaces the older one.
    func saveContentTypes(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws

    /// Keeps what an app proposes, in place of what the same version of it proposed before.
    ///
    /// Nothing is kept of a proposal that says what ``contentTypes()`` say already, or that was dismissed. At most
    /// ``ContentTypeProposal/limit`` are kept.
    func proposeContentTypes(_ proposal: ContentTypeProposal) async throws

    /// Reads the proposals that say something new, the newest first.
    func contentTypeProposals() async throws -> [ContentTypeProposal]

    /// Creates the types of a proposal those that the app's typed contents expect.
    ///
    /// - Returns: Whether there is a proposal of that id.
    func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Hides a proposal for good; the app can still propose something else.
    ///
    /// - Returns: Whether there is a proposal of that id.
    func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Forgets what a class type expects: launches aren't checked by it any more. An app can propose it again.
    ///
    /// - Returns: Whether there was one of that class type.
    func deleteContentType(_ classType: String, at now: UnixTime, by actor: Actor) async throws -> Bool
}

/// The extras that one of the app's typed contents expects of a card.
public struct ContentType: Sendable, Hashable {
    /// The `class_type`.
    public var classType: String
    /// The description as the app sent it, an object.
    public var schema: JSONValue
    /// The time at which it was last published.
    public var updatedAt: UnixTime

    /// Creates a content type.
    public init(classType: String, schema: JSONValue, updatedAt: UnixTime) {
        self.classType = classType
        self.schema = schema
        self.updatedAt = updatedAt
    }
}

/// The expectations that a version of an app has of its typed contents, until a member of the team accepts them.
///
/// Anybody can read an app's key, so what comes with it changes nothing by itself.
public struct ContentTypeProposal: Sendable, Hashable {
    /// The maximum number of proposals that are kept: beyond it, those that were published the longest ago go.
    public static let limit = 20

    /// The ID of the proposal's content: another content has another ID, so that nobody accepts what they haven't seen.
    @Bytewise public var id: String
    /// The id of the key that it was published with.
    @Bytewise public var keyID: String
    /// The version of the app, or an empty text where the app doesn't say.
    @Bytewise public var appVersion: String
    /// The typed contents with what they expect.
    public var types: [ContentType]
    /// The time at which it was published.
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
