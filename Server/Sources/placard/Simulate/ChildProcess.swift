import Foundation
import Synchronization

/// A process that this one started.
final class ChildProcess: Sendable {
    /// Every child that runs, so that none is left behind.
    private static let running = Mutex<Set<Int32>>([])

    let processID: Int32
    private let input: FileHandle
    private let ending: Task<Int32, Never>

    /// Starts this program again with other arguments; its output goes to a file.
    ///
    /// Fails with `CommandFailure` where it cannot be started.
    init(arguments: [String], input line: String = "", outputPath: String) throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PLACARD_") }
        let pipe = Pipe()
        process.standardInput = pipe
        let output = try Self.output(outputPath)
        process.standardOutput = output
        process.standardError = output
        let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            Self.running.withLock { _ = $0.remove(process.processIdentifier) }
            continuation.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
            continuation.finish()
        }
        do {
            try process.run()
        } catch {
            throw CommandFailure("A child process cannot be started: \(error)")
        }
        processID = process.processIdentifier
        Self.running.withLock { _ = $0.insert(process.processIdentifier) }
        input = pipe.fileHandleForWriting
        ending = Task { await statuses.first { _ in true } ?? -1 }
        if !line.isEmpty { try? input.write(contentsOf: Data((line + "\n").utf8)) }
    }

    private static var executable: URL {
        Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    }

    private static func output(_ path: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.createFile(atPath: path, contents: nil) else {
                throw CommandFailure("\(path) cannot be written.")
            }
        }
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw CommandFailure("\(path) cannot be written.")
        }
        _ = try handle.seekToEnd()
        return handle
    }

    /// Ends its standard input.
    func closeInput() { try? input.close() }

    /// Kills it at once, and returns when it is gone.
    func kill() async {
        Foundation.kill(processID, SIGKILL)
        _ = await ending.value
        closeInput()
    }

    /// Asks it to end, and returns its exit status.
    func terminate() async -> Int32 {
        Foundation.kill(processID, SIGTERM)
        return await ending.value
    }

    /// Waits for its end.
    ///
    /// Returns its exit status, or -1 where a signal ended it.
    func wait() async -> Int32 { await ending.value }

    /// Kills every child by its id.
    static func killAll() {
        for processID in running.withLock({ $0 }) { Foundation.kill(processID, SIGKILL) }
    }
}
