import Foundation
import Synchronization
import Testing
import WireJSON

@testable import CardModel
@testable import CardServer

@Suite("Rendering apart")
struct RenderIsolationTests {
    /// Whether this is a thread of its own, and none of those on which tasks run.
    private static var isApart: Bool { withUnsafeCurrentTask { $0 == nil } }

    @Test("A feed that costs little is rendered on the spot, a costly one by the pool, where it goes at once next time")
    func places() async throws {
        let renderer = FeedRenderer()
        let isApart = Noted<[Bool]>([])
        @Sendable func render(_ budget: RenderBudget, work: Int) {
            isApart.value.withLock { $0.append(Self.isApart) }
            let allowance = budget.allowance()
            allowance.take(work)
            budget.settle(allowance)
        }
        func places(work: Int) async throws -> [Bool] {
            isApart.value.withLock { $0 = [] }
            try await renderer.render(for: UserID(rawValue: "ann")) { render($0, work: work) }
            return isApart.value.withLock { $0 }
        }
        #expect(try await places(work: 1_000) == [false])
        #expect(try await places(work: 5_000_000) == [false, true])
        #expect(try await places(work: 5_000_000) == [true])
        // What got cheap again is rendered on the spot from the next time on.
        #expect(try await places(work: 1_000) == [true])
        #expect(try await places(work: 1_000) == [false])
        #expect(try await renderer.offload { Self.isApart })
    }

    @Test("A pool that has more to do than it will have time for refuses, and does all that it has taken")
    func overload() async throws {
        let pool = RenderPool(threads: 1)
        let (isRunning, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Task {
            try await pool.run(for: "hog") {
                isRunning.signal()
                mayEnd.wait()
                return 0
            }
        }
        await Self.wait(for: isRunning)
        let others = (1...8).map { number in Task { try await pool.run(for: "hog") { number } } }
        // Those that are refused end while nothing can run; as many wait as may.
        let refused = RenderQueue<Int>.limits.each
        let ended = Noted(0)
        let watch = others.map { task in
            Task {
                let result = await task.result
                ended.value.withLock { $0 += 1 }
                return (try? result.get()) != nil
            }
        }
        while ended.value.withLock({ $0 }) < others.count - refused { await Task.yield() }
        mayEnd.signal()
        #expect(try await first.value == 0)
        var succeeded = 0
        for task in watch where await task.value { succeeded += 1 }
        #expect(succeeded == RenderQueue<Int>.limits.each)
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("While costly feeds are rendered, however long that takes, others are")
    func isolation() async throws {
        let renderer = FeedRenderer()
        let mayEnd = DispatchSemaphore(value: 0)
        let pending = Noted(0)
        @Sendable func costly(_ budget: RenderBudget) {
            let allowance = budget.allowance()
            allowance.take(5_000_000)
            budget.settle(allowance)
            if Self.isApart { mayEnd.wait() } else { pending.value.withLock { $0 += 1 } }
        }
        let hogs = (1...20).map { number in
            Task { try await renderer.render(for: UserID(rawValue: "hog\(number)"), costly) }
        }
        while pending.value.withLock({ $0 }) < hogs.count { await Task.yield() }
        for number in 1...100 {
            let isDone = try await renderer.render(for: UserID(rawValue: "ann\(number)")) { _ in !Self.isApart }
            #expect(isDone)
        }
        for _ in hogs { mayEnd.signal() }
        for hog in hogs { try await hog.value }
    }

    @Test("A user whose cards use up their budget gets none of them, and others get theirs")
    func budgets() async throws {
        try await Workspace.run { workspace in
            // What it costs depends on the user: the more numbers, the more.
            let title = """
                {% for i in custom_attribute.${numbers} %}{% for j in (1..900) %}{{ i | times: j \
                | append: 'abcdefgh' | replace: 'a', 'bb' | size }}{% endfor %}{% endfor %}ok
                """
            try await workspace.launch("loop", card: ["type": "classic", "title": .string(title), "description": "d"])
            let body: JSONValue = ["custom_attributes": ["numbers": .array((1...12).map { .integer($0) })]]
            for hog in ["hog1", "hog2"] {
                #expect(try await workspace.manage(.patch, "/v1/users/\(hog)", body).status == 200)
            }
            let costly = ["hog1", "hog2"].map { hog in Task { try await workspace.sync(hog) } }
            for user in ["ann", "bob"] {
                #expect(try await workspace.sync(user).cards.map { $0["title"] } == ["ok"])
            }
            for sync in costly {
                let answer = try await sync.value
                #expect(answer.status == 200 && answer.cards.isEmpty)
            }
        }
    }
}

/// Something that several tasks note.
private final class Noted<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}
