import CardModel
import Logging
import Synchronization
import Testing

@testable import CardServer

/// A clock on which nobody waits: it goes on to whatever moment is waited for.
private final class SkippingClock: Clock {
    private let time: Mutex<ContinuousClock.Instant>
    private let start: ContinuousClock.Instant

    init() {
        let now = ContinuousClock.now
        start = now
        time = Mutex(now)
    }

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    let minimumResolution = Duration.zero
    /// The time that was waited for.
    var passed: Duration { start.duration(to: now) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = max($0, deadline) }
    }
}

@Suite("Draining a server", .timeLimit(.minutes(20)))
struct ServerDrainTests {
    private let hub = LiveHub()
    private let state = DrainState()
    private let clock = SkippingClock()

    private func drain(delay: Double = 0, over seconds: Double) -> ServerDrain {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return ServerDrain(
            state: state,
            hub: hub,
            delaySeconds: delay,
            streamSeconds: seconds,
            clock: clock,
            logger: logger
        )
    }

    private func open(_ count: Int) throws -> [LiveSubscription] {
        try (0..<count).map { try hub.open(for: UserID(rawValue: "user-\($0)"), device: nil) }
    }

    @Test("Every stream is told to reconnect, over the time that was set, and none is opened any more")
    func spread() async throws {
        let streams = try open(250)
        await drain(over: 10).run()
        #expect(state.isDraining)
        for stream in streams { #expect(await stream.nextSignal() == .reconnect) }
        #expect(clock.passed >= .seconds(9.5) && clock.passed <= .seconds(10))
        #expect(throws: LiveHub.LiveError.draining) { try open(1) }
    }

    @Test("Few streams are told within the time too", arguments: [1, 2, 7])
    func few(count: Int) async throws {
        let streams = try open(count)
        await drain(over: 5).run()
        for stream in streams { #expect(await stream.nextSignal() == .reconnect) }
        #expect(clock.passed <= .seconds(5))
    }

    @Test("Streams are told at once where no time is set")
    func atOnce() async throws {
        let streams = try open(20)
        await drain(over: 0).run()
        for stream in streams { #expect(await stream.nextSignal() == .reconnect) }
        #expect(clock.passed == .zero)
    }

    @Test("Without streams nothing is waited for but the delay", arguments: [0, 7.0])
    func noStreams(delay: Double) async {
        await drain(delay: delay, over: 10).run()
        #expect(state.isDraining)
        #expect(clock.passed >= .seconds(delay) && clock.passed < .seconds(delay + 0.5))
    }

    @Test("Streams that end by themselves are not waited for")
    func ended() async throws {
        for stream in try open(5) { stream.end() }
        await drain(over: 10).run()
        #expect(clock.passed == .zero)
    }
}
