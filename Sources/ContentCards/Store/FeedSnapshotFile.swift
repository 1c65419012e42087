import Foundation

/// The file from which widgets and other extensions of an app read its feed.
///
/// It is replaced as a whole: a reader finds the old feed or the new one, and nothing is locked.
struct FeedSnapshotFile: Sendable, Equatable {
    private let folder: URL

    /// Finds the file below a directory that app and extensions share.
    init(directory: URL) {
        folder = directory.appendingPathComponent("ContentCards", isDirectory: true)
    }

    private var file: URL { folder.appendingPathComponent("snapshot") }

    /// Writes a feed; `nil` removes the file.
    ///
    /// What only a sync needs is left out.
    func write(_ shown: (user: String, feed: FeedState)?) throws {
        guard let shown else {
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            return try FileManager.default.removeItem(at: file)
        }
        var cached = CachedFeed(user: shown.user, state: shown.feed)
        (cached.cursor, cached.dismissals, cached.reported) = (nil, [], [:])
        cached.cards.removeAll { $0.isDismissed }
        try PrivateDirectory.create(folder)
        try Envelope.seal(cached.bytes).write(to: file, options: FileProtection.replacing)
    }

    /// Reads the feed; `nil` where there is none, or one that can't be read.
    func read(at date: Date) -> CardFeed? {
        let stored = StoredFile.read(path: file.path, limit: StoredFile.feedLimit)
        guard let data = stored.data, let cached = Envelope.open(data, CachedFeed.init) else { return nil }
        let state = cached.state
        return CardFeed(
            userID: cached.user,
            cards: state.visible(at: date),
            lastSync: cached.lastSync,
            nextExpiry: state.nextExpiry(after: date),
            sink: nil
        )
    }
}

extension CardFeed {
    /// Returns the feed that an app keeps for its widgets and other extensions; `nil` while no user is identified.
    ///
    /// It is as the app saved it last: after a sync, when it left the screen, and when the user changed. Expired cards
    /// are left out. Reading takes no lock, makes no request, and logs nothing.
    ///
    /// ```swift
    /// let feed = CardFeed.snapshot(appGroupIdentifier: "group.com.example.shop")
    /// ```
    /// - Parameters:
    ///   - appGroupIdentifier: the group of app and extension, as in
    ///     ``ContentCardsClient/Configuration/appGroupIdentifier``.
    ///   - date: the time for which expired cards are left out; now by default. A widget asks for the time of an entry.
    /// - Returns: the feed.
    public static func snapshot(appGroupIdentifier: String, at date: Date = Date()) -> CardFeed? {
        AppGroup.container(appGroupIdentifier).flatMap { snapshot(in: $0, at: date) }
    }

    /// Returns the feed that an app keeps in a directory of its choice.
    ///
    /// - Parameters:
    ///   - directory: the directory, as in ``ContentCardsClient/Configuration/snapshotDirectory``.
    ///   - date: the time for which expired cards are left out; now by default.
    /// - Returns: the feed.
    public static func snapshot(in directory: URL, at date: Date = Date()) -> CardFeed? {
        FeedSnapshotFile(directory: directory).read(at: date)
    }
}
