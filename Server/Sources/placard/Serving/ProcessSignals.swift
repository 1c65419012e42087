import Foundation
import Logging
import UnixSignals

/// The signals of a server: SIGTERM and SIGINT stop it, a second one ends it at once, and SIGHUP has it read its settings
/// again.
struct ProcessSignals: Sendable {
    /// How long what isn't a connection may take beyond the time that connections have, in seconds.
    private static let grace = 5.0

    /// The seconds that clients have to go elsewhere and connections to end.
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
                endInTime()
                onStop(signal)
            }
        }
    }

    /// Ends the process where something other than a connection holds it up.
    ///
    /// What was acknowledged is on the disk.
    private func endInTime() {
        let logger = logger
        DispatchQueue.global().asyncAfter(deadline: .now() + shutdownSeconds + Self.grace) {
            logger.error("Ending without waiting any longer: something is still running")
            exit(EXIT_FAILURE)
        }
    }
}
