import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Counts of reads for the audit log", .timeLimit(.minutes(5)))
struct ReadAuditTests {
    private struct UnwrittenError: Error {}

    /// A log that takes no notes while a test says so, and its clock.
    private final class AuditLog: Sendable {
        private struct State {
            var time: UnixTime = 1_000
            var isRefusing = false
            var notes: [AuditNote] = []
        }

        private let state = Mutex(State())

        var notes: [AuditNote] { state.withLock { $0.notes } }

        func audit(_ store: any CardStore) -> ReadAudit {
            ReadAudit(store: store, clock: { self.state.withLock { $0.time } }, append: { try self.append($0) })
        }

        func advance(by seconds: Double) { state.withLock { $0.time += seconds } }
        func refuse(_ refuses: Bool) { state.withLock { $0.isRefusing = refuses } }

        private func append(_ notes: [AuditNote]) throws {
            guard !notes.isEmpty else { return }
            try state.withLock { state in
                guard !state.isRefusing else { throw UnwrittenError() }
                state.notes += notes
            }
        }
    }

    @Test("A count that the store doesn't take is written with the next, once")
    func unwritten() async throws {
        try await Workspace.run { workspace in
            let log = AuditLog()
            let audit = log.audit(workspace.store)
            for number in 0..<40 { try await audit.noteRefusal("request.forbidden", of: "\(number)", by: .command) }
            log.advance(by: 10_000)
            let before = log.notes.count
            log.refuse(true)
            await #expect(throws: UnwrittenError.self) { try await audit.flush() }
            log.refuse(false)
            for _ in 0..<2 { try await audit.flush() }
            #expect(log.notes.count == before + 1)
        }
    }

    @Test("A read that the store doesn't take is refused each time, and then written, with the count from before")
    func refused() async throws {
        try await Workspace.run { workspace in
            let log = AuditLog()
            let audit = log.audit(workspace.store)
            let ann = UserID(rawValue: "ann")
            for number in 0..<301 {
                try await audit.note("user.read", of: UserID(rawValue: "\(number)"), by: .command)
            }
            let before = log.notes.count
            log.advance(by: ReadThrottle.window)
            log.refuse(true)
            for _ in 0..<3 {
                await #expect(throws: UnwrittenError.self) { try await audit.note("user.read", of: ann, by: .command) }
            }
            log.refuse(false)
            for _ in 0..<2 { try await audit.note("user.read", of: ann, by: .command) }
            for _ in 0..<2 { try await audit.flush() }
            let new = Array(log.notes.dropFirst(before))
            #expect(before == 300 && new.map(\.subject) == [workspace.store.pseudonym(of: ann), ""])
        }
    }

    @Test("A read isn't answered for an entry that is still being written, and that the store then doesn't take")
    func pending() async throws {
        try await Workspace.run { workspace in
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let (started, began) = AsyncStream.makeStream(of: Void.self)
            let calls = Mutex<Int>.Box(0)
            let audit = ReadAudit(
                store: workspace.store,
                clock: { 1_000 },
                append: { notes in
                    guard !notes.isEmpty else { return }
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    guard call == 1 else { throw UnwrittenError() }
                    began.finish()
                    for await _ in gate {}
                    throw UnwrittenError()
                }
            )
            let ann = UserID(rawValue: "ann")
            let first = Task { try await audit.note("user.read", of: ann, by: .command) }
            for await _ in started {}
            await #expect(throws: UnwrittenError.self) { try await audit.note("user.read", of: ann, by: .command) }
            opening.finish()
            await #expect(throws: UnwrittenError.self) { try await first.value }
        }
    }

    @Test("A read has entries of its own until one of them is written, and each that isn't gives its place back")
    func confirmed() {
        var throttle = ReadThrottle(limit: 3)
        func take(_ time: UnixTime) -> [AuditNote] {
            throttle.take(AuditNote("user.read", of: "a", at: time, by: .command), at: time)
        }
        let notes = take(10) + take(11)
        #expect(notes.count == 2)
        throttle.confirm(notes[0])
        throttle.forget(notes[1])
        #expect(take(14).isEmpty)
        let later = take(15) + take(15) + take(15)
        #expect(later.count == 2)
        // An entry of a window that is over takes nothing from the next one.
        let next = throttle.take(AuditNote("user.read", of: "b", at: 400, by: .command), at: 400)
        throttle.forget(later[0])
        throttle.confirm(later[1])
        #expect(next.map(\.details) == [#"{"more":1}"#, nil] && take(400).count == 1)
    }

    @Test("A note that is forgotten doesn't count, and one that was beyond the limit stays counted")
    func forgotten() {
        var throttle = ReadThrottle(limit: 2)
        func note(_ subject: String) -> AuditNote { AuditNote("user.read", of: subject, at: 10, by: .command) }
        for subject in ["a", "b", "c"] { _ = throttle.take(note(subject), at: 10) }
        for subject in ["b", "b", "c", "d"] { throttle.forget(note(subject)) }
        let again = ["b", "c"].map { throttle.take(note($0), at: 11).count }
        #expect(again == [1, 0])
        let rest = throttle.expire(at: 10 + ReadThrottle.window)
        #expect(rest.map(\.details) == [#"{"more":2}"#])
    }
}
