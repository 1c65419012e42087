import CardServer
import Foundation
import Synchronization

/// A process that this one started.
final class ChildProcess: Sendable {
    /// Every child that runs, so that none is left behind.
    private static let running = Mutex<Set<Int32>>([])

    /// The way in which a process ended.
    enum Ending: Equatable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
    }

    let processID: Int32
    private let input: FileHandle
    private let ending: Task<Ending, Never>

    /// Starts this program again with other arguments; its output goes to a file.
    ///
    /// Fails with `CommandError` where it cannot be started.
    init(arguments: [String], input line: String = "", outputPath: String) throws {
        let pipe = Pipe()
        let output = try Self.output(outputPath)
        let processID: Int32
        do {
            processID = try withExtendedLifetime(output) {
                try SpawnedProcess.start(
                    Self.executable.path,
                    arguments,
                    environment: ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PLACARD_") },
                    input: pipe.fileHandleForReading.fileDescriptor,
                    output: output.fileDescriptor,
                    errors: output.fileDescriptor
                )
            }
        } catch {
            throw CommandError("A child process cannot be started: \(error)")
        }
        self.processID = processID
        Self.running.withLock { _ = $0.insert(processID) }
        try pipe.fileHandleForReading.close()
        input = pipe.fileHandleForWriting
        let (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
        Thread.detachNewThread {
            let ending = Self.ending(of: processID)
            Self.running.withLock { _ = $0.remove(processID) }
            continuation.yield(ending)
            continuation.finish()
        }
        ending = Task { await endings.first { _ in true } ?? .exited(status: -1) }
        if !line.isEmpty { try? input.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Blocks the thread until a process has ended, and returns how.
    static func ending(of processID: Int32) -> Ending {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) == -1 {
            guard errno == EINTR else { return .exited(status: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }

    private static var executable: URL {
        Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    }

    private static func output(_ path: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.createFile(atPath: path, contents: nil) else {
                throw CommandError("\(path) cannot be written.")
            }
        }
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw CommandError("\(path) cannot be written.")
        }
        _ = try handle.seekToEnd()
        return handle
    }

    /// Ends its standard input.
    func closeInput() { try? input.close() }

    /// Kills it at once.
    func kill() { Foundation.kill(processID, SIGKILL) }

    /// Asks it to end.
    func terminate() { Foundation.kill(processID, SIGTERM) }

    /// Waits for its end.
    func wait() async -> Ending {
        let ending = await ending.value
        closeInput()
        return ending
    }

    /// Kills every child by its id.
    static func killAll() {
        for processID in running.withLock({ $0 }) { Foundation.kill(processID, SIGKILL) }
    }
}
