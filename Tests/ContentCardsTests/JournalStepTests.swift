import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("An event log of an app that ended between two steps", .timeLimit(.minutes(20)))
struct JournalStepTests {
    private let file: JournalFile

    init() throws { file = try JournalFile() }

    private func event(_ sequence: UInt64) -> LoggedEvent {
        LoggedEvent(sequence: sequence, id: "id\(sequence)", type: "custom", time: 1, members: #","name":"x""#)
    }

    private func write(_ records: [JournalRecord], then rest: String = "") throws {
        try Data((records.map(\.line).joined() + rest).utf8).write(to: file.url)
    }

    /// A line with the right checksum, as another version of the SDK may write it.
    private func line(_ content: String) -> String {
        CRC32.text(content.utf8) + " " + content + "\n"
    }

    @Test("is the one of before where its smaller copy was not in its place yet")
    func copied() throws {
        try write([.header(user: "u"), .event(event(1)), .event(event(2))])
        let copy = file.bed.directory.appendingPathComponent("events.new")
        try Data((JournalRecord.header(user: "u").line + JournalRecord.settled(through: 2).line).utf8).write(to: copy)
        var journal = file.open()
        #expect(journal.pending.map(\.sequence) == [1, 2])
        // The next copy replaces what was left behind.
        try journal.rewrite()
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(file.open().pending.map(\.sequence) == [1, 2] && file.reports.all.isEmpty)
    }

    @Test("is whole where a folder is in the place of its smaller copy, which is made another time")
    func blockedCopy() throws {
        try write([.header(user: "u"), .event(event(1))])
        let copy = file.bed.directory.appendingPathComponent("events.new")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        var journal = file.open()
        #expect(throws: FileError.self) { try journal.rewrite() }
        try journal.append(event(2), dropping: 0)
        #expect(file.open().pending.map(\.sequence) == [1, 2])
    }

    @Test("counts on from the highest number it ever had, so that no two events are one")
    func numbers() throws {
        try write([.header(user: "u"), .settled(through: 41)])
        #expect(file.open().lastSequence == 41)
        try write([.header(user: "u"), .event(event(50)), .settled(through: 41)])
        #expect(file.open().lastSequence == 50 && file.open().pending.map(\.sequence) == [50])
        // A number that is lower than the one before is a line that came twice.
        try write([.header(user: "u"), .event(event(5)), .event(event(4)), .event(event(5))])
        #expect(file.open().pending.map(\.sequence) == [5])
    }

    @Test("keeps every event of a later version's log, says what it didn't understand, and goes on with it")
    func laterVersion() throws {
        let unknown = line("Z 1 2 3") + JournalRecord.event(event(2)).line
        try write([.header(user: "u"), .event(event(1))], then: unknown)
        var journal = file.open()
        #expect(journal.pending.map(\.sequence) == [1, 2])
        #expect(file.reports.all == [.fileSetAside(name: "events", lostRecords: 1)])
        try journal.append(event(3), dropping: 0)
        #expect(file.open().pending.map(\.sequence) == [1, 2, 3] && file.reports.all.count == 1)
        // The log of before is there for whoever goes back to the later version.
        let kept = try #require(file.bed.files(named: "events.corrupt-").first)
        #expect(try String(contentsOf: kept, encoding: .utf8).contains("Z 1 2 3"))
    }

    @Test(
        "takes no record with too little or too much in it, although its checksum is right",
        arguments: [
            "E 2 1.0 id", "E x 1.0 id custom ,", "E 2 nan id custom ,", "E -1 1.0 id custom ,", "A", "A ", "A -1",
            "A 1 2", "A 18446744073709551616", "T 1 1 1", "T 1 1 1 0 0", "T a 1 1 0", "H u", "H 7", "", "E",
        ]
    )
    func wrongRecords(content: String) throws {
        let next = line(content) + JournalRecord.event(event(3)).line
        try write([.header(user: "u"), .event(event(1))], then: next)
        let journal = file.open()
        #expect(journal.pending.map(\.sequence) == [1, 3] && journal.trial == EventTrial())
        #expect(file.reports.all == [.fileSetAside(name: "events", lostRecords: 1)])
    }

    @Test("forgets the newest note about an event where its line is torn, and has the one before")
    func tornTrial() throws {
        let first = EventTrial(limit: 8, sequence: 1, failures: 1, isSuspected: false)
        let second = JournalRecord.trial(EventTrial(limit: 4, sequence: 1, failures: 2, isSuspected: true)).line
        for cut in [1, 2, second.utf8.count - 1] {
            try write([.header(user: "u"), .event(event(1)), .trial(first)], then: String(second.dropLast(cut)))
            #expect(file.open().trial == first, "\(cut)")
        }
        #expect(file.reports.all.isEmpty)
    }

    @Test("has the newest events set aside, as many as are kept, over any number of launches")
    func setAside() throws {
        let records = (1...25).map { JournalRecord.setAside(event(UInt64($0))) }
        try write([.header(user: "u")] + records + [.event(event(30))])
        for _ in 0..<3 {
            var journal = file.open()
            #expect(journal.setAside.map(\.sequence) == Array(6...25))
            try journal.rewrite()
        }
        #expect(file.open().pending.map(\.sequence) == [30])
    }

    @Test("knows whose it is by its first line, and is nobody's where that is torn, damaged or endless")
    func owners() throws {
        #expect(JournalHeader.user(path: file.path) == nil)
        try write([.header(user: "ü\n\"\\")])
        #expect(JournalHeader.user(path: file.path) == "ü\n\"\\")
        let line = JournalRecord.header(user: "u").line
        for text in ["", "\n", String(line.dropLast(3)), "x\(line.dropFirst())", "\n\(line)"] {
            try Data(text.utf8).write(to: file.url)
            #expect(JournalHeader.user(path: file.path) != "u", "\(text)")
        }
        try Data(repeating: UInt8(ascii: "x"), count: 1 << 20).write(to: file.url)
        #expect(JournalHeader.user(path: file.path) == nil)
    }

    @Test("of an app whose server answered, but that ended before it noted so, is sent again under the same ids")
    func unsettled() async throws {
        let client = file.bed.launch()
        await client.identify("a")
        file.bed.transport.answer("v1/events") { _ in throw TransportError.unreachable("scripted") }
        client.logEvent("one")
        client.logEvent("two")
        try? await client.flush()
        let events = try #require(file.bed.files(named: "events").first { $0.lastPathComponent == "events" })
        let before = try Data(contentsOf: events)
        file.bed.transport.answer("v1/events") { _ in .events() }
        try await client.flush()
        await client.close()
        try before.write(to: events)
        file.bed.transport.answer("v1/events") { _ in throw TransportError.unreachable("scripted") }
        let next = file.bed.launch()
        // What it sends by itself at its start has failed by then.
        try? await next.flush()
        #expect(next.pendingEventCount == 2)
        file.bed.transport.answer("v1/events") { _ in .events() }
        try await next.flush()
        #expect(next.pendingEventCount == 0)
        await next.close()
        let ids = file.bed.transport.requests(to: "v1/events").map { SentBody($0).events.map(\.id) }
        #expect(Set(ids.joined()).count == 2 && ids.last == ids.first(where: { $0.count == 2 }))
    }
}
