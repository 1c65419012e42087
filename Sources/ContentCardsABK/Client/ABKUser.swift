import ContentCards

/// Says who uses the app.
public final class ABKUser: Sendable {
    private let client: ContentCardsClient

    init(_ client: ContentCardsClient) {
        self.client = client
    }

    /// The id of the user; `nil` while nobody has signed in.
    public var userID: String? {
        guard let user = client.userID, !user.hasPrefix("anonymous-") else { return nil }
        return user
    }
}
