import CardServer
import CommandSettings
import Synchronization

/// Tells the service manager of a server's life: that it starts, is ready, reads its settings again, lives and stops.
final class ServiceReports: Sendable {
    private struct State {
        /// Whether the service manager knows that the server is ready.
        var isReady = false
        var isStopping = false
        /// The status that was reported last.
        var status = ""
    }

    /// Seconds between two messages of a server that is starting, and for how long each asks.
    private static let (startStep, startSeconds) = (10.0, 60)
    /// Seconds between two questions whether a server is ready yet.
    private static let readyStep = 1.0
    /// The number of these questions that are asked before the server counts as ready, which it is as far as it can be.
    private static let readyQuestions = 30
    /// Seconds between two looks where the service manager asks for no sign of life.
    private static let lookStep = 10.0

    private let notifier: ServiceNotifier
    /// Whether anybody is told.
    private let isHeard: Bool
    private let watchdogSeconds: Double?
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(
        _ manager: ServiceManager,
        notifier: ServiceNotifier? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.notifier = notifier ?? ServiceNotifier(manager)
        isHeard = manager.notifySocket != nil
        watchdogSeconds = manager.watchdogSeconds
        self.clock = clock
    }

    /// Says that the server opens its database, for as long as the task runs: a migration may take longer than a
    /// service manager waits otherwise.
    func start() async {
        guard isHeard else { return }
        while !Task.isCancelled {
            state.withLock { state in
                guard !state.isReady, !state.isStopping else { return }
                notifier.starting("Opening the database", extendingBy: Self.startSeconds)
            }
            // safe: seconds of a constant
            guard (try? await clock.sleep(for: .seconds(Self.startStep))) != nil else { return }
        }
    }

    /// Says that the server is ready once it is, and then that it lives, for as long as the task runs.
    ///
    /// - Parameters:
    ///   - address: Where it listens.
    ///   - beat: Returns once every thread that answers has done something and the store has answered, whatever it
    ///     said: a restart helps a server that is stuck, and not one whose disk is full.
    ///   - failure: Returns what keeps the server from being ready, or `nil` for nothing. Where it isn't ready for
    ///     long, it counts as if it were: a service manager that waits would end it in the end, and keeps others
    ///     waiting until then.
    func watch(
        address: String,
        beat: @Sendable () async -> Void,
        failure: @Sendable () async -> String?
    ) async {
        guard isHeard else { return }
        // safe: seconds of a setting
        let step = Duration.seconds(watchdogSeconds.map { $0 / 4 } ?? Self.lookStep)
        var questions = 0
        while !Task.isCancelled {
            await beat()
            if watchdogSeconds != nil { notifier.alive() }
            let failure = await failure()
            questions = min(questions &+ 1, Self.readyQuestions)
            let isReady = say(
                failure.map { "Not ready: \($0)" } ?? "Listening on \(address)",
                isReady: failure == nil || questions == Self.readyQuestions
            )
            let pause = isReady ? step : .seconds(Self.readyStep)
            guard (try? await clock.sleep(for: pause)) != nil else { return }
        }
    }

    /// Says what is new; returns whether the service manager knows that the server is ready.
    private func say(_ status: String, isReady: Bool) -> Bool {
        // Under the lock, so that nothing of a server that stops comes after that.
        state.withLock { state in
            guard !state.isStopping else { return true }
            if isReady, !state.isReady {
                state.isReady = true
                notifier.ready(status)
            } else if !state.isReady {
                notifier.starting(status, extendingBy: Self.startSeconds)
            } else if state.status != status {
                notifier.status(status)
            }
            state.status = status
            return state.isReady
        }
    }

    /// Reads settings again, and says so.
    func reload(_ body: () -> Void) {
        let isTold = state.withLock { $0.isReady && !$0.isStopping }
        if isTold { notifier.reloading() }
        body()
        if isTold { state.withLock { notifier.ready($0.status) } }
    }

    /// Says that the server is stopping.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            notifier.stopping("Stopping: requests that came are answered")
        }
    }
}
