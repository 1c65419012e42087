import CardModel
import CardServer
import CardStore
import CommandSettings
import Dashboard
import Foundation
import Logging
import Synchronization
import UnixSignals

/// A server over a database, from its start to its orderly end.
struct ServerRun {
    let location: DatabaseLocation
    /// The source of the keys for the database's secrets; the file beside it by default.
    var secretsKey: SecretsKeySource?
    let options: PlacardServer.Options
    let logger: Logger
    /// The service manager that started the process; by default none that wants to hear of it.
    var manager = ServiceManager(environment: [:], processID: 0)
    /// Reads the settings again that may change while the server runs.
    var reload: @Sendable () -> Void = {}

    /// Opens the database, serves until the process is asked to end, and closes the database last.
    ///
    /// `prepare` gets the store before anything is served; `onReady` is told the port, and where to begin in the
    /// dashboard, once requests are answered.
    func run(
        prepare: (any CardStore) async throws -> Void = { _ in },
        onReady: @escaping @Sendable (_ port: Int, _ dashboard: String) async -> Void
    ) async throws {
        logger.notice(
            "Starting",
            metadata: ["version": "\(BuildInformation.description)", "process": "\(getpid())"]
        )
        let reports = ServiceReports(manager)
        let starting = Task { await reports.start() }
        defer { starting.cancel() }
        // From the beginning, so that no signal ends a migration in the middle or is lost.
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let signals = ProcessSignals(
            drainSeconds: options.limits.drainSeconds,
            shutdownSeconds: options.limits.shutdownSeconds,
            logger: logger,
            reload: { reports.reload(reload) },
            progress: options.stopping
        )
        let request = StopRequest(onDrained: signals.drained)
        let handling = Task {
            await signals.handle { signal in
                starting.cancel()
                reports.stop()
                request.note(signal)
                stop.finish()
            }
        }
        defer { handling.cancel() }
        defer { options.stopping.begin(.process) }
        try await run(
            prepare: prepare,
            until: { [progress = options.stopping] in
                for await _ in stops {}
                progress.begin(.drain)
            },
            request,
            reports,
            onReady: { port, dashboard in
                starting.cancel()
                await onReady(port, dashboard)
            }
        )
        logger.notice("Stopped")
    }

    private func run(
        prepare: (any CardStore) async throws -> Void,
        until stop: @escaping @Sendable () async -> Void,
        _ request: StopRequest,
        _ reports: ServiceReports,
        onReady: @escaping @Sendable (_ port: Int, _ dashboard: String) async -> Void
    ) async throws {
        var options = options
        fitLimits(of: &options)
        options.images = ImageSubprocess.ofThisProgram
        let store = try await location.openStoreToServe(
            secretsKey: secretsKey,
            acceptsClock: options.acceptsClock,
            logger: logger
        )
        do {
            try await checkClock(against: store)
            _ = try await Dashboard.strengthenRecoveryCodes(in: store, at: options.clock())
            try await prepare(store)
            let setupCode = RandomText.letters(20)
            let start = try await Dashboard.start(in: store, setupCode: setupCode)
            let server = try await PlacardServer(
                store: store,
                options: options,
                logger: logger,
                surfaces: [{ Dashboard($0, setupCode: setupCode) }]
            )
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            let watching = Task { [options] in
                for await port in ports {
                    let address = Self.address(options, port)
                    await reports.watch(address: address, beat: server.beat, failure: server.readinessFailure)
                }
            }
            defer { watching.cancel() }
            try await server.run(
                until: stop,
                drains: { request.drains },
                onDrained: request.onDrained,
                onReady: { port in
                    await onReady(port, start)
                    found.yield(port)
                }
            )
        } catch {
            options.stopping.begin(.store)
            try? await store.close()
            throw error
        }
        options.stopping.begin(.store)
        try await store.close()
    }

    /// Lowers limits to what the process can hold, and says so where it does.
    private func fitLimits(of options: inout PlacardServer.Options) {
        let wanted = options.limits.connections
        let files = OpenFileLimit.raise()
        options.limits.fit(openFiles: files)
        guard options.limits.connections < wanted else { return }
        logger.warning(
            """
            Fewer connections than set are held: the process can't have more files open. \
            Raise its limit (LimitNOFILE)
            """,
            metadata: ["connections": "\(options.limits.connections)", "set": "\(wanted)", "open_files": "\(files)"]
        )
    }

    private func checkClock(against store: any CardStore) async throws {
        guard !options.acceptsClock else { return }
        let now = options.clock()
        if let problem = Self.problem(ofClock: now, event: try await store.newestEventTime()) {
            throw CommandError(problem)
        }
        // The clock of whoever ran a command may be the one that is wrong.
        guard let change = try await store.latestAuditEntries(limit: 1).first?.at,
            now < change - PlacardServer.clockTolerance
        else { return }
        logger.warning("The newest change is of a time to come", metadata: ["time": "\(Timestamp.text(of: change))"])
    }

    /// Says what is wrong with a clock that is before the newest event, or before this version was made: what devices
    /// send would be counted at a wrong time, or refused.
    static func problem(ofClock now: UnixTime, event newest: UnixTime?) -> String? {
        let said = "The clock says \(Timestamp.text(of: now)),"
        let advice = "Set the clock; if it is right, start with --accept-clock."
        guard now >= BuildInformation.earliestClock else {
            return "\(said) which is before this version was made. \(advice)"
        }
        guard let newest, now < newest - PlacardServer.clockTolerance else { return nil }
        return "\(said) but the newest event was received at \(Timestamp.text(of: newest)). \(advice)"
    }

    /// Returns the address of a server, as a person or an app would use it.
    static func address(_ options: PlacardServer.Options, _ port: Int) -> String {
        if let path = options.socket?.path { return "unix:\(path)" }
        return address(options.host, port, isEncrypted: options.certificate != nil)
    }

    /// The address that a person or an app would use.
    static func address(_ host: String, _ port: Int, isEncrypted: Bool = false) -> String {
        let scheme = isEncrypted ? "https" : "http"
        return switch host {
        case "0.0.0.0", "::": "\(scheme)://127.0.0.1:\(port)"
        case _ where host.contains(":"): "\(scheme)://[\(host)]:\(port)"
        default: "\(scheme)://\(host):\(port)"
        }
    }
}

/// The way in which a server was asked to stop.
private final class StopRequest: Sendable {
    private let isUrgent = Atomic<Bool>(false)
    /// A function that is called once clients have gone elsewhere.
    let onDrained: @Sendable () -> Void

    init(onDrained: @escaping @Sendable () -> Void) { self.onDrained = onDrained }

    /// Whether clients are sent elsewhere first; a person at a terminal (SIGINT) doesn't want to wait for that.
    var drains: Bool { !isUrgent.load(ordering: .acquiring) }

    func note(_ signal: UnixSignal) { isUrgent.store(signal == .sigint, ordering: .releasing) }
}
