import Synchronization
import Testing

@testable import CardServer

@Suite("Reads that callers share")
struct SharedReadTests {
    struct Failure: Error {}

    @Test("Those who ask during a read share the next one, which begins after they asked")
    func shares() async throws {
        let count = Mutex(0)
        let (began, beginning) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let shared = SharedRead {
            let number = count.withLock { count in
                count += 1
                return count
            }
            beginning.yield()
            if number == 1 { for await _ in released { break } }
            return number
        }
        let first = Task { try await shared.value() }
        for await _ in began { break }
        let others = (0..<20).map { _ in Task { try await shared.value() } }
        // All of them wait for the read that goes on.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(count.withLock { $0 } == 1)
        release.yield()
        #expect(try await first.value == 1)
        for other in others { #expect(try await other.value > 1) }
        #expect(count.withLock { $0 } < 20)
        #expect(try await shared.value() > 1)
    }

    @Test("A read that fails fails for those who share it, and the next is tried")
    func fails() async throws {
        let fails = Mutex(true)
        let shared = SharedRead {
            if fails.withLock({ $0 }) { throw Failure() }
            return 1
        }
        await #expect(throws: Failure.self) { try await shared.value() }
        fails.withLock { $0 = false }
        #expect(try await shared.value() == 1)
    }
}
