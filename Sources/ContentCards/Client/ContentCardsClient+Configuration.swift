import Foundation

extension ContentCardsClient {
    /// Returns a token for a user, or `nil` where the server asks none.
    ///
    /// It is asked for a user's first token where `identify` gave none, and for a new one when the server refused the
    /// last: once, and after that with growing delays. It is asked for an earlier user too, while events of theirs
    /// wait.
    public typealias TokenProvider = @Sendable (_ userID: String) async throws -> String?

    /// Says where the SDK keeps its files.
    public enum Storage: Sendable, Equatable {
        /// In Application Support, or in the XDG data home on Linux; excluded from backups.
        case standard
        /// In a directory of the app's choice.
        case directory(URL)
        /// Nowhere: all is lost with the process.
        case memory
    }

    /// Says what begins and ends a session.
    public enum Sessions: Sendable, Equatable {
        /// The app's life: on iOS, tvOS and visionOS coming to the foreground and leaving it; elsewhere a session
        /// lasts from the first user until the client is closed or ``ContentCardsClient/endSession()``.
        ///
        /// A launch in the background, as for a silent push, begins none, and neither does an extension of an app.
        case automatic
        /// Only ``ContentCardsClient/startSession()`` and ``ContentCardsClient/endSession()``.
        case manual
    }

    /// Holds the settings of a client.
    ///
    /// All have defaults; most apps set `tokenProvider` at most. A number of seconds that can't be meant, such as one
    /// below 0, counts as the default, and so does 0 for ``requestTimeout``, ``refreshTimeout`` and ``liveSilence``.
    public struct Configuration: Sendable {
        /// The place of the files.
        ///
        /// They can be read from the first time on that the device is unlocked after its start, also where the app has
        /// its other files protected for as long as the device is locked: silent push messages come then, too.
        ///
        /// Two clients never share them: the second keeps everything in memory and reports
        /// ``Diagnostic/storageUnavailable(reason:)``.
        public var storage = Storage.standard
        /// The app group whose widgets and other extensions read the feed with
        /// ``CardFeed/snapshot(appGroupIdentifier:at:)``.
        ///
        /// The default is none. The client's own files stay where ``storage`` says: only a snapshot without a lock is
        /// shared. Without the entitlement, ``Diagnostic/storageUnavailable(reason:)`` is reported.
        public var appGroupIdentifier: String?
        /// A directory for the snapshot in place of that of the app group.
        ///
        /// The default is none.
        public var snapshotDirectory: URL?
        /// Gives tokens of users.
        ///
        /// The default is none.
        public var tokenProvider: TokenProvider?
        /// The rule by which a session begins and ends.
        public var sessions = Sessions.automatic
        /// Whether an open app is told of changes at once, by one open connection.
        ///
        /// The default is `true`.
        public var isLiveEnabled = true
        /// The number of seconds since the last sync after which an opened feed is refreshed.
        ///
        /// The default is 60.
        public var cacheTimeout: TimeInterval = 60
        /// The number of seconds for which an app can be away and still continue its session.
        ///
        /// The default is 10.
        public var sessionTimeout: TimeInterval = 10
        /// The number of seconds after which a request to the server fails.
        ///
        /// The default is 15.
        public var requestTimeout: TimeInterval = 15
        /// The number of seconds after which a call that waits ends at the latest.
        ///
        /// The default is 30.
        public var refreshTimeout: TimeInterval = 30
        /// The number of seconds for which events wait for others before they are sent.
        ///
        /// The default is 2.
        public var flushDelay: TimeInterval = 2
        /// The number of silent seconds after which the live connection counts as dead.
        ///
        /// The default is 40.
        public var liveSilence: TimeInterval = 40
        /// The maximum number of a user's undelivered events; beyond that the oldest are dropped.
        ///
        /// The default is 10,000, the least 1.
        public var eventLimit = 10_000
        /// The version of the app, for the server's audiences.
        ///
        /// The default is that of the main bundle.
        public var appVersion = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        /// The platform on which the app runs, which decides between the addresses that a card has for each platform.
        ///
        /// The default is ``Platform/current``.
        public var platform = Platform.current
        /// Carries requests; `nil` makes a ``URLSessionTransport`` for this client.
        public var transport: (any Transport)?
        /// Tells the time.
        public var clock: any ContentCardsClock = SystemClock()
        /// Makes ids of events and of the device.
        public var ids: any IDSource = UUIDv7Source()
        /// Returns a number from 0 up to 1, for the jitter of delays.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
        /// Writes diagnostics.
        ///
        /// The default is the unified log, or the standard error stream on Linux.
        ///
        /// It may be called on any thread and while the SDK holds locks: it must not call the client.
        public var log: @Sendable (Diagnostic) -> Void = ContentCardsClient.writeToSystemLog

        /// The folder in which ``ContentCardsClient/wipe()`` and ``ContentCardsClient/disable()`` find the images of
        /// cards.
        var imageCache = ImageCacheDirectory.standard
        /// Tells at the start whether the app is in the foreground; `nil` where an app has no background.
        var foregroundCheck = AppLifecycle.foregroundCheck

        /// Creates the default settings.
        public init() {}
    }

    /// Writes a diagnostic to the unified log, or to the standard error stream on Linux.
    @Sendable
    public static func writeToSystemLog(_ diagnostic: Diagnostic) {
        SystemLog.write(diagnostic)
    }
}

extension ContentCardsClient.Configuration {
    /// The settings, with the defaults in place of times that can't be meant: a wait of no number is none, and what
    /// waits would ask again without end.
    var usable: Self {
        let (defaults, none) = (Self(), TimeInterval.leastNonzeroMagnitude)
        let times: [(path: WritableKeyPath<Self, TimeInterval>, least: TimeInterval)] = [
            (\.cacheTimeout, 0), (\.sessionTimeout, 0), (\.flushDelay, 0),
            (\.requestTimeout, none), (\.refreshTimeout, none), (\.liveSilence, none),
        ]
        var usable = self
        // No number is at least anything.
        for (path, least) in times where !(self[keyPath: path] >= least) {
            usable[keyPath: path] = defaults[keyPath: path]
        }
        return usable
    }

    /// The file to which the feed for widgets is written, if there is one.
    var snapshotFile: FeedSnapshotFile? {
        (snapshotDirectory ?? appGroupIdentifier.flatMap(AppGroup.container)).map(FeedSnapshotFile.init(directory:))
    }
}
