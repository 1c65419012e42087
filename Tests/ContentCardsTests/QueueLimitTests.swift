import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A queue of events at its limits")
struct QueueLimitTests {
    private let file: JournalFile

    init() throws { file = try JournalFile() }

    private func queue(limit: Int, _ journal: Journal? = nil) -> EventQueue {
        EventQueue(
            journals: [journal ?? file.open()],
            limit: limit,
            report: { [file] in file.reports.add($0) },
            opener: { Journal(inMemoryFor: $0) }
        )
    }

    @discardableResult
    private func log(_ numbers: ClosedRange<Int>, in queue: EventQueue, user: String = "u") -> Bool {
        numbers.map { queue.append(.custom("\($0)", [:]), id: "\($0)", at: 0, user: user) }.allSatisfy { $0 }
    }

    private func pending(_ queue: EventQueue, _ user: String = "u") -> [String] {
        queue.pending(user: user).map(\.id)
    }

    /// Settles the oldest events of a user.
    private func settle(_ count: Int, in queue: EventQueue, user: String = "u") {
        queue.settle(queue.batch(user: user, count: count, bytes: .max), user: user)
    }

    /// A disk that takes nothing while a test says so.
    private func disk(_ isFull: Locked<Bool>) -> FileWriting {
        FileWriting { descriptor, bytes in
            isFull.withLock { $0 } ? -1 : FileWriting.system.write(descriptor, bytes)
        }
    }

    @Test("keeps the newest event where it may keep none", arguments: [0, -1, Int.min])
    func nothing(limit: Int) {
        let queue = queue(limit: limit)
        log(1...3, in: queue)
        #expect(pending(queue) == ["3"])
        #expect(file.reports.all == [.eventsDropped(count: 1), .eventsDropped(count: 1)])
    }

    @Test("settles what a request carried, also where some of that was dropped on its way")
    func droppedInFlight() {
        let queue = queue(limit: 3)
        log(1...3, in: queue)
        let batch = queue.batch(user: "u", count: 250, bytes: .max)
        log(4...5, in: queue)
        #expect(batch.map(\.id) == ["1", "2", "3"] && pending(queue) == ["3", "4", "5"])
        queue.settle(batch, user: "u")
        #expect(pending(queue) == ["4", "5"] && file.open().pending.map(\.id) == ["4", "5"])
        queue.settle([batch[0]], user: "u")
        #expect(pending(queue) == ["4", "5"])
    }

    @Test("settles nothing of a log that began after the request, as one does after a wipe")
    func otherLog() {
        let queue = queue(limit: 10)
        log(1...3, in: queue)
        let batch = queue.batch(user: "u", count: 250, bytes: .max)
        queue.removeAll(wipes: 1)
        log(4...5, in: queue)
        queue.settle(batch, user: "u")
        queue.settle([], user: "u")
        queue.settle(batch, user: "nobody")
        #expect(!queue.append(.custom("late", [:]), id: "6", at: 0, user: "u", wipes: 0))
        #expect(pending(queue) == ["4", "5"])
        settle(1, in: queue)
        #expect(pending(queue) == ["5"])
    }

    @Test("sets no other event aside where the one that failed was dropped in between")
    func droppedSuspect() {
        let queue = queue(limit: 2)
        log(1...2, in: queue)
        queue.noteSuspicion(of: 1, user: "u")
        #expect(queue.suspects == ["u": 1] && file.open().trial.isSuspected)
        log(3...3, in: queue)
        #expect(queue.suspects.isEmpty && !file.open().trial.isSuspected)
        for _ in 0..<5 { #expect(queue.noteFailure(of: 1, user: "u") == nil) }
        #expect(pending(queue) == ["2", "3"] && queue.setAside(user: "u").isEmpty)
    }

    @Test("counts the failures of one event alone, and those of another from one on")
    func failures() {
        let queue = queue(limit: 10)
        log(1...3, in: queue)
        #expect(queue.noteFailure(of: 1, user: "u") == nil)
        #expect(queue.noteFailure(of: 1, user: "u") == nil)
        settle(1, in: queue)
        let second = (0..<3).map { _ in queue.noteFailure(of: 2, user: "u")?.id }
        #expect(second == [nil, nil, "2"])
        #expect(pending(queue) == ["3"] && queue.setAside(user: "u").map(\.id) == ["2"])
        // Over a launch, too.
        #expect(file.open().pending.map(\.id) == ["3"] && file.open().setAside.map(\.id) == ["2"])
    }

    @Test("sets an event aside in memory where the disk is full, and goes on")
    func setAsideWithoutDisk() throws {
        let isFull = Locked(false)
        let queue = queue(limit: 10, file.open(disk(isFull)))
        log(1...2, in: queue)
        isFull.withLock { $0 = true }
        let outcomes = (0..<3).map { _ in queue.noteFailure(of: 1, user: "u")?.id }
        #expect(outcomes == [nil, nil, "1"])
        #expect(pending(queue) == ["2"])
        // Who starts again finds the event, and tries once more: better twice than lost.
        #expect(file.open().pending.map(\.id) == ["1", "2"])
    }

    @Test("delivers again after a launch what it could not settle on a full disk")
    func settleWithoutDisk() {
        let isFull = Locked(false)
        let queue = queue(limit: 10, file.open(disk(isFull)))
        log(1...2, in: queue)
        isFull.withLock { $0 = true }
        settle(1, in: queue)
        #expect(pending(queue) == ["2"])
        #expect(file.reports.all.count == 1)
        #expect(file.open().pending.map(\.id) == ["1", "2"])
        isFull.withLock { $0 = false }
        settle(1, in: queue)
        #expect(file.open().pending.isEmpty)
    }

    @Test("takes events while the disk is full, says so for each, and has all on the disk once there is room")
    func appendWithoutDisk() {
        let isFull = Locked(true)
        let queue = queue(limit: 3, file.open(disk(isFull)))
        #expect(log(1...5, in: queue))
        let lost = file.reports.all.filter { if case .eventsNotDurable = $0 { true } else { false } }
        #expect(lost.count == 5 && pending(queue) == ["3", "4", "5"])
        isFull.withLock { $0 = false }
        log(6...6, in: queue)
        #expect(file.open().pending.map(\.id) == ["4", "5", "6"])
    }

    @Test("takes an event of 16 KiB, less what a request adds, and none of a byte more")
    func size() {
        let queue = queue(limit: 10)
        let bare = NewEvent.custom("", [:]).text.utf8.count
        let most = NewEvent.sizeLimit - 128 - 1 - bare
        #expect(queue.append(.custom(String(repeating: "x", count: most), [:]), id: "1", at: 0, user: "u"))
        #expect(!queue.append(.custom(String(repeating: "x", count: most + 1), [:]), id: "2", at: 0, user: "u"))
        // Bytes count, not characters, and so does what JSON needs to say them.
        #expect(!queue.append(.custom(String(repeating: "é", count: most / 2 + 1), [:]), id: "3", at: 0, user: "u"))
        #expect(!queue.append(.custom(String(repeating: "\n", count: most / 2 + 1), [:]), id: "4", at: 0, user: "u"))
        #expect(pending(queue) == ["1"] && file.open().pending.map(\.id) == ["1"])
    }

    @Test("takes nothing once it is closed, and leaves the files to whoever comes next")
    func closed() {
        let queue = queue(limit: 10)
        log(1...1, in: queue)
        queue.close()
        #expect(!log(2...3, in: queue))
        #expect(file.open().pending.map(\.id) == ["1"])
    }

    @Test("writes nothing once it is closed, also where an event was just being logged")
    func closedWhileLogging() async throws {
        for round in 1...20 {
            let file = try JournalFile()
            let queue = EventQueue(
                journals: [file.open()],
                limit: 10_000,
                report: { _ in },
                opener: { Journal(inMemoryFor: $0) }
            )
            let (logs, logged) = AsyncStream.makeStream(of: Void.self)
            Thread.detachNewThread {
                // More than can be logged until it is closed, and few enough to end in any case.
                for number in 1...2_000 {
                    guard queue.append(.custom("x", [:]), id: "\(round)-\(number)", at: 0, user: "u") else { break }
                }
                logged.finish()
            }
            while queue.counts.isEmpty { await Task.yield() }
            queue.close()
            let bytes = try Data(contentsOf: file.url)
            for await _ in logs {}
            #expect(try Data(contentsOf: file.url) == bytes)
            #expect(file.open().pending.count == queue.pending(user: "u").count)
        }
    }

    @Test("limits each user apart: the events of one push out none of another")
    func users() {
        let queue = queue(limit: 2)
        log(1...2, in: queue)
        log(11...15, in: queue, user: "v")
        #expect(pending(queue) == ["1", "2"] && pending(queue, "v") == ["14", "15"])
        #expect(queue.counts == ["u": 2, "v": 2])
        queue.note(limit: 1, user: "v")
        settle(.max, in: queue, user: "nobody")
        #expect(queue.limits == ["v": 1] && queue.counts == ["u": 2, "v": 2])
        settle(.max, in: queue, user: "v")
        #expect(queue.limits.isEmpty && queue.counts == ["u": 2])
    }
}

@Suite("The trial of an event")
struct EventTrialTests {
    @Test("ends after three failures of one event in a row, whatever was suspected in between")
    func patience() {
        var trial = EventTrial()
        var outcomes: [Bool] = []
        for sequence: UInt64 in [4, 4, 5, 5, 4, 4, 4] {
            trial.suspect(sequence)
            outcomes.append(trial.fail(sequence))
        }
        #expect(outcomes == [false, false, false, false, false, false, true])
        #expect(trial.failures == 0 && trial.sequence == 0 && !trial.isSuspected)
    }

    @Test("goes on while its event is the first, and is forgotten with it, but for the limit of requests")
    func settled() {
        var trial = EventTrial(limit: 7, sequence: 4, failures: 2, isSuspected: true)
        trial.settle(first: 4)
        #expect(trial == EventTrial(limit: 7, sequence: 4, failures: 2, isSuspected: true))
        trial.settle(first: 5)
        #expect(trial == EventTrial(limit: 7, sequence: 0, failures: 0, isSuspected: false))
        trial.settle(first: nil)
        #expect(trial == EventTrial())
    }

    @Test("has no limit that no request could have", arguments: [Int.min, -1, 0, 10_001, .max])
    func limits(limit: Int) {
        #expect(EventTrial(limit: limit, sequence: 1, failures: 1, isSuspected: false).limit == nil)
        let edges = [1, EventTrial.largestBatch].map {
            EventTrial(limit: $0, sequence: 1, failures: 1, isSuspected: false).limit
        }
        #expect(edges == [1, 10_000])
    }
}
