import Foundation
import Logging
import UnixSignals

/// The signals of a server: SIGTERM and SIGINT stop it, a second one ends it at once, and SIGHUP has it read its
/// settings again.
struct ProcessSignals: Sendable {
    /// How long what isn't a connection may take beyond the time that connections have, in seconds.
    private static let grace = 5.0

    /// The seconds that clients have to go elsewhere.
    let drainSeconds: Double
    /// The seconds that connections have to end after that.
    let shutdownSeconds: Double
    let logger: Logger
    /// Reads the settings again that may change while the server runs.
    let reload: @Sendable () -> Void

    /// Handles signals for as long as the task runs; `onStop` gets the first one that stops the server.
    func handle(onStop: @Sendable (UnixSignal) -> Void) async {
        var isStopping = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
            if signal == .sighup {
                logger.notice("Reading the settings again", metadata: ["signal": "SIGHUP"])
                reload()
            } else if isStopping {
                logger.warning("Ending at once: a second signal came", metadata: ["signal": "\(signal)"])
                exit(EXIT_FAILURE)
            } else {
                isStopping = true
                logger.notice("Stopping: a signal came", metadata: ["signal": "\(signal)"])
                endInTime(longest(after: signal))
                onStop(signal)
            }
        }
    }

    /// The seconds after a signal at which the process ends whatever holds it up; SIGINT sends no client elsewhere
    /// first.
    func longest(after signal: UnixSignal) -> Double {
        (signal == .sigint ? 0 : drainSeconds) + longestAfterDraining
    }

    /// The seconds at which it ends once clients have gone elsewhere, which without live streams takes no time.
    var longestAfterDraining: Double { shutdownSeconds + Self.grace }

    /// Notes that clients have gone elsewhere: what is left has its own time, and no more.
    func drained() { endInTime(longestAfterDraining) }

    /// Ends the process where something other than a connection holds it up.
    ///
    /// What was acknowledged is on the disk. The status is that of a failure, since something is wrong that an operator
    /// would want to know of.
    private func endInTime(_ seconds: Double) {
        let logger = logger
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            logger.error("Ending without waiting any longer: something is still running")
            exit(EXIT_FAILURE)
        }
    }
}
