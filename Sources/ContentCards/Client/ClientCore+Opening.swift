import Foundation

extension ClientCore {
    /// Opens the files and loads the user of the last launch.
    func makeParts() -> CoreParts {
        let store = openStore()
        let loaded = store.loadDevice()
        // Whoever disabled content cards stays alone, also where that can't be read.
        let record = loaded ?? DeviceRecord(deviceID: configuration.ids.next(), isDisabled: store.isDeviceUnreadable)
        if loaded == nil { store.save(record) }
        let events = EventQueue(
            journals: store.openJournals(),
            limit: configuration.eventLimit,
            report: report,
            opener: { store.openJournal(user: $0) }
        )
        let state = record.isDisabled ? nil : record.user.map { Self.restore($0, store, events) }
        // Without a record, the user of before may come back at once: their files stay until a user is identified.
        if loaded != nil { removeOldUsers(record, store, events) }
        feed.open(record, state ?? FeedState())
        if !store.isDeviceUnreadable { saveSnapshot() }
        return CoreParts(store: store, events: events, engine: makeEngine(store, events, record))
    }

    /// Takes up the files that could not be read at the launch, where they can be by now.
    ///
    /// The parts are the same, so that whoever has them goes on with the files.
    func reopen(_ parts: CoreParts) {
        let (store, events) = (parts.store, parts.events)
        guard store.reopen() else { return }
        var hasRecord = false
        let isNamed = feed.reopen(
            read: { isWiped in
                let record = store.loadDevice()
                hasRecord = record != nil
                if isWiped { store.removeAll() }
                events.reopen(store.openJournals())
                return record
            },
            load: { Self.restore($0, store, events) }
        )
        saveDevice(store)
        if feed.device.isDisabled { feedFiles.withLock { _ in store.removeFeeds() } }
        if hasRecord { removeOldUsers(feed.device, store, events) }
        saveSnapshot()
        Task { [engine = parts.engine] in
            if isNamed { await engine.identify(isNew: true) } else { await engine.begin() }
        }
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
        let moment = configuration.clock.moment
        let machine = SyncMachine(
            settings: SyncMachine.SyncSettings(
                hasTokenProvider: configuration.tokenProvider != nil,
                isEndpointValid: RequestBuilder.isValid(endpoint),
                cacheTimeout: configuration.cacheTimeout,
                flushDelay: configuration.flushDelay
            ),
            budget: record.budget ?? RefreshBudget(at: moment.now),
            limits: events.limits,
            suspects: events.suspects.keys,
            blockedUntil: record.pause.map { moment.uptime + $0.rest(at: moment.now) } ?? -.infinity
        )
        return SyncEngine(
            SyncEngine.EngineParts(
                clock: configuration.clock,
                transport: configuration.transport ?? URLSessionTransport(),
                random: configuration.random,
                requests: makeRequests(),
                feed: feed,
                events: events,
                settings: SyncEngine.EngineSettings(configuration),
                tokenProvider: configuration.tokenProvider,
                report: report,
                saveFeed: { [weak self] isLeaving in self?.saveFeed(store, isLeaving: isLeaving) },
                saveDevice: { [weak self] in self?.saveDevice(store) }
            ),
            machine: machine
        )
    }

    private func makeRequests() -> RequestBuilder {
        RequestBuilder(
            endpoint: endpoint,
            key: key,
            deviceID: { [feed] in feed.device.deviceID },
            appVersion: configuration.appVersion,
            platform: configuration.platform?.rawValue,
            timeout: configuration.requestTimeout
        )
    }

    /// A user's cached feed, with what was done to it since it was written.
    static func restore(_ user: String, _ store: ClientStore, _ events: EventQueue) -> FeedState {
        var state = store.loadFeed(user: user) ?? FeedState()
        var replayed: [CardAction: Set<BytewiseText>] = [:]
        for event in events.pending(user: user) {
            guard let (action, cardID) = event.cardAction else { continue }
            if replayed[action, default: []].insert(BytewiseText(cardID)).inserted { state.replay(action, id: cardID) }
        }
        return state
    }

    func saveFeed(_ store: ClientStore, isLeaving: Bool) {
        let isSaved = feedFiles.withLock { _ -> Bool in
            guard let dirty = feed.takeDirty(isLeaving: isLeaving) else { return false }
            store.save(dirty.feed, user: dirty.user)
            return true
        }
        if isSaved { saveSnapshot() }
    }

    /// Writes the feed for widgets as it is now, or removes it where there is none to show.
    func saveSnapshot() {
        snapshot.withLock { file in
            guard let file else { return }
            do {
                try file.write(feed.shown)
            } catch {
                report(.storageUnavailable(reason: "the snapshot for widgets could not be written"))
            }
        }
    }

    /// Deletes the files of users who have been away for long, or were followed by many others.
    ///
    /// Events that wait for delivery are never deleted.
    func removeOldUsers(_ device: DeviceRecord, _ store: ClientStore, _ events: EventQueue) {
        var folders = device.formerUsers.folders(at: configuration.clock.now)
        if let user = device.user { folders.insert(FileName.hash(user)) }
        events.closeEmpty(but: folders, remove: store.removeUsers)
    }

    /// Writes what is kept about the device as it is now; of two that write, the second has all that the first had.
    func saveDevice(_ store: ClientStore) {
        deviceFile.withLock { _ in store.save(feed.device) }
    }
}

extension SyncEngine.EngineSettings {
    fileprivate init(_ configuration: ContentCardsClient.Configuration) {
        self.init(
            ids: configuration.ids,
            startsSessions: configuration.sessions == .automatic,
            isAlwaysInForeground: configuration.foregroundCheck == nil,
            sessionTimeout: configuration.sessionTimeout,
            requestTimeout: configuration.requestTimeout,
            isLiveEnabled: configuration.isLiveEnabled,
            liveSilence: configuration.liveSilence
        )
    }
}
