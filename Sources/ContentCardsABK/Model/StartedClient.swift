import ContentCards

/// Finds the client that was started last, for cards that are read from an archive.
enum StartedClient {
    private static let lookup = Locked<@Sendable () -> ContentCardsClient?>({ nil })

    /// The client that was started last, or `nil` before the start.
    static var current: ContentCardsClient? { lookup.withLock { $0 }() }

    /// Says how the client is found; whoever starts it knows.
    static func find(by find: @escaping @Sendable () -> ContentCardsClient?) {
        lookup.withLock { $0 = find }
    }
}
