import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Counts of reads for the audit log", .timeLimit(.minutes(5)))
struct ReadAuditTests {
    private struct Broken: Error {}

    @Test("A count that the store doesn't take is written with the next, once")
    func unwritten() async throws {
        try await Workspace.run { workspace in
            let (time, isBroken) = (Mutex<Double>.Box(1_000), Mutex<Bool>.Box(false))
            let written = Mutex<[AuditNote]>.Box([])
            let audit = ReadAudit(
                store: workspace.store,
                clock: { time.withLock { $0 } },
                append: { notes in
                    guard !isBroken.withLock({ $0 }) else { throw Broken() }
                    written.withLock { $0 += notes }
                }
            )
            for number in 0..<40 { try await audit.noteRefusal("request.forbidden", of: "\(number)", by: .command) }
            time.withLock { $0 += 10_000 }
            let before = written.withLock { $0.count }
            isBroken.withLock { $0 = true }
            await #expect(throws: Broken.self) { try await audit.flush() }
            isBroken.withLock { $0 = false }
            for _ in 0..<2 { try await audit.flush() }
            let after = written.withLock { $0.count }
            #expect(after == before + 1)
        }
    }
}
