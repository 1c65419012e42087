/// The actions of the simulated clients, put together from their ledgers.
package struct Ledger: Sendable, Equatable {
    /// The fate of an event, as far as the ledger knows it.
    package enum Fate: Sendable, Equatable {
        /// The log call returned true, or the recovered queue held it: it has to arrive, once.
        case certain
        /// The log call returned false: it must not arrive.
        case refused
        /// The process was killed during the call and the queue does not hold it: it was either not logged, or logged,
        /// sent and settled before. Whether it arrived says which; in no case twice.
        case open
    }

    /// An event and its fate.
    package struct Entry: Sendable, Equatable {
        /// The subject of the log call.
        package var intent: LedgerRecord.Intent
        /// The fate that is known of it.
        package var fate: Fate
    }

    /// The events by id.
    package private(set) var entries: [String: Entry] = [:]
    /// The ids of the SDK's own events.
    package private(set) var automatic: Set<String> = []
    /// The ids of interrupted calls whose events the recovered queue held.
    package private(set) var recovered: Set<String> = []
    /// The ids that the SDK said were refused, with the code.
    package private(set) var rejected: [String: String] = [:]

    /// Creates an empty ledger.
    package init() {}

    /// Adds the text of a client's ledger.
    ///
    /// A line that a kill has torn is left out: its call never began.
    package mutating func add(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // What follows the last line break is torn, or nothing.
        lines.removeLast()
        for line in lines {
            guard let record = LedgerRecord(line) else { continue }
            add(record)
        }
    }

    private mutating func add(_ record: LedgerRecord) {
        switch record {
        case .intent(let intent): entries[intent.id] = Entry(intent: intent, fate: .open)
        case .done(let id, let isLogged): entries[id]?.fate = isLogged ? .certain : .refused
        case .recovered(let id):
            entries[id]?.fate = .certain
            recovered.insert(id)
        case .automatic(let id): automatic.insert(id)
        case .rejected(let id, let code): rejected[id] = code
        }
    }

    /// The ids of calls that were under way when the process was killed.
    package var openIDs: Set<String> {
        Set(entries.filter { $0.value.fate == .open }.keys)
    }
}

/// Reads the SDK's event log as a file, to see what a killed process left in it.
package enum QueuedEvents {
    /// The ids of the events that were logged and are not settled yet.
    package static func ids(in text: String) -> Set<String> {
        var events: [(sequence: UInt64, id: String)] = []
        var settled: UInt64 = 0
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if !lines.isEmpty { lines.removeLast() }
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
            if words.count >= 5, words[1] == "E", let sequence = UInt64(words[2]) {
                events.append((sequence, String(words[4])))
            } else if words.count == 3, words[1] == "A", let sequence = UInt64(words[2]) {
                settled = max(settled, sequence)
            }
        }
        return Set(events.filter { $0.sequence > settled }.map(\.id))
    }
}
