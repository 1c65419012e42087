import Foundation
import Testing

@testable import PostgresCardStore

/// A wait of a day, which only its interruption ends within the time of a test.
private let day: Int32 = 86_400_000

@Suite("PostgreSQL: a wait that is interrupted", .timeLimit(.minutes(2)))
struct InterruptibleWaitTests {
    @Test("A wait that is under way ends, and every later one at once")
    func interrupted() async {
        let wait = InterruptibleWait()
        async let waited = withUnsafeContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: wait.wait(milliseconds: day)) }
        }
        wait.interrupt()
        #expect(await waited == false)
        wait.interrupt()
        let later = wait.wait(milliseconds: day)
        #expect(!later)
    }

    @Test("A wait ends once its socket can be read, and says so")
    func readable() {
        let wait = InterruptibleWait()
        let pipe = Pipe()
        let socket = pipe.fileHandleForReading.fileDescriptor
        let early = wait.wait(milliseconds: 0, for: socket)
        #expect(!early)
        pipe.fileHandleForWriting.write(Data([1]))
        let ready = wait.wait(milliseconds: day, for: socket)
        #expect(ready)
    }

    @Test("A wait that nothing ends is over when its time is")
    func timed() {
        let wait = InterruptibleWait()
        let isReadable = wait.wait(milliseconds: 1)
        #expect(!isReadable)
    }
}
