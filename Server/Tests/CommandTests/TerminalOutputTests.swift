import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

@Suite("What others say in the command's terminal")
struct TerminalOutputTests {
    /// What a device may say: it sets the window's title, clears the line and begins another one.
    private let hostile = "\u{1B}]0;title\u{7}\u{1B}[2K\r\nfake line\u{9B}31m\u{202E}"

    @Test("A report has what devices say on one line, without what would change the terminal")
    func report() {
        let problem: JSONValue = [
            "variant_id": "a", "class_type": .string(hostile), "message": .string(hostile), "count": 1,
        ]
        let report: JSONValue = ["campaign_id": "c", "name": .string(hostile), "decode_errors": [problem]]
        let text = ReportTable(report).text
        #expect(!text.contains { "\u{1B}\u{7}\u{9B}\u{202E}\r\r\n".contains($0) })
        let lines = text.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("fake line") })
        #expect(lines.last == "  a: ]0;title[2K fake line31m: ]0;title[2K fake line31m (1 time)")
    }

    @Test("A failure says what a server says without what would change the terminal")
    func failures() throws {
        #expect(CommandError("No: \(hostile)").description == "No: ]0;title[2K\nfake line31m")
        let error: JSONValue = ["code": "x", "path": .string(hostile), "message": .string(hostile)]
        let refusal = ServerError(status: 400, error: error, server: URL(filePath: "/"))
        #expect(refusal.description == "]0;title[2K\nfake line31m: ]0;title[2K\nfake line31m (x)")
    }
}
