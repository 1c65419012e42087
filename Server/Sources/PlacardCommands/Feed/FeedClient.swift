import CardModel
import CommandSettings
import ContentCards
import FeedScreen
import Foundation

/// The SDK's client for one user, and what it tells.
struct FeedClient: Sendable {
    /// An event of a feed that is shown.
    enum Happening: Sendable {
        case feed(CardFeed)
        case connection(FeedConnection)
        case diagnostic(Diagnostic)
    }

    /// The time that the last events have on the way out, in seconds.
    private static let farewell = 3.0

    let user: String
    let cards: ContentCardsClient
    private let token: String?
    private let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation

    init(
        settings: SettingValues,
        server: String?,
        key: String?,
        token: String?,
        directory: String?,
        user: String
    ) throws {
        let found = try settings.value(of: .publishableKey, flag: key) ?? settings.value(of: .key)
        guard let key = found?.text else {
            throw ConfigurationError(
                "A publishable key is needed: set PLACARD_PUBLISHABLE_KEY. "
                    + "`placard key create --name NAME --kind publishable` makes one."
            )
        }
        self.user = user
        self.token = try settings.value(of: .token, flag: token)?.text
        (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
        let continuation = continuation
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(Self.directory(directory, user))
        configuration.appVersion = "placard"
        configuration.transport = WatchedTransport { continuation.yield(.connection($0)) }
        configuration.log = { continuation.yield(.diagnostic($0)) }
        cards = ContentCardsClient(
            endpoint: try ServerAddress.url(settings.value(of: .server, flag: server)),
            key: key,
            configuration: configuration
        )
    }

    /// Each user has a place of their own, so that two terminals can show two users.
    private static func directory(_ chosen: String?, _ user: String) -> URL {
        if let chosen { return URL(filePath: chosen) }
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = home.map { URL(filePath: $0) } ?? URL(filePath: NSHomeDirectory()).appending(path: ".local/share")
        let name = String(StableHash.of("feed", user), radix: 16)
        return base.appending(path: "placard/feeds/\(name)")
    }

    /// Begins, and tells what happens until ``close()``.
    func start() -> AsyncStream<Happening> {
        let updates = cards.updates
        Task {
            await cards.identify(user, token: token)
            for await feed in updates where feed.userID == user { continuation.yield(.feed(feed)) }
            continuation.finish()
        }
        return happenings
    }

    /// Returns the note that events wait, for the end of a session.
    static func pendingText(_ pending: Int) -> String {
        let wait = pending == 1 ? "waits for the server and is sent" : "wait for the server and are sent"
        return "\(Quantity.text(pending, "event")) \(wait) the next time."
    }

    /// Delivers what is pending, if the server answers soon, and ends.
    ///
    /// Returns how many events wait for the next time.
    func close() async -> Int {
        let flushing = Task { try? await cards.flush() }
        let limit = Task {
            try? await Task.sleep(for: .seconds(Self.farewell))
            flushing.cancel()
        }
        await flushing.value
        limit.cancel()
        let pending = cards.pendingEventCount
        await cards.close()
        return pending
    }
}
