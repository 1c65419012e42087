package import Logging
import Synchronization

/// What was logged, for tests to look at.
package final class RecordedLog: Sendable {
    private struct Handler: LogHandler {
        let record: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { record.keep(event) }
    }

    private let kept = Mutex<[LogEvent]>([])
    private let note: @Sendable (LogEvent) -> Void

    /// The events in the order in which they were logged, without what their logger adds to each.
    package var events: [LogEvent] { kept.withLock { $0 } }

    /// The message of each event.
    package var messages: [String] { events.map { "\($0.message)" } }

    /// The message and the metadata of each event.
    package var lines: [String] {
        events.map { event in
            let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            return "\(event.message) \(metadata)"
        }
    }

    /// Creates a log without events.
    ///
    /// - Parameter note: Gets each event when it is logged.
    package init(_ note: @escaping @Sendable (LogEvent) -> Void = { _ in }) { self.note = note }

    /// Returns a logger whose events are recorded from a level on.
    package func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(record: self) }
        logger.logLevel = level
        return logger
    }

    private func keep(_ event: LogEvent) {
        kept.withLock { $0.append(event) }
        note(event)
    }
}
