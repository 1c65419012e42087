import Foundation

extension ClientCore {
    /// Opens the files and loads whom the device was last used by.
    func makeParts() -> Parts {
        let store = openStore()
        let loaded = store.loadDevice()
        let record = loaded ?? DeviceRecord(deviceID: configuration.ids.next())
        device.withLock { $0 = record }
        if loaded == nil { store.save(record) }
        let events = EventQueue(
            journals: store.openJournals(),
            limit: configuration.eventLimit,
            report: report,
            opener: { store.openJournal(user: $0) }
        )
        let state = record.isDisabled ? nil : record.user.map { Self.restore($0, store, events) }
        feed.load(user: record.user, state ?? FeedState(), isDisabled: record.isDisabled)
        return Parts(store: store, events: events, engine: makeEngine(store, events, record))
    }

    private func openStore() -> ClientStore {
        let directory: URL? =
            switch configuration.storage {
            case .standard: PrivateDirectory.standard
            case .directory(let url): url
            case .memory: nil
            }
        return ClientStore(directory: directory, endpoint: endpoint, key: key, report: report)
    }

    private func makeEngine(_ store: ClientStore, _ events: EventQueue, _ record: DeviceRecord) -> SyncEngine {
        var machine = SyncMachine(
            settings: SyncMachine.Settings(
                hasTokenProvider: configuration.tokenProvider != nil,
                isEndpointValid: RequestBuilder.isValid(endpoint),
                cacheTimeout: configuration.cacheTimeout,
                flushDelay: configuration.flushDelay
            ),
            user: record.user.map(ByteString.init(_:)),
            isEnabled: !record.isDisabled,
            budget: record.budget ?? RefreshBudget(at: configuration.clock.now)
        )
        machine.limits = events.limits
        machine.suspicions = events.suspects.mapValues { _ in .failure }
        machine.resume(record.pause, at: configuration.clock.moment)
        return SyncEngine(
            SyncEngine.Parts(
                clock: configuration.clock,
                transport: configuration.transport ?? URLSessionTransport(),
                random: configuration.random,
                requests: makeRequests(),
                feed: feed,
                events: events,
                settings: configuration,
                tokenProvider: configuration.tokenProvider,
                report: report,
                saveFeed: { [feed] isLeaving in
                    if let dirty = feed.takeDirty(isLeaving: isLeaving) { store.save(dirty.feed, user: dirty.user) }
                },
                saveBudget: { [weak self] budget in self?.changeDevice(store) { $0.budget = budget } },
                savePause: { [weak self] pause in self?.changeDevice(store) { $0.pause = pause } }
            ),
            machine: machine
        )
    }

    private func makeRequests() -> RequestBuilder {
        RequestBuilder(
            endpoint: endpoint,
            key: key,
            deviceID: { [weak self] in self?.device.withLock(\.deviceID) ?? "" },
            appVersion: configuration.appVersion,
            platform: configuration.platform,
            timeout: configuration.requestTimeout
        )
    }

    /// A user's cached feed, with what was done to it since it was written.
    static func restore(_ user: String, _ store: ClientStore, _ events: EventQueue) -> FeedState {
        var state = store.loadFeed(user: user) ?? FeedState()
        var replayed: [CardAction: Set<ByteString>] = [:]
        for event in events.pending(user: user) {
            guard let (action, cardID) = event.cardAction else { continue }
            if replayed[action, default: []].insert(ByteString(cardID)).inserted { state.replay(action, id: cardID) }
        }
        return state
    }

    func saveFeed() {
        if let dirty = feed.takeDirty(isLeaving: true) { open().store.save(dirty.feed, user: dirty.user) }
    }

    func changeDevice(_ change: (inout DeviceRecord) -> Void) {
        changeDevice(open().store, change)
    }

    private func changeDevice(_ store: ClientStore, _ change: (inout DeviceRecord) -> Void) {
        device.withLock { record in
            change(&record)
            store.save(record)
        }
    }
}
