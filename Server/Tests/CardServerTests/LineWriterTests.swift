import Dispatch
import Foundation
import Testing

@testable import CardServer

@Suite("Lines of logs", .timeLimit(.minutes(20)))
struct LineWriterTests {
    /// A pipe that nothing reads.
    private struct Pipe: Sendable {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// Everything that is written until the other end is closed.
        func readAll() -> String {
            FileHandle(fileDescriptor: reading, closeOnDealloc: true).readDataToEndOfFile().text
        }
    }

    /// Runs what blocks where no task waits for it.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    private func line(_ number: Int) -> [UInt8] { Array("line \(number) \(String(repeating: "x", count: 80))\n".utf8) }

    @Test("Where nothing is read, a writer goes on, keeps what it has room for, and counts the rest")
    func unread() async throws {
        let pipe = try Pipe()
        let writer = LineWriter(pipe.writing)
        let count = 30_000
        for number in 0..<count { writer.write(line(number)) }
        let lost = writer.lost
        #expect(lost > 0)
        #expect(writer.takeLost() == lost && writer.takeLost() == 0)

        async let text = onThread { pipe.readAll() }
        await onThread { writer.flush(within: 120) }
        close(pipe.writing)
        let lines = await text.split(separator: "\n")
        #expect(lines.count == count - lost)
        // What is lost came last: no line is cut, or has another's place.
        let isInOrder = lines.enumerated().allSatisfy { $1.hasPrefix("line \($0) ") && $1.hasSuffix("xxx") }
        #expect(isInOrder)
    }

    @Test("Who reads again gets the lines after that, too")
    func readAgain() async throws {
        let pipe = try Pipe()
        let writer = LineWriter(pipe.writing)
        for number in 0..<2_000 { writer.write(line(number)) }
        async let text = onThread { pipe.readAll() }
        await onThread { writer.flush(within: 120) }
        writer.write(line(2_000))
        await onThread { writer.flush(within: 120) }
        close(pipe.writing)
        #expect(await text.split(separator: "\n").count == 2_001)
        #expect(writer.lost == 0)
    }

    @Test("The end of a process doesn't wait for a reader that stands still")
    func flushes() async throws {
        let pipe = try Pipe()
        let writer = LineWriter(pipe.writing)
        for number in 0..<2_000 { writer.write(line(number)) }
        writer.flush(within: 0.05)
        #expect(writer.exchange(STDERR_FILENO) == nil)
        // The writer's thread ends with an error.
        signal(SIGPIPE, SIG_IGN)
        close(pipe.reading)
        await onThread { writer.flush(within: 120) }
        #expect(writer.exchange(STDERR_FILENO) == pipe.writing)
        close(pipe.writing)
    }

    @Test("A file gets each line at once, and a disk that is full loses lines and counts them")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)").path
        defer { unlink(path) }
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        let writer = LineWriter(file)
        writer.write(Array("one\n".utf8))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\n")
        close(file)
        let full = LineWriter(open("/dev/full", O_WRONLY))
        full.write(Array("one\n".utf8))
        full.flush(within: 60)
        full.write(Array("two\n".utf8))
        full.flush(within: 60)
        #expect(full.lost == 2)
    }
}

extension Data {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
