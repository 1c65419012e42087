import Foundation

/// Keeps the feed of the current user up to date and delivers what the user does with it.
///
/// ```swift
/// let cards = ContentCardsClient(endpoint: url, key: "pk_…")
/// await cards.identify("user-42", token: jwt)
/// for await feed in cards.updates { show(feed.cards) }
/// ```
/// Make one client and keep it: its work ends when the last reference to it goes, or with ``close()``. All of it can be
/// used from any thread.
public final class ContentCardsClient: Sendable {
    let core: ClientCore
    private let lifecycle: AppLifecycle?

    /// Creates a client and returns at once; the cached feed is loaded on another thread.
    ///
    /// An endpoint that is not an http or https address is reported as a diagnostic, and no request is ever made.
    /// - Parameters:
    ///   - endpoint: the address of the server.
    ///   - key: the publishable key, `pk_…`.
    ///   - configuration: settings; the defaults suit an app.
    public init(endpoint: URL, key: String, configuration: Configuration = Configuration()) {
        let core = ClientCore(endpoint: endpoint, key: key, configuration: configuration)
        self.core = core
        lifecycle = configuration.sessions == .automatic ? AppLifecycle(core) : nil
        Task.detached(priority: .userInitiated) { await core.begin() }
    }

    deinit {
        let core = core
        Task.detached { await core.close() }
    }

    // MARK: Users

    /// Says who uses the app.
    ///
    /// Returns when that user's cached feed has been published; the sync follows by itself.
    ///
    /// Another user's feed is gone at once, and an answer still under way for them is not looked at; their undelivered
    /// events are delivered as theirs. The same user again changes the token at most.
    /// - Parameters:
    ///   - userID: 1 to 512 UTF-8 bytes without control characters, line or paragraph separators and characters that
    ///     turn the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), as the server
    ///     asks for; anything else is reported as ``Diagnostic/invalidUserID`` and changes nothing.
    ///   - token: a JWT for this user; `nil` where the server asks none or a token provider is set. It is never written
    ///     to a file.
    public func identify(_ userID: String, token: String? = nil) async {
        await core.identify(userID, token: token)
    }

    /// Says that the person who uses the app has not signed in: the user is this device.
    ///
    /// The user id is `anonymous-` and the device's id, a random UUID that lasts until ``wipe()``. For the server it is
    /// a user like any other; a later ``identify(_:token:)`` switches users and does not merge them. Where the server
    /// requires tokens, nobody can sign for such a user, and requests are refused.
    public func identifyAnonymously() async {
        core.open()
        await identify(core.feed.device.anonymousUser)
    }

    /// The user whose feed is shown; `nil` while nobody is identified.
    public var userID: String? {
        core.open()
        return core.feed.user
    }

    // MARK: The feed

    /// The feed as it is now.
    ///
    /// The first call may read the cache from the disk, which takes a few milliseconds.
    public var feed: CardFeed {
        core.open()
        return core.feed.snapshot
    }

    /// Every state of the feed: the cached one first, then one for each sync (also without changes), each local
    /// change, expiry, switch of users, `disable` and `wipe`.
    ///
    /// Each use makes a stream of its own for one `for await` loop; it ends with the client. A reader that falls behind
    /// finds the newest 64 states.
    public var updates: AsyncStream<CardFeed> { core.feed.subscribe() }

    /// Asks the server what is new, and returns when the feed has been published.
    ///
    /// Requests made before it came share one answer, and each ends exactly once, within `refreshTimeout`. All reasons
    /// but `live` take from the device's budget (5, one back every 180 s, unless the server says otherwise); when it is
    /// empty, this throws `rateLimited` and the cached feed stays. With `feedOpened` nothing is asked, and nothing
    /// thrown, if the last sync is at most `cacheTimeout` old.
    public func refresh(_ reason: SyncReason = .manual) async throws(ContentCardsError) {
        try await core.open().engine.refresh(reason, timeout: core.configuration.refreshTimeout)
    }

    // MARK: Life

    /// Begins a session, or continues the last one after at most `sessionTimeout`.
    public func startSession() async {
        await core.open().engine.enterSession()
    }

    /// Ends the session: closes the live connection and sends what is pending.
    public func endSession() async {
        await core.open().engine.leaveSession()
    }

    /// Stops all requests and logging, deletes the cached cards with their images, and publishes an empty feed; it
    /// lasts over launches.
    ///
    /// Events that were logged before stay, and are delivered after ``enable()``.
    public func disable() async {
        await core.disable()
    }

    /// Takes up work again after ``disable()``.
    public func enable() async {
        await core.enable()
    }

    /// Deletes everything the SDK has stored, the user, the device id and the images of cards included, and publishes
    /// an empty feed.
    ///
    /// - Warning: Undelivered events are lost. Call ``flush()`` before if they matter.
    public func wipe() async {
        await core.wipe()
    }

    /// Ends all work and waits, and lets go of the files.
    ///
    /// Streams end; a closed client does nothing any more.
    public func close() async {
        await core.close()
    }

    /// The errors and warnings that no call could return.
    ///
    /// Each use makes a stream of its own.
    public var diagnostics: AsyncStream<Diagnostic> { core.diagnostics.stream() }
}
