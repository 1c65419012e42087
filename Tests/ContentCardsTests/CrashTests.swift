import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("After kill -9")
struct CrashTests {
    @Test("every event whose log call had returned is there, and nothing is damaged", arguments: [1, 200, 2000])
    func nothingLost(count: Int) throws {
        // given a process that logs as fast as it can
        let bed = TestBed()
        let output = Pipe()
        let victim = try Self.start(bed.directory.path, output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        // when it is killed in the middle of it
        var said = Data()
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            said += piece
        }
        kill(victim, SIGKILL)
        said += output.fileHandleForReading.readDataToEndOfFile()
        waitpid(victim, nil, 0)
        // then the log has all that it said it had logged
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let logged = lines.dropLast().compactMap { Int($0) }
        #expect(logged.count >= count)
        let file = try #require(bed.files(named: "events").first)
        let reports = Collected<Diagnostic>()
        let journal = Journal(user: "victim", path: file.path, writing: .system) { reports.add($0) }
        let names = journal.pending.filter { $0.type == "custom" }.map(\.members)
        #expect(Array(names.prefix(logged.count)) == logged.suffix(names.count).map { ",\"name\":\"event-\($0)\"" })
        #expect(names.count >= min(logged.count, 10_000))
        #expect(reports.all.isEmpty)
    }

    /// Starts the victim and returns its process id.
    ///
    /// Not with Foundation's `Process`, which may crash on Linux when it is run: up to Swift 6.3 it reads past the end
    /// of what `readdir` gave it (swift-corelibs-foundation #5472).
    private static func start(_ argument: String, output: FileHandle) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, output.fileDescriptor)
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(executable.path), strdup(argument), nil]
        defer { for argument in arguments { free(argument) } }
        var victim: pid_t = 0
        let code = posix_spawn(&victim, executable.path, &actions, nil, arguments, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        return victim
    }

    /// The victim is built next to the tests.
    private static var executable: URL {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("EventLogVictim")
    }
}
