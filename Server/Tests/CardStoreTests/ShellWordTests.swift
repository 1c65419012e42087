import Foundation
import Testing

@testable import CardStore

/// Words of commands that are printed to be copied into a shell.
struct ShellWordTests {
    @Test(
        "A word is what it was once a shell has read it",
        arguments: [
            "/var/lib/placard/cards.sqlite", "a b", "", "it's", "'\u{301}x'", "$(reboot)", "`reboot`", "a;b", "\\",
            "a\nb", "*", "~", "日本", "#a", "!x", "\"",
        ]
    )
    func quoted(_ text: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(text.shellWord)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && data == Data(text.utf8))
    }

    @Test func `What a shell takes as it is stays without quotes`() {
        #expect(["/srv/a-b_c.sqlite", "a b"].shellWords == "/srv/a-b_c.sqlite 'a b'")
        #expect("sqlite:/srv/cards.sqlite".shellWord == "sqlite:/srv/cards.sqlite")
    }
}
