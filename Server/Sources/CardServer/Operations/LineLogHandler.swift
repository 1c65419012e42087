import CardModel
import Dispatch
import Foundation
public import Logging
import Synchronization
import WireJSON

/// Writes one line an event to standard error.
///
/// Metadata is put into words when a line is written and not before: the HTTP stack gives each request's logger an id,
/// and nearly no request logs anything.
public struct LineLogHandler: LogHandler {
    /// The format of a line.
    public enum Format: String, Sendable, CaseIterable {
        /// An object with `time`, `level`, `logger`, `message` and the metadata.
        case json
        /// Time, level and message, then `name=value` for the metadata.
        case text
    }

    /// Waits at the end of the process for what waits, unless nothing takes it.
    private static let output: LineWriter = {
        atexit { LineLogHandler.flush() }
        return LineWriter(STDERR_FILENO)
    }()
    /// The time that the end of the process waits for lines, in seconds.
    private static let flushSeconds = 0.5
    private static let repeated = Mutex(RepeatedLines())

    /// Whether standard error leads to systemd's journal.
    package static let writesToJournal = JournalPriority.isJournal(
        STDERR_FILENO,
        stream: ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
    )

    private static let sharedLevel = Atomic(Level.of(.info))
    private var ownLevel: Logger.Level?

    /// The least level that is written: the one set for all loggers, unless this one has its own.
    public var logLevel: Logger.Level {
        get { ownLevel ?? Level.level(Self.sharedLevel.load(ordering: .relaxed)) }
        set { ownLevel = newValue }
    }

    /// Sets the least level of all loggers that have none of their own, at any time.
    public static func setLevel(_ level: Logger.Level) { sharedLevel.store(Level.of(level), ordering: .relaxed) }

    /// The metadata that every line of this logger carries.
    public var metadata: Logger.Metadata = [:]
    private let label: String
    private let format: Format

    /// Creates a handler for a logger of that name.
    public init(label: String, format: Format) {
        self.label = label
        self.format = format
    }

    /// A member of ``metadata``.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, unless it is repeated all the time.
    public func log(event: LogEvent) {
        guard let omitted = Self.omitted(before: event) else { return }
        var members = metadata.merging(event.metadata ?? [:]) { _, last in last }
        if omitted > 0 { members["left_out_before"] = "\(omitted)" }
        let lost = Self.output.takeLost()
        if lost > 0 { members["lost_before"] = "\(lost)" }
        if let span = ActiveSpan.current {
            members["trace_id"] = "\(span.trace.text)"
            members["span_id"] = "\(span.id.text)"
        }
        let all = members.sorted { $0.key < $1.key }
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line =
            switch format {
            case .json: json(event, time, all)
            case .text: text(event, time, all)
            }
        Self.output.write(Self.writesToJournal ? Array(JournalPriority.prefix(of: event.level).utf8) + line : line)
    }

    /// The number of lines that were lost because nobody read the log.
    static var lostLines: Int { output.lost }

    private static func flush() { output.flush(within: flushSeconds) }

    /// Returns the number of lines like one that were left out before it, or `nil` where it is left out too.
    ///
    /// Who wants to see every detail gets every line.
    private static func omitted(before event: LogEvent) -> Int? {
        guard event.level > .debug else { return 0 }
        let now = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        let line = "\(event.level) \(event.message)"
        let kind = Self.kind(of: line)
        switch repeated.withLock({ $0.decide(line, of: kind, at: now) }) {
        case .write(let omitted): return omitted
        case .omit: return nil
        }
    }

    /// Returns what lines have in common that differ in addresses, numbers and names of files: their other words.
    static func kind(of line: String) -> String {
        line.split(atAnyOf: " ")
            // characters: a mark makes another kind of line, no more
            .map { word in word.contains { $0.isNumber || $0 == ":" || $0 == "/" } ? "…" : word }
            .joined(separator: " ")
    }

    private func json(
        _ event: LogEvent,
        _ time: String,
        _ metadata: [(key: String, value: Logger.MetadataValue)]
    )
        -> [UInt8]
    {
        var writer = JSONWriter()
        writer.raw(#"{"time":"#)
        writer.string(time)
        writer.raw(#","level":"#)
        writer.string(event.level.rawValue)
        writer.raw(#","logger":"#)
        writer.string(label)
        writer.raw(#","message":"#)
        writer.string(event.message.description)
        for (name, value) in metadata {
            writer.raw(",")
            writer.string(name)
            writer.raw(":")
            writer.string(value.description)
        }
        writer.raw("}\n")
        return writer.bytes
    }

    private func text(
        _ event: LogEvent,
        _ time: String,
        _ metadata: [(key: String, value: Logger.MetadataValue)]
    )
        -> [UInt8]
    {
        let words = [event.level.rawValue, event.message.description] + metadata.map { "\($0.key)=\($0.value)" }
        return Array("\(time) \(Self.oneLine(words.joined(separator: " ")))\n".utf8)
    }

    /// A text as one line that shows what it is: whoever makes the server log a text writes no line of their own with
    /// it.
    ///
    /// Control and directional characters stand as JSON writes them: `\u000a`.
    static func oneLine(_ text: String) -> String {
        guard !IdentityText.isValid(text, maximumBytes: .max) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if IdentityText.isValid(String(scalar)) {
                line.unicodeScalars.append(scalar)
            } else {
                let number = String(scalar.value, radix: 16)
                line += "\\u" + String(repeating: "0", count: max(4 - number.count, 0)) + number
            }
        }
        return line
    }
}

/// A level as a number that can be changed while others read it.
private enum Level {
    static func of(_ level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }

    static func level(_ number: Int) -> Logger.Level {
        Logger.Level.allCases.indices.contains(number) ? Logger.Level.allCases[number] : .info
    }
}
