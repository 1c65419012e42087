import CardServer
import Foundation
import Testing

@testable import PlacardCommands

@Suite("A file that an export goes on after")
struct ExportTests {
    private static let heading = EventFormat.csv.heading ?? ""

    /// What a file has after an export of nothing was resumed on it, and the position at which it went on.
    private func resume(_ text: String, _ format: EventFormat) throws -> (text: String, position: Int64) {
        let file = FileManager.default.temporaryDirectory.appending(path: "placard-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        do {
            let target = try ExportTarget(path: file.path, format: format, resumes: true)
            try target.write([])
            return (try String(contentsOf: file, encoding: .utf8), target.position)
        } catch {
            // What was refused is as it was.
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
            throw error
        }
    }

    @Test(
        "that is another's is refused and stays as it is, with a line break and without",
        arguments: [
            #"{"my":"config","a":1}"#, "a token", "{\"position\":\"first\"}\n", "{\"a\":1}\n{\"position\":5,\"b\":2}\n",
            "id,name\n1,Anna\n2,Bo\n", "7", "positions", "\n", String(repeating: "a", count: 200_000),
        ],
        EventFormat.allCases
    )
    func foreign(text: String, format: EventFormat) {
        #expect(throws: CommandError.self) { try resume(text, format) }
    }

    @Test(
        "loses the line that was not finished, and no other",
        arguments: [
            ("", ""), ("{\"pos", ""), ("{\"position\":12,", ""), ("{\"position\":12,\"id\":1}\n", ""),
            ("{\"position\":12,\"id\":1}\n", "{\"posi"),
        ] as [(String, String)]
    )
    func objects(first: String, unfinished: String) throws {
        let resumed = try resume(first + unfinished, .jsonl)
        #expect(resumed.text == (first.hasSuffix("\n") ? first : ""))
        #expect(resumed.position == (first.hasSuffix("\n") ? 12 : 0))
    }

    @Test(
        "begins with the names of the columns, once",
        arguments: [
            ("", ""), ("", "12,a"), ("12,a\r\n", ""), ("12,a\r\n", "13"),
            ("12,\(String(repeating: "a", count: 100_000))\r\n", "13,"),
        ] as [(String, String)]
    )
    func values(lines: String, unfinished: String) throws {
        let resumed = try resume(Self.heading + lines + unfinished, .csv)
        #expect(resumed.text == Self.heading + lines)
        #expect(resumed.position == (lines.isEmpty ? 0 : 12))
    }

    @Test("gets the names of the columns where they were not written as a whole", arguments: ["", "posit"])
    func unfinishedHeading(text: String) throws {
        let resumed = try resume(text, .csv)
        #expect(resumed.text == Self.heading && resumed.position == 0)
    }

    @Test("is a file, and one that is there only where it is asked for")
    func others() throws {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: CommandError.self) { try ExportTarget(path: folder, format: .jsonl, resumes: true) }
        #expect(throws: CommandError.self) { try ExportTarget(path: folder, format: .jsonl, resumes: false) }
        #expect(throws: CommandError.self) { try ExportTarget(path: "/dev/null", format: .jsonl, resumes: true) }
    }
}
