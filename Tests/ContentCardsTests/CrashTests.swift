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
        let victim = Process()
        victim.executableURL = Self.executable
        victim.arguments = [bed.directory.path]
        let output = Pipe()
        victim.standardOutput = output
        try victim.run()
        // when it is killed in the middle of it
        var said = Data()
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            said += piece
        }
        kill(victim.processIdentifier, SIGKILL)
        said += output.fileHandleForReading.readDataToEndOfFile()
        victim.waitUntilExit()
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

    /// The victim is built next to the tests.
    private static var executable: URL {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("EventLogVictim")
    }
}
