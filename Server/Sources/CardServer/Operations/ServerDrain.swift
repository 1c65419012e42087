import CardStore
import Logging
import Synchronization

/// Whether a server was asked to stop, and sends its clients elsewhere.
final class DrainState: Sendable {
    private let hasBegun = Atomic<Bool>(false)

    /// Whether it was asked to stop.
    var isDraining: Bool { hasBegun.load(ordering: .acquiring) }

    /// The check that readiness reports from now on.
    static let check = HealthCheck(
        "stopping",
        failure: StoreError(.unavailable, "The server was asked to stop. Send requests to another one.")
    )

    func begin() { hasBegun.store(true, ordering: .releasing) }
}

/// The time of a server between being asked to stop and refusing connections: it isn't ready any more, answers whatever
/// comes nevertheless, and tells live streams to reconnect, one after another.
///
/// All streams of a node that reconnect at one moment, each with a sync, would be as many requests as other nodes
/// answer in seconds.
struct ServerDrain: Sendable {
    /// Seconds between two groups of streams.
    private static let step = 0.1

    let state: DrainState
    let hub: LiveHub
    /// The time for which connections are still accepted, in seconds.
    let delaySeconds: Double
    /// The time over which streams are told, in seconds.
    let streamSeconds: Double
    let clock: any Clock<Duration>
    let logger: Logger

    /// Drains, and returns when connections may be refused.
    func run() async {
        state.begin()
        let streams = hub.drain().shuffled()
        guard delaySeconds > 0 || !streams.isEmpty else { return }
        logger.notice(
            "Draining: not ready any more, live streams are told to reconnect",
            metadata: [
                "live_streams": "\(streams.count)", "over_seconds": "\(streamSeconds)",
                "delay_seconds": "\(delaySeconds)",
            ]
        )
        // safe: at most an hour
        async let delay: Void? = try? clock.sleep(for: .seconds(delaySeconds))
        await tell(streams)
        _ = await delay
    }

    /// Tells an equal share of the streams at each step.
    private func tell(_ streams: [LiveSubscription]) async {
        // safe: at most an hour
        let steps = max(1, Int(streamSeconds / Self.step))
        var told = 0
        // safe: there is one step at least
        for step in 1...steps {
            // safe: the same; numbers of streams
            let share = streams.count * step / steps
            // safe: shares rise with the steps
            for stream in streams[told..<share] { stream.signal(.reconnect) }
            told = share
            guard told < streams.count, hub.count > 0 else { break }
            guard (try? await clock.sleep(for: .seconds(Self.step))) != nil else { break }
        }
        for stream in streams[told...] { stream.signal(.reconnect) }
    }
}
