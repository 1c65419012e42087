import CardModel
import CardStore
import Logging
import ServiceLifecycle
import Synchronization

/// Keeps the cache up to date and tells devices on the live stream, when the store changes or a campaign starts.
struct ChangeListener: Service {
    let store: any CardStore
    let catalog: CatalogCache
    let hub: LiveHub
    let clock: @Sendable () -> UnixTime
    let keyUses: KeyUses
    let reads: ReadAudit
    let tracer: Tracer?
    let logger: Logger
    /// The number of seconds after which devices are told of a start once more where there are other nodes, whose
    /// clocks can be late.
    private static let startEcho = 2.0
    /// The changes that devices were told of, and the rows that were reported as unreadable.
    private let told = Mutex<Told>.Box(Told())

    private struct Told {
        var generation: CatalogGeneration = 0
        var unreadable: [UnreadableRow] = []
    }

    func run() async throws {
        let known = catalog.current
        told.withLock { $0 = Told(generation: known.catalog.generation, unreadable: known.source.unreadable) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await listen() }
            group.addTask { await watchSchedule() }
            group.addTask { await hub.beat() }
        }
    }

    private func listen() async {
        let changes = store.changes().cancelOnGracefulShutdown()
        // Nobody has told of what another node changed after the catalog was first read and before this.
        if store.isShared {
            await reload()
            publishToAll()
        }
        for await change in changes {
            switch change {
            case .user(let user, let origin): await publish(to: user, except: origin)
            case .users(let users):
                for user in hub.streaming(among: users.keys) { await publish(to: user, except: users[user] ?? nil) }
            case .removed(let user): hub.end(user)
            case .catalog, .anything:
                await reload()
                if change == .anything { await report { try await hub.review(by: store) } }
                publishToAll()
            }
        }
    }

    private func publishToAll() {
        told.withLock { $0.generation = catalog.current.catalog.generation }
        hub.publishToAll(echoes: store.isShared)
    }

    private func publish(to user: UserID, except origin: String?) async {
        if hub.expectsCreation(of: user) { await report { try await hub.review(user, by: store) } }
        hub.publish(to: user, except: origin)
    }

    private func report(_ review: () async throws -> Void) async {
        do {
            try await review()
        } catch {
            logger.error("The users with a live stream could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Reads the catalog again, and ends the streams of keys and tokens that are no longer good.
    private func reload() async {
        do {
            try await tracer.job("catalog.reload") { try await catalog.reload() }
            let source = catalog.current.source
            let isNew = told.withLock { told in
                defer { told.unreadable = source.unreadable }
                return told.unreadable != source.unreadable
            }
            if isNew { source.logUnreadable(logger) }
        } catch {
            let known = catalog.current
            logger.error(
                "The campaigns could not be read again",
                metadata: [
                    "error": "\(error)", "campaigns": "those of generation \(known.catalog.generation)",
                    "keys": known.areKeysKnown ? "read" : "unknown, none is accepted",
                    "settings": known.areSettingsKnown ? "read" : "unknown, no device is answered",
                ]
            )
        }
        hub.review(by: catalog.current, at: clock())
    }

    /// Tries again what could not be read, at growing intervals.
    private func retry(_ attempts: inout ReloadAttempts) async {
        guard attempts.isDue(isStale: catalog.isStale, at: clock()) else { return }
        await reload()
        if !catalog.isStale { publishToAll() }
    }

    /// Tells devices of campaigns that a request has read after this listener failed to read them.
    private func tellOfOthersReads() {
        let generation = catalog.current.catalog.generation
        if told.withLock({ $0.generation }) != generation { publishToAll() }
    }

    /// Wakes up when a scheduled campaign starts, and often enough to notice one that was launched since.
    private func watchSchedule() async {
        var last = clock()
        var echo = UnixTime.infinity
        var attempts = ReloadAttempts()
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let next = catalog.current.catalog.nextStart(after: last) ?? .infinity
            let now = clock()
            hub.publishReminders(at: now)
            hub.endExpired(at: now)
            await report { try await hub.reviewAgain(by: store, at: now) }
            await writeKeyUses()
            await retry(&attempts)
            tellOfOthersReads()
            if next <= now || echo <= now {
                hub.publishToAll()
                echo = next <= now && store.isShared ? now + Self.startEcho : .infinity
                last = now
                continue
            }
            last = now
            await WorkLoop.waitUnlessStopped(min(next - now, 1))
        }
        await writeKeyUses()
    }

    /// Writes when keys were used, and how much was read; a use that can't be written is noted again with the next one.
    private func writeKeyUses() async {
        do {
            try await reads.flush()
        } catch {
            logger.error("The audit log didn't take how much was read", metadata: ["error": "\(error)"])
        }
        let uses = keyUses.take()
        guard !uses.isEmpty else { return }
        try? await store.recordKeyUses(uses)
    }
}
