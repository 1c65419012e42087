import Foundation

/// The records of an event log.
///
/// A record is a line: the checksum of the rest, a letter, and what the letter says.
///
/// - `H`: the log's user, as JSON text. The first line.
/// - `E`: sequence, time, id, type and the members of an event.
/// - `A`: the sequence up to which all events are settled.
/// - `T`: the trial: the most events of a request or 0, and of an event that failed alone the sequence,
///   the failures, and 1 where it is suspected of another.
/// - `X`: an event that was set aside, as in `E`.
enum JournalRecord: Sendable, Equatable {
    case header(user: String)
    case event(LoggedEvent)
    case settled(through: UInt64)
    case trial(EventTrial)
    case setAside(LoggedEvent)

    var line: String {
        let content = content
        return CRC32.text(content.utf8) + " " + content + "\n"
    }

    private var content: String {
        switch self {
        case .header(let user): "H \(JSONValue.string(user).text)"
        case .event(let event): "E " + Self.text(event)
        case .settled(let sequence): "A \(sequence)"
        case .trial(let trial): "T \(trial.limit ?? 0) \(trial.sequence) \(trial.failures) \(trial.isSuspected ? 1 : 0)"
        case .setAside(let event): "X " + Self.text(event)
        }
    }

    private static func text(_ event: LoggedEvent) -> String {
        "\(event.sequence) \(event.time) \(event.id) \(event.type) \(event.members)"
    }

    /// Parses a line without its end; `nil` when it is damaged.
    init?(line: Substring.UTF8View) {
        guard line.count > 10 else { return nil }
        let content = line.dropFirst(9)
        guard UInt32(Substring(line.prefix(8)), radix: 16) == CRC32.checksum(content) else { return nil }
        guard let record = Self.parse(content) else { return nil }
        self = record
    }

    private static func parse(_ content: Substring.UTF8View) -> JournalRecord? {
        let rest = content.dropFirst(2)
        switch content.first {
        case UInt8(ascii: "H"):
            return (try? JSONDecoder().decode(String.self, from: Data(rest))).map { .header(user: $0) }
        case UInt8(ascii: "A"): return sequence(Substring(rest)).map { .settled(through: $0) }
        case UInt8(ascii: "E"): return event(rest).map { .event($0) }
        case UInt8(ascii: "X"): return event(rest).map { .setAside($0) }
        case UInt8(ascii: "T"): return trial(rest).map { .trial($0) }
        default: return nil
        }
    }

    /// A sequence that can be counted on from: no device ever logs as many events.
    private static func sequence(_ text: Substring) -> UInt64? {
        UInt64(text).flatMap { $0 < 1 << 62 ? $0 : nil }
    }

    private static func trial(_ text: Substring.UTF8View) -> EventTrial? {
        let parts = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 4, let limit = Int(parts[0]), let sequence = sequence(parts[1]),
            let failures = Int(parts[2])
        else { return nil }
        return EventTrial(limit: limit, sequence: sequence, failures: failures, isSuspected: parts[3] == "1")
    }

    private static func event(_ text: Substring.UTF8View) -> LoggedEvent? {
        let space = UInt8(ascii: " ")
        let parts = text.split(separator: space, maxSplits: 4, omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 5, let sequence = sequence(parts[0]), let time = Double(parts[1]), time.isFinite
        else { return nil }
        return LoggedEvent(
            sequence: sequence,
            id: String(parts[2]),
            type: String(parts[3]),
            time: time,
            members: String(parts[4])
        )
    }
}

/// The contents of the text of an event log.
struct JournalContents: Sendable, Equatable {
    var user: String?
    var pending: [LoggedEvent] = []
    var settledThrough: UInt64 = 0
    var lastSequence: UInt64 = 0
    var trial = EventTrial()
    /// Events on which the server failed, oldest first.
    var setAside: [LoggedEvent] = []
    /// Damaged records.
    ///
    /// A torn last record is none of them: that is how a log looks after the power went.
    var damaged = 0
    /// Whether the log ends in a torn record.
    var isTorn = false

    init() {}

    init(text: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let tail = lines.popLast()
        isTorn = tail?.isEmpty == false
        for (index, line) in lines.enumerated() {
            if let record = JournalRecord(line: line) {
                take(record)
            } else if index == lines.count - 1 {
                isTorn = true
            } else {
                damaged += 1
            }
        }
        pending.removeAll { $0.sequence <= settledThrough }
        trial.settle(first: pending.first?.sequence)
    }

    private mutating func take(_ record: JournalRecord) {
        switch record {
        case .header(let user): self.user = user
        case .settled(let sequence): settledThrough = max(settledThrough, sequence)
        case .trial(let trial): self.trial = trial
        case .setAside(let event): setAside = (setAside + [event]).suffix(Journal.setAsideLimit)
        case .event(let event):
            guard event.sequence > lastSequence else { return }
            lastSequence = event.sequence
            pending.append(event)
        }
    }
}
