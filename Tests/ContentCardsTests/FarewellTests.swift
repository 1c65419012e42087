import Foundation
import Testing

@testable import ContentCards

@Suite("The last work of an app in the background", .timeLimit(.minutes(1)))
struct FarewellTests {
    /// Does the work on a thread of its own, as the system does, and returns when that is free again.
    private func run(
        _ farewell: Farewell,
        for seconds: TimeInterval = 3_600,
        _ work: @escaping @Sendable () async -> Void
    ) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                farewell.run(for: seconds, work)
                continuation.resume()
            }
        }
    }

    @Test("ends at once when the system wants that, and is cancelled")
    func expiry() async {
        let farewell = Farewell()
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        async let thread: Void = run(farewell) {
            begun.yield()
            // Longer than any test: only a cancellation ends it.
            try? await Task.sleep(for: .seconds(3_600))
            ended.yield(Task.isCancelled)
        }
        for await _ in begins { break }
        farewell.expire()
        await thread
        for await isCancelled in ends {
            #expect(isCancelled)
            break
        }
    }

    @Test("lets go of the thread when its time is over, however long it takes, as on a network that never answers")
    func limit() async {
        let farewell = Farewell()
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        await run(farewell, for: 0) {
            // Longer than any test: only the cancellation below ends it.
            try? await Task.sleep(for: .seconds(3_600))
            ended.yield()
        }
        farewell.expire()
        for await _ in ends { break }
    }

    @Test("holds the thread until it is done, and isn't begun when the system has no time for it")
    func work() async {
        let done = Locked(0)
        await run(Farewell()) { done.withLock { $0 += 1 } }
        #expect(done.withLock { $0 } == 1)
        let farewell = Farewell()
        farewell.expire()
        await run(farewell) { done.withLock { $0 += 1 } }
        #expect(done.withLock { $0 } == 1)
    }
}
