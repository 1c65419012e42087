import Synchronization
import Testing

@testable import CardServer

@Suite("The loop of workers", .timeLimit(.minutes(20)))
struct WorkLoopTests {
    /// Ends the task in which it is called, as a server does that stops.
    private static func cancelTask() { withUnsafeCurrentTask { $0?.cancel() } }

    /// Runs a loop whose steps ask for some pauses, and whose task is cancelled in the last of them.
    private func waits(for pauses: [Double]) async -> (steps: Int, waits: [Double]) {
        let steps = Mutex(0)
        let waits = Mutex<[Double]>([])
        let loop = WorkLoop { seconds in waits.withLock { $0.append(seconds) } }
        let task = Task {
            await loop.run {
                let number = steps.withLock { count in
                    count += 1
                    return count
                }
                if number >= pauses.count { Self.cancelTask() }
                return number <= pauses.count ? pauses[number - 1] : 0
            }
        }
        await task.value
        return (steps.withLock { $0 }, waits.withLock { $0 })
    }

    @Test func `A step follows at once where there is more to do, and after its pause otherwise`() async {
        let found = await waits(for: [0, 0, 5, 0, 1.5, 0])
        #expect(found.steps == 6 && found.waits == [5, 1.5])
    }

    @Test func `Nothing begins once the task was cancelled`() async {
        let found = await waits(for: [0, 3])
        #expect(found.steps == 2 && found.waits == [3])
        let steps = Mutex(0)
        let task = Task {
            Self.cancelTask()
            await WorkLoop().run {
                steps.withLock { $0 += 1 }
                return 0
            }
        }
        await task.value
        #expect(steps.withLock { $0 } == 0)
    }

    @Test func `A wait ends when the task is cancelled`() async {
        let steps = Mutex(0)
        let task = Task {
            await WorkLoop().run {
                steps.withLock { $0 += 1 }
                Self.cancelTask()
                return 3_600
            }
        }
        await task.value
        #expect(steps.withLock { $0 } == 1)
    }
}
