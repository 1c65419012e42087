import CardStore
import Synchronization

/// Whether the server can answer devices, found out by asking the store, at most once in ``freshSeconds``.
///
/// However many probes come, one check runs at a time, and no probe waits for it for long: a store that
/// doesn't answer isn't ready.
final class Readiness: Sendable {
    /// The results of the checks.
    struct Report: Sendable, Equatable {
        /// Everything that was looked at.
        var checks: [HealthCheck]

        /// The check that failed, or `nil` where none did.
        var failure: HealthCheck? { checks.first { $0.failure != nil } }
    }

    /// The time for which an answer is used, in seconds.
    static let freshSeconds = 1.0
    private struct State {
        var last: (report: Report, at: Double)?
        var running: (task: Task<Report, Never>, since: Double)?
    }

    private let check: @Sendable () async -> [HealthCheck]
    private let uptime: @Sendable () -> Double
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Creates a check that hasn't been done yet.
    ///
    /// - Parameters:
    ///   - uptime: Seconds of a clock that never goes back.
    ///   - patience: How long a probe waits for an answer.
    ///   - clock: What probes wait on.
    ///   - check: Looks at everything.
    init(
        uptime: @escaping @Sendable () -> Double,
        patience: Duration = .milliseconds(800),
        clock: any Clock<Duration> = ContinuousClock(),
        check: @escaping @Sendable () async -> [HealthCheck]
    ) {
        self.uptime = uptime
        self.patience = patience
        self.clock = clock
        self.check = check
    }

    /// Returns what was found within the last second, or is found now.
    func report() async -> Report {
        let now = uptime()
        enum Next {
            case known(Report)
            case wait(Task<Report, Never>)
        }
        let next: Next = state.withLock { state in
            if let last = state.last, abs(now - last.at) < Self.freshSeconds { return .known(last.report) }
            if let running = state.running { return .wait(running.task) }
            let task = Task { await run() }
            state.running = (task, now)
            return .wait(task)
        }
        switch next {
        case .known(let report): return report
        case .wait(let task): return await Self.first(of: task, within: patience, clock)
        }
    }

    /// Returns once a check has ended: the one that is running, or a new one.
    ///
    /// Unlike ``report()``, it waits for as long as the store takes.
    func finish() async {
        let task = state.withLock { state in
            if let running = state.running { return running.task }
            let task = Task { await run() }
            state.running = (task, uptime())
            return task
        }
        _ = await task.value
    }

    private func run() async -> Report {
        let report = Report(checks: await check())
        state.withLock { state in
            state.last = (report, uptime())
            state.running = nil
        }
        return report
    }

    /// Waits for a task that can't be cancelled, but not for ever.
    private static func first(
        of task: Task<Report, Never>,
        within patience: Duration,
        _ clock: any Clock<Duration>
    ) async -> Report {
        let (reports, found) = AsyncStream.makeStream(of: Report.self, bufferingPolicy: .bufferingOldest(1))
        let waiting = Task { found.yield(await task.value) }
        let timing = Task {
            guard (try? await clock.sleep(for: patience)) != nil else { return }
            found.yield(Report(checks: [HealthCheck("time", failure: .slow, seconds: patience / .seconds(1))]))
        }
        defer {
            waiting.cancel()
            timing.cancel()
        }
        for await report in reports { return report }
        return Report(checks: [])
    }
}

extension StoreError {
    fileprivate static let slow = StoreError(.unavailable, "The store doesn't answer in time. See `placard doctor`.")
}
