import Foundation
import Testing

@testable import ContentCards

/// An event log as it ought to be, in the plainest way.
private struct PlainLog {
    var pending: [LoggedEvent] = []
    var last: UInt64 = 0
    var setAside: [LoggedEvent] = []
    private var failed: (sequence: UInt64, count: Int) = (0, 0)

    mutating func append(_ event: LoggedEvent, limit: Int) {
        last = event.sequence
        pending.append(event)
        pending = pending.suffix(limit)
    }

    mutating func settle(through sequence: UInt64) { pending.removeAll { $0.sequence <= sequence } }

    /// Returns whether the first event failed once too often.
    mutating func fail() -> Bool {
        guard let first = pending.first else { return false }
        failed = failed.sequence == first.sequence ? (first.sequence, failed.count + 1) : (first.sequence, 1)
        guard failed.count == 3 else { return false }
        setAside = (setAside + [first]).suffix(20)
        pending.removeFirst()
        return true
    }
}

@Suite("An event log in random use", .timeLimit(.minutes(20)))
struct JournalModelTests {
    private static let limit = 12

    private let file: JournalFile
    private let isFull = Locked(false)

    init() throws { file = try JournalFile() }

    /// Opens the log on a disk that can be full: then a write ends after some of its bytes.
    private func open() -> Journal {
        let writing = FileWriting { [isFull] descriptor, bytes in
            guard isFull.withLock({ $0 }) else { return FileWriting.system.write(descriptor, bytes) }
            return FileWriting.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 3)))
        }
        return file.open(user: "caf\u{E9} \n\"", writing)
    }

    private func event(_ sequence: UInt64) -> LoggedEvent {
        LoggedEvent(
            sequence: sequence,
            id: "id-\(sequence)",
            type: "custom",
            time: Double(sequence) / 8,
            members: sequence % 3 == 0 ? "" : ",\"name\":\"e\u{301} \(sequence)\""
        )
    }

    @Test("holds what a plain list would, also for whoever opens it next, at any time", arguments: 1...15)
    func sequences(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var (journal, plain) = (open(), PlainLog())
        var copy: JournalCopy?
        for _ in 0..<150 {
            switch Int.random(in: 0..<14, using: &dice) {
            case 0..<5: try append(to: &journal, &plain)
            case 5:
                let sequence = UInt64.random(in: 0...plain.last, using: &dice)
                plain.settle(through: sequence)
                try journal.settle(through: sequence)
            case 6..<9:
                guard let first = plain.pending.first else { continue }
                try journal.noteSuspicion(of: first.sequence)
                let isOver = plain.fail()
                #expect(try journal.noteFailure(of: first.sequence) == (isOver ? first : nil))
            case 9: try journal.note(limit: [nil, 1, 6, 125][Int.random(in: 0..<4, using: &dice)])
            case 10: try fill(&journal, &plain, using: &dice)
            case 11..<13: try goOn(with: &copy, of: &journal, using: &dice)
            default:
                try tear(&journal, &plain, using: &dice)
                copy = nil
            }
            let next = open()
            #expect(journal.pending == plain.pending && journal.setAside == plain.setAside)
            #expect(next.pending == plain.pending && next.setAside == plain.setAside && next.trial == journal.trial)
            #expect(next.lastSequence == plain.last && journal.lastSequence == plain.last)
        }
        #expect(file.reports.all.isEmpty)
    }

    private func append(to journal: inout Journal, _ plain: inout PlainLog) throws {
        let next = event(plain.last + 1)
        plain.append(next, limit: Self.limit)
        try journal.append(next, dropping: max(0, journal.pending.count + 1 - Self.limit))
    }

    /// Logs events while the disk is full, as many as there is room for without dropping any, and one after that.
    private func fill(_ journal: inout Journal, _ plain: inout PlainLog, using dice: inout Dice) throws {
        isFull.withLock { $0 = true }
        defer { isFull.withLock { $0 = false } }
        for _ in 0..<Int.random(in: 1...3, using: &dice) where plain.pending.count < Self.limit - 1 {
            #expect(throws: FileError.self) { try append(to: &journal, &plain) }
        }
        isFull.withLock { $0 = false }
        try append(to: &journal, &plain)
    }

    /// Begins a smaller copy, goes on with it, or lets it take the place of the file.
    private func goOn(with copy: inout JournalCopy?, of journal: inout Journal, using dice: inout Dice) throws {
        guard var begun = copy else {
            guard let excerpt = journal.beginCopy(beyond: 0) else { return }
            var fresh = try JournalCopy(beside: excerpt.path, writing: excerpt.writing)
            try fresh.append(excerpt.text)
            copy = fresh
            return
        }
        if Bool.random(using: &dice) {
            try begun.append(journal.takeRest())
            copy = begun
        } else {
            try journal.replaceFile(by: begun)
            copy = nil
        }
    }

    /// Kills the app in the middle of a write, and opens the log again.
    private func tear(_ journal: inout Journal, _ plain: inout PlainLog, using dice: inout Dice) throws {
        let line = Array(JournalRecord.event(event(plain.last + 1)).line.utf8)
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(line.prefix(Int.random(in: 1..<line.count, using: &dice))))
        try handle.close()
        journal = open()
    }

    @Test("loses two records at most to one damaged byte, and gives back none that was changed")
    func damagedBytes() {
        let events = (1...5).map { event($0) }
        let records: [JournalRecord] = [.header(user: "u")] + events[..<4].map { .event($0) }
        let lines = (records + [.settled(through: 1), .event(events[4]), .setAside(event(9))]).map(\.line)
        let bytes = Array(lines.joined().utf8)
        #expect(JournalContents(text: lines.joined()).pending == Array(events[1...]))
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x08, 0x20, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= mask
                let contents = JournalContents(text: String(decoding: damaged, as: UTF8.self))
                #expect(contents.pending.allSatisfy(events.contains), "byte \(index)")
                #expect(contents.pending.map(\.sequence) == contents.pending.map(\.sequence).sorted())
                let lost = events[1...].filter { !contents.pending.contains($0) }
                #expect(lost.count <= 2 && contents.damaged <= 2, "byte \(index)")
                #expect(contents.setAside.allSatisfy { $0 == event(9) })
            }
        }
    }

    @Test("with lines that come twice, out of order or from nowhere holds each event once, in order")
    func order() {
        let lines: [JournalRecord] = [
            .header(user: "u"), .event(event(2)), .event(event(2)), .event(event(1)), .settled(through: 0),
            .event(event(7)), .settled(through: 2), .settled(through: 1), .event(event(5)), .event(event(8)),
        ]
        let contents = JournalContents(text: lines.map(\.line).joined())
        #expect(contents.pending == [event(7), event(8)] && contents.settledThrough == 2 && contents.lastSequence == 8)
        #expect(contents.damaged == 0 && !contents.isTorn)
        let aside = (1...30).map { JournalRecord.setAside(event($0)).line }.joined()
        #expect(JournalContents(text: aside).setAside.map(\.sequence) == Array(11...30))
    }

    @Test(
        "has no line that says something else when it is read again",
        arguments: ["", " ", "a b", "\n", "\u{0}", "\"\\", "e\u{301}", "\u{2028}", "\u{1F600}", "\u{85}"]
    )
    func users(user: String) {
        let line = JournalRecord.header(user: user).line
        guard case .header(let read) = JournalRecord(line: line.dropLast().utf8) else {
            Issue.record("no header")
            return
        }
        #expect(read.hasSameBytes(as: user))
        #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    }
}
