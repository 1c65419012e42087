import CardServer
import Foundation
import Logging
import UnixSignals

/// The signals of a server: SIGTERM and SIGINT stop it, a second one ends it at once, and SIGHUP has it read its
/// settings again.
struct ProcessSignals: Sendable {
    /// The time for what isn't a connection beyond the time that connections have, in seconds.
    private static let grace = 5.0
    /// Seconds between two lines that say what is waited for.
    private static let reportSeconds = 5.0

    /// The seconds that clients have to go elsewhere.
    let drainSeconds: Double
    /// The seconds that connections have to end after that.
    let shutdownSeconds: Double
    let logger: Logger
    /// Reads the settings again that may change while the server runs.
    let reload: @Sendable () -> Void
    /// The progress of the server once it stops.
    var progress = StopProgress()
    /// Calls something after a number of seconds, whatever the server's own threads do.
    var schedule: @Sendable (_ seconds: Double, _ body: @escaping @Sendable () -> Void) -> Void = { seconds, body in
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { body() }
    }
    /// Ends the process as one that has failed.
    var end: @Sendable () -> Void = { exit(EXIT_FAILURE) }

    /// Handles signals for as long as the task runs, also those that came before; `onStop` gets the first one that
    /// stops the server.
    func handle(onStop: @Sendable (UnixSignal) -> Void) async {
        var isStopping = false
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        for signal in EarlySignals.take() { handle(signal, &isStopping, onStop) }
        for await signal in signals { handle(signal, &isStopping, onStop) }
    }

    private func handle(_ signal: UnixSignal, _ isStopping: inout Bool, _ onStop: @Sendable (UnixSignal) -> Void) {
        if signal == .sighup {
            logger.notice("Reading the settings again", metadata: ["signal": "SIGHUP"])
            reload()
        } else if isStopping {
            logger.warning("Ending at once: a second signal came", metadata: ["signal": "\(signal)"])
            end()
        } else {
            isStopping = true
            stop(after: signal)
            onStop(signal)
        }
    }

    /// Notes that a signal stops the server: from now on the log says what it waits for, and it ends in time.
    func stop(after signal: UnixSignal) {
        logger.notice("Stopping: a signal came", metadata: ["signal": "\(signal)"])
        let limit = longest(after: signal)
        endInTime(limit)
        report(after: Self.reportSeconds, limit)
    }

    /// The seconds after a signal at which the process ends whatever holds it up; SIGINT sends no client elsewhere
    /// first.
    func longest(after signal: UnixSignal) -> Double {
        (signal == .sigint ? 0 : drainSeconds) + longestAfterDraining
    }

    /// The seconds at which it ends once clients have gone elsewhere, which without live streams takes no time.
    var longestAfterDraining: Double { shutdownSeconds + Self.grace }

    /// Notes that clients have gone elsewhere: what is left has its own time, and no more.
    func drained() {
        progress.begin(.connections)
        endInTime(longestAfterDraining)
    }

    /// Says what is waited for at a number of seconds after the signal, and from then on until the process ends.
    private func report(after seconds: Double, _ limit: Double) {
        schedule(Self.reportSeconds) {
            let step = progress.step
            guard step != .process, seconds < limit else { return }
            // Connections are counted in lines of their own.
            if step != .connections {
                let metadata: Logger.Metadata = [
                    "waiting_for": "\(step.text)", "waited_seconds": "\(seconds)", "limit_seconds": "\(limit)",
                ]
                logger.notice("Still stopping", metadata: metadata)
            }
            report(after: seconds + Self.reportSeconds, limit)
        }
    }

    /// Ends the process where something other than a connection holds it up.
    ///
    /// What was acknowledged is on the disk. The status is that of a failure, since something is wrong that an operator
    /// would want to know of.
    private func endInTime(_ seconds: Double) {
        schedule(seconds) {
            logger.error(
                "Ending without waiting any longer: something is still running",
                metadata: ["waiting_for": "\(progress.step.text)"]
            )
            end()
        }
    }
}
