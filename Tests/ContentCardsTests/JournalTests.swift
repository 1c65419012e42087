import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("An event log")
struct JournalTests {
    private let file: JournalFile

    init() throws { file = try JournalFile() }

    private func event(_ sequence: UInt64) -> LoggedEvent {
        LoggedEvent(
            sequence: sequence,
            id: "id-\(sequence)",
            type: "custom",
            time: 1.25,
            members: ",\"name\":\"ä \\n\""
        )
    }

    private func write(_ count: UInt64) throws {
        var journal = file.open()
        for sequence in 1...count { try journal.append(event(sequence), dropping: 0) }
    }

    @Test("gives back what was appended, in order and unchanged")
    func roundTrip() throws {
        try write(3)
        #expect(file.open().pending == [event(1), event(2), event(3)])
        #expect(file.reports.all.isEmpty)
    }

    @Test("does not give back what was settled, also when it goes on afterwards")
    func settled() throws {
        try write(3)
        var journal = file.open()
        try journal.settle(through: 2)
        try journal.append(event(4), dropping: 0)
        #expect(file.open().pending == [event(3), event(4)])
        #expect(file.open().lastSequence == 4)
    }

    @Test("is trimmed where the last record is torn, at whatever byte, without a report")
    func torn() throws {
        try write(3)
        let whole = try Data(contentsOf: file.url)
        let lastRecord = JournalRecord.event(event(3)).line.utf8.count
        for cut in 1..<lastRecord {
            try whole.dropLast(cut).write(to: file.url)
            var journal = file.open()
            #expect(journal.pending == [event(1), event(2)])
            try journal.append(event(3), dropping: 0)
            #expect(file.open().pending.count == 3)
        }
        #expect(file.reports.all.isEmpty)
    }

    @Test("is set aside when it is damaged in the middle, and what can be read is kept and reported")
    func damaged() throws {
        try write(3)
        var bytes = try Data(contentsOf: file.url)
        let middle = bytes.count - JournalRecord.event(event(3)).line.utf8.count - 4
        bytes[middle] ^= 0xFF
        try bytes.write(to: file.url)
        #expect(file.open().pending == [event(1), event(3)])
        #expect(file.reports.all == [.fileSetAside(name: "events", lostRecords: 1)])
        #expect(file.bed.files(named: "events.corrupt-").count == 1)
        #expect(file.open().pending == [event(1), event(3)])
    }

    @Test(
        "that says it was counted up to the largest number goes on at the beginning",
        arguments: [UInt64.max, UInt64.max - 1, UInt64(1) << 62]
    )
    func largestSequence(sequence: UInt64) throws {
        let lines = [JournalRecord.header(user: "u"), .event(event(sequence)), .settled(through: sequence)].map(\.line)
        try Data(lines.joined().utf8).write(to: file.url)
        var journal = file.open()
        #expect(journal.pending.isEmpty && journal.lastSequence == 0)
        try journal.append(event(journal.lastSequence + 1), dropping: 0)
        #expect(file.open().pending == [event(1)])
    }

    @Test("starts again when its file is garbage, another user's, or empty", arguments: ["\0\u{1}garbage\nmore\n", ""])
    func garbage(text: String) throws {
        try Data(text.utf8).write(to: file.url)
        #expect(file.open().pending.isEmpty)
        var foreign = Journal(user: "someone else", path: file.path, writing: .system) { _ in }
        try foreign.append(event(1), dropping: 0)
        #expect(file.open().pending.isEmpty)
    }

    @Test("keeps an event in memory while the disk is full, says so, and writes it with the next one")
    func diskFull() throws {
        let isFull = Locked(false)
        let writing = FileWriting { descriptor, bytes in
            guard isFull.withLock({ $0 }) else { return FileWriting.system.write(descriptor, bytes) }
            return FileWriting.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(7)))
        }
        var journal = file.open(writing)
        try journal.append(event(1), dropping: 0)
        isFull.withLock { $0 = true }
        #expect(throws: FileError.self) { try journal.append(event(2), dropping: 0) }
        #expect(journal.pending.count == 2)
        #expect(file.open().pending == [event(1)])
        isFull.withLock { $0 = false }
        try journal.append(event(3), dropping: 0)
        #expect(file.open().pending == [event(1), event(2), event(3)])
        #expect(file.reports.all.isEmpty)
    }

    @Test("drops the oldest when it is full, and they stay dropped")
    func bounded() throws {
        let queue = EventQueue(
            journals: [file.open()],
            limit: 3,
            report: { file.reports.add($0) },
            opener: { _ in file.open() }
        )
        for number in 1...5 { #expect(queue.append(.custom("\(number)", [:]), id: "\(number)", at: 0, user: "u")) }
        #expect(queue.pending(user: "u").map(\.id) == ["3", "4", "5"])
        #expect(file.open().pending.map(\.id) == ["3", "4", "5"])
        #expect(file.reports.all == [.eventsDropped(count: 1), .eventsDropped(count: 1)])
    }

    @Test("gets smaller when most of it is settled")
    func compaction() throws {
        let queue = EventQueue(
            journals: [file.open()],
            limit: 10_000,
            report: { file.reports.add($0) },
            opener: { _ in file.open() }
        )
        for number in 1...2000 { #expect(queue.append(.custom("x", [:]), id: "\(number)", at: 0, user: "u")) }
        let before = try Data(contentsOf: file.url).count
        queue.settle(queue.batch(user: "u", count: 1999, bytes: .max), user: "u")
        let after = try Data(contentsOf: file.url).count
        #expect(before > Journal.compactionSize)
        #expect(after < 300)
        #expect(file.open().pending.map(\.sequence) == [2000])
        #expect(queue.append(.custom("x", [:]), id: "2001", at: 0, user: "u"))
        #expect(file.open().pending.map(\.id) == ["2000", "2001"])
        #expect(file.bed.files(named: "events.new").isEmpty && file.reports.all.isEmpty)
    }

    @Test("takes events while a smaller copy of it is written, which has them, too")
    func loggedWhileCopied() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (isHolding, isWritten, end) = (Locked(false), Locked(false), DispatchSemaphore(value: 0))
        let writing = FileWriting { descriptor, bytes in
            // The copy alone begins with whose it is.
            if isHolding.withLock({ $0 }), String(decoding: bytes, as: UTF8.self).contains(" H ") {
                arrival.yield()
                _ = end.wait(timeout: .now() + 60)
                isWritten.withLock { $0 = true }
            }
            return FileWriting.system.write(descriptor, bytes)
        }
        let queue = EventQueue(
            journals: [file.open(writing)],
            limit: 10_000,
            report: { file.reports.add($0) },
            opener: { _ in file.open() }
        )
        for number in 1...2000 { _ = queue.append(.custom("x", [:]), id: "\(number)", at: 0, user: "u") }
        let batch = queue.batch(user: "u", count: 1999, bytes: .max)
        let (settlements, settled) = AsyncStream.makeStream(of: Void.self)
        isHolding.withLock { $0 = true }
        Thread.detachNewThread {
            queue.settle(batch, user: "u")
            settled.yield()
        }
        _ = await arrivals.first { _ in true }
        for number in 2001...2003 { #expect(queue.append(.custom("x", [:]), id: "\(number)", at: 0, user: "u")) }
        let hasWaited = isWritten.withLock { $0 }
        #expect(!hasWaited)
        end.signal()
        _ = await settlements.first { _ in true }
        #expect(queue.pending(user: "u").map(\.id) == ["2000", "2001", "2002", "2003"])
        #expect(file.open().pending == queue.pending(user: "u") && file.reports.all.isEmpty)
        #expect(try Data(contentsOf: file.url).count < 1_000)
    }

    @Test("takes events from many threads, each once and in one order")
    func concurrency() async {
        let queue = EventQueue(journals: [file.open()], limit: 10_000, report: { _ in }, opener: { _ in file.open() })
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        _ = queue.append(.custom("x", [:]), id: "\(thread)-\(number)", at: 0, user: "u")
                    }
                }
            }
        }
        let onDisk = file.open().pending
        #expect(onDisk == queue.pending(user: "u"))
        #expect(Set(onDisk.map(\.id)).count == 800)
        #expect(onDisk.map(\.sequence) == Array(1...800))
    }

    @Test("refuses an event that no server would take")
    func oversize() {
        let queue = EventQueue(journals: [], limit: 10, report: { file.reports.add($0) }, opener: { _ in file.open() })
        let large = NewEvent.custom("large", ["text": .string(String(repeating: "x", count: 17_000))])
        #expect(!queue.append(large, id: "1", at: 0, user: "u"))
        #expect(file.reports.all == [.eventRefused(type: "custom", reason: "it is larger than 16 KiB")])
    }

    @Test("gives requests that are neither too many events nor too many bytes, and never none")
    func batches() {
        let queue = EventQueue(journals: [], limit: 1000, report: { _ in }, opener: { Journal(inMemoryFor: $0) })
        let text = JSONValue.string(String(repeating: "x", count: 10_000))
        for number in 0..<20 { _ = queue.append(.custom("x", ["t": text]), id: "\(number)", at: 0, user: "u") }
        #expect(queue.batch(user: "u", count: 250, bytes: 55_000).count == 5)
        #expect(queue.batch(user: "u", count: 3, bytes: 55_000).count == 3)
        #expect(queue.batch(user: "u", count: 250, bytes: 10).count == 1)
    }

    @Test("never says that something happened after it was sent")
    func clamping() {
        var late = event(1)
        late.time = 200
        #expect(late.json(sentAt: 100).contains(#""at":100,"#))
        #expect(event(1).json(sentAt: 100) == #"{"id":"id-1","type":"custom","at":1.25,"name":"ä \n"}"#)
    }
}

@Suite("Ids of events")
struct IDTests {
    @Test("are version 7 UUIDs that sort as they were made, also when the clock is set back")
    func order() {
        let clock = ManualClock()
        let source = UUIDv7Source(clock: clock)
        var ids = (0..<6000).map { _ in source.next() }
        clock.jump(by: -3600)
        ids += (0..<10).map { _ in source.next() }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { UUID(uuidString: $0)?.uuid.6 ?? 0 >> 4 == 7 || $0.dropFirst(14).first == "7" })
        #expect(ids.allSatisfy { "89ab".contains($0[$0.index($0.startIndex, offsetBy: 19)]) })
    }

    @Test(
        "can be made at any time that a clock can show",
        arguments: [-1e300, -1, 0, 1e15, 1e300, Double.infinity, -.infinity, .nan]
    )
    func anyTime(seconds: Double) {
        let clock = ManualClock(now: Date(timeIntervalSince1970: seconds))
        let source = UUIDv7Source(clock: clock)
        let ids = (0..<5_000).map { _ in source.next() }
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        #expect(ids.allSatisfy { UUID(uuidString: $0) != nil })
    }
}
