import Logging
import ServiceLifecycle

/// Sees to it that a server which is asked to stop does so, however slowly clients send and read.
///
/// Requests that are being answered have until the deadline; then every connection that is left is closed.
struct ConnectionDrain: Sendable {
    /// Seconds between two lines that say what is waited for.
    private static let reportSeconds = 5.0

    let table: ConnectionTable
    /// The time that connections have, in seconds.
    let seconds: Double
    let clock: any Clock<Duration>
    let logger: Logger

    /// Waits until the server is asked to stop, and then for its connections.
    func run() async {
        guard (try? await gracefulShutdown()) != nil else { return }
        await drain()
    }

    /// Waits for the connections, says from time to time for how many, and closes what is left at the deadline.
    func drain() async {
        var waited = 0.0
        while waited < seconds {
            report(waited)
            let step = min(waited == 0 ? 1 : Self.reportSeconds, seconds - waited)
            // safe: at most an hour
            guard (try? await clock.sleep(for: .seconds(step))) != nil else { return }
            waited += step
            guard table.count > 0 else { return }
        }
        logger.warning("Closing the connections that are left: the time to stop is over", metadata: metadata(waited))
        table.closeAll()
    }

    private func report(_ waited: Double) {
        if waited == 0 {
            logger.notice("Stopping: no new connections, and answers close theirs", metadata: metadata(waited))
        } else {
            logger.notice("Still stopping: waiting for connections to end", metadata: metadata(waited))
        }
    }

    private func metadata(_ waited: Double) -> Logger.Metadata {
        let (all, busy) = (table.count, table.busyCount)
        // safe: numbers of connections
        let others = max(all, busy) - busy
        return [
            "answering": "\(busy)", "sending_or_idle": "\(others)", "waited_seconds": "\(waited.rounded())",
            "limit_seconds": "\(seconds.rounded())",
        ]
    }
}
