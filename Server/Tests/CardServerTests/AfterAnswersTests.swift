import Synchronization
import Testing

@testable import CardServer

@Suite("Work after answers", .timeLimit(.minutes(20)))
struct AfterAnswersTests {
    @Test func `No more is begun than may go on, and what has ended makes room`() async {
        let work = AfterAnswers(limit: 1)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let isFirstBegun = work.begin { for await _ in gate {} }
        let isSecondBegun = work.begin {}
        #expect(isFirstBegun && !isSecondBegun)
        opening.finish()
        await work.finish()
        let isThirdBegun = work.begin {}
        #expect(isThirdBegun)
        await work.finish()
    }

    @Test func `A server that stops waits for what has begun`() async throws {
        let work = AfterAnswers(limit: 1)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let isDone = Mutex(false)
        let isBegun = work.begin {
            for await _ in gate {}
            isDone.withLock { $0 = true }
        }
        #expect(isBegun)
        let running = Task {
            try await work.run()
            return isDone.withLock { $0 }
        }
        running.cancel()
        opening.finish()
        #expect(try await running.value)
    }
}
