import Foundation

/// The parts of a client.
///
/// The client is its owner; everything else refers to it weakly.
final class ClientCore: CardEventReceiver {
    /// The parts that there are once the files are open.
    struct CoreParts: Sendable {
        var store: ClientStore
        var events: EventQueue
        var engine: SyncEngine
    }

    let endpoint: URL
    let key: String
    let configuration: ContentCardsClient.Configuration
    let diagnostics: DiagnosticLog
    let feed: FeedStore
    /// Held while the record of the device is written.
    let deviceFile = Locked(())
    /// Held while feeds are written or deleted, so that none is written that was to be deleted.
    let feedFiles = Locked(())
    /// The feed for widgets, where the app wants one; held while it is written.
    let snapshot: Locked<FeedSnapshotFile?>
    private let opened = Locked<CoreParts?>(nil)
    private let closing = Locked(false)
    private let isBacklogNoticed = Locked(false)
    /// The names of what was called and does nothing: each is reported once.
    let unsupported = Locked<Set<String>>([])

    init(endpoint: URL, key: String, configuration: ContentCardsClient.Configuration) {
        self.endpoint = endpoint
        self.key = key
        self.configuration = configuration.usable
        diagnostics = DiagnosticLog(write: configuration.log)
        let sink = CardEventSink()
        feed = FeedStore(clock: configuration.clock, sink: sink)
        snapshot = Locked(configuration.snapshotFile)
        sink.connect(self)
    }

    /// Opens the files, once: on the thread that needs them first, which is a background thread unless the app is
    /// faster.
    ///
    /// Where they can't be read before the first unlock of the device, each call looks whether they can be by now.
    @discardableResult
    func open() -> CoreParts {
        opened.withLock { parts in
            if let parts {
                if parts.store.isDeviceUnreadable, !isClosed { reopen(parts) }
                return parts
            }
            let new = makeParts()
            parts = new
            return new
        }
    }

    func begin() async {
        if !RequestBuilder.isValid(endpoint) { report(.invalidEndpoint(endpoint.absoluteString)) }
        if let group = configuration.appGroupIdentifier, configuration.snapshotFile == nil {
            report(.storageUnavailable(reason: "the app group \(group) has no container; check the entitlements"))
        }
        let engine = open().engine
        await engine.begin(isInForeground: await configuration.foregroundCheck?())
    }

    func close() async {
        guard closing.withLock({ $0.turnOn() }) else { return }
        let parts = open()
        await parts.engine.close()
        saveFeed(parts.store, isLeaving: true)
        parts.events.close()
        parts.store.release()
        feed.finish()
        diagnostics.finish()
    }

    /// Whether the client was closed: another one may have its files by now.
    var isClosed: Bool { closing.withLock { $0 } }

    var report: @Sendable (Diagnostic) -> Void {
        { [diagnostics] in diagnostics.report($0) }
    }

    // MARK: Users

    func identify(_ user: String, token: String?) async {
        guard !isClosed else { return }
        guard UserIDRules.isValid(user) else { return report(.invalidUserID) }
        let parts = open()
        let isNew = feed.switchUser(
            to: user,
            token: token,
            load: { Self.restore($0, parts.store, parts.events) },
            save: { parts.store.save($1, user: $0) },
            cleanUp: { removeOldUsers($0, parts.store, parts.events) }
        )
        if isNew {
            saveDevice(parts.store)
            saveSnapshot()
        }
        await parts.engine.identify(isNew: isNew)
    }

    func disable() async {
        guard !isClosed else { return }
        let parts = open()
        feed.disable()
        saveDevice(parts.store)
        feedFiles.withLock { _ in parts.store.removeFeeds() }
        removeImages()
        saveSnapshot()
        await parts.engine.disable()
    }

    func enable() async {
        guard !isClosed else { return }
        let parts = open()
        feed.enable { Self.restore($0, parts.store, parts.events) }
        saveDevice(parts.store)
        saveSnapshot()
        await parts.engine.begin()
    }

    func wipe() async {
        guard !isClosed else { return }
        let parts = open()
        let deviceID = configuration.ids.next()
        // Nothing is left to be done after an await: another user may come then, and the client may be closed.
        feedFiles.withLock { _ in
            feed.forgetUser(deviceID: deviceID) { wipes in
                // Before the engine sees another user than that of the events, whose events it would send at once.
                parts.events.removeAll(wipes: wipes)
                parts.store.removeAll()
            }
        }
        saveDevice(parts.store)
        removeImages()
        saveSnapshot()
        await parts.engine.forgetUser()
    }

    /// Deletes the images of cards, in the memory of loaders too: they tell what the user has seen.
    private func removeImages() {
        guard let images = configuration.imageCache else { return }
        ImageRemovals.of(images).removeAll()
    }

    // MARK: Events

    /// Logs an event of the current user.
    ///
    /// Returns false if there is none, or the event is not acceptable.
    func log(_ event: NewEvent) -> Bool {
        open()
        return log(event, for: feed.current)
    }

    /// Logs an event of a user, who may be another one by now, unless all data were wiped since.
    func log(_ event: NewEvent, for user: CurrentUser) -> Bool {
        let parts = open()
        guard !isClosed, feed.current.isEnabled, let id = user.id?.text else {
            report(.eventRefused(type: event.type, reason: "content cards are disabled or nobody is identified"))
            return false
        }
        let (eventID, time) = (configuration.ids.next(), configuration.clock.now.timeIntervalSince1970)
        guard parts.events.append(event, id: eventID, at: time, user: id, wipes: user.wipes) else { return false }
        noticeBacklog(parts)
        return true
    }

    /// Logs what the user does with a card, if the rules say so, and shows it in the feed at once.
    func log(_ action: CardAction, cardID: String, isCustomAction: Bool = false) -> Bool {
        open()
        guard !isClosed else { return false }
        switch feed.act(action, cardID: cardID, isCustomAction: isCustomAction) {
        case .log(let user, let wipes):
            if action == .click { noteWebView(ofCard: cardID) }
            return log(.card(action, cardID), for: CurrentUser(id: BytewiseText(user), wipes: wipes))
        case .skip(let reason):
            report(.eventRefused(type: action.rawValue, reason: reason))
            return false
        }
    }

    /// Tells the developer of a card that asks for a web view in vain.
    private func noteWebView(ofCard id: String) {
        guard let card = feed.snapshot.card(id: id), card.asksForWebViewInVain else { return }
        report(.webViewImpossible(cardID: id))
    }

    /// Tells the engine that there are events; one notice serves all that came before it was handled.
    private func noticeBacklog(_ parts: CoreParts) {
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
