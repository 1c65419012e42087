import Foundation
public import Logging
import Synchronization
import WireJSON

/// Writes one JSON object a line to standard error.
public struct JSONLogHandler: LogHandler {
    private static let output = Mutex(FileHandle.standardError)

    /// The least level that is written.
    public var logLevel = Logger.Level.info
    /// What every line of this logger carries.
    public var metadata: Logger.Metadata = [:]
    private let label: String

    /// Makes a handler for a logger of that name.
    public init(label: String) { self.label = label }

    /// A member of ``metadata``.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    public func log(event: LogEvent) {
        var writer = JSONWriter()
        writer.raw(#"{"time":"#)
        writer.string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        writer.raw(#","level":"#)
        writer.string(event.level.rawValue)
        writer.raw(#","logger":"#)
        writer.string(label)
        writer.raw(#","message":"#)
        writer.string(event.message.description)
        let all = metadata.merging(event.metadata ?? [:]) { _, last in last }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            writer.raw(",")
            writer.string(name)
            writer.raw(":")
            writer.string(value.description)
        }
        writer.raw("}\n")
        Self.output.withLock { try? $0.write(contentsOf: writer.bytes) }
    }
}
