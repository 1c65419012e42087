import Foundation

/// What a client is made of.
///
/// The client is its owner; everything else refers to it weakly.
final class ClientCore: Sendable {
    /// What there is once the files are open.
    struct Parts: Sendable {
        var store: ClientStore
        var events: EventQueue
        var engine: SyncEngine
    }

    let endpoint: URL
    let key: String
    let configuration: ContentCardsClient.Configuration
    let diagnostics: DiagnosticLog
    let feed: FeedStore
    let device: Locked<DeviceRecord>
    private let opened = Locked<Parts?>(nil)
    private let isClosed = Locked(false)
    private let isBacklogNoticed = Locked(false)
    /// The names of what was called and does nothing: each is reported once.
    let unsupported = Locked<Set<String>>([])

    init(endpoint: URL, key: String, configuration: ContentCardsClient.Configuration) {
        self.endpoint = endpoint
        self.key = key
        self.configuration = configuration
        diagnostics = DiagnosticLog(write: configuration.log)
        let sink = CardEventSink()
        feed = FeedStore(clock: configuration.clock, sink: sink)
        device = Locked(DeviceRecord(deviceID: ""))
        sink.connect(self)
    }

    /// Opens the files, once: on the thread that needs them first, which is a background thread unless the app is
    /// faster.
    @discardableResult
    func open() -> Parts {
        opened.withLock { parts in
            if let parts { return parts }
            let new = makeParts()
            parts = new
            return new
        }
    }

    func begin() async {
        if !RequestBuilder.isValid(endpoint) { report(.invalidEndpoint(endpoint.absoluteString)) }
        await open().engine.begin()
    }

    func close() async {
        guard isClosed.withLock({ $0.turnOn() }) else { return }
        let parts = open()
        await parts.engine.close()
        saveFeed()
        parts.events.close()
        parts.store.release()
        feed.finish()
        diagnostics.finish()
    }

    var report: @Sendable (Diagnostic) -> Void {
        { [diagnostics] in diagnostics.report($0) }
    }

    // MARK: Users

    func identify(_ user: String, token: String?) async {
        guard UserID.isValid(user) else { return report(.invalidUserID) }
        let parts = open()
        let isNew = feed.switchUser(
            to: user,
            load: { Self.restore($0, parts.store, parts.events) },
            save: { parts.store.save($1, user: $0) }
        )
        if isNew { changeDevice { $0.user = user } }
        await parts.engine.identify(user, token: token, isNew: isNew)
    }

    func disable() async {
        let parts = open()
        changeDevice { $0.isDisabled = true }
        feed.load(user: feed.user, FeedState(), isDisabled: true)
        parts.store.removeFeeds()
        await parts.engine.setEnabled(false)
    }

    func enable() async {
        let parts = open()
        changeDevice { $0.isDisabled = false }
        let user = feed.user
        let state = user.map { Self.restore($0, parts.store, parts.events) } ?? FeedState()
        feed.load(user: user, state, isDisabled: false)
        await parts.engine.setEnabled(true)
    }

    func wipe() async {
        let parts = open()
        feed.load(user: nil, FeedState(), isDisabled: device.withLock(\.isDisabled))
        await parts.engine.forgetUser()
        parts.events.removeAll()
        parts.store.removeAll()
        changeDevice { $0 = DeviceRecord(deviceID: configuration.ids.next(), isDisabled: $0.isDisabled) }
        await parts.engine.updateBacklog()
    }

    // MARK: Events

    /// Logs an event of the current user.
    ///
    /// Returns false if there is none, or the event is not acceptable.
    func log(_ event: NewEvent, user: String? = nil) -> Bool {
        let parts = open()
        guard !isClosed.withLock({ $0 }), !device.withLock(\.isDisabled), let user = user ?? feed.user else {
            report(.eventRefused(type: event.type, reason: "content cards are disabled or nobody is identified"))
            return false
        }
        let time = configuration.clock.now.timeIntervalSince1970
        guard parts.events.append(event, id: configuration.ids.next(), at: time, user: user) else { return false }
        noticeBacklog(parts)
        return true
    }

    /// Logs what the user does with a card, if the rules say so, and shows it in the feed at once.
    func log(_ action: CardAction, cardID: String, isCustomAction: Bool = false) -> Bool {
        open()
        guard !isClosed.withLock({ $0 }) else { return false }
        switch feed.act(action, cardID: cardID, isCustomAction: isCustomAction) {
        case .log(let user): return log(.card(action, cardID), user: user)
        case .skip(let reason):
            report(.eventRefused(type: action.rawValue, reason: reason))
            return false
        }
    }

    /// Tells the engine that there are events; one notice serves all that came meanwhile.
    private func noticeBacklog(_ parts: Parts) {
        guard isBacklogNoticed.withLock({ $0.turnOn() }) else { return }
        Task { [weak self] in
            self?.isBacklogNoticed.withLock { $0 = false }
            await parts.engine.updateBacklog()
        }
    }
}

extension Bool {
    /// Becomes true.
    ///
    /// Returns whether it was false.
    fileprivate mutating func turnOn() -> Bool {
        defer { self = true }
        return !self
    }
}

/// The rules for ids of users.
enum UserID {
    static func isValid(_ id: String) -> Bool {
        (1...512).contains(id.utf8.count)
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
