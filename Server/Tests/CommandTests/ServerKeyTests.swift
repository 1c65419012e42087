import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// What every command that asks a server does with its address and its key.
struct ServerKeyTests {
    /// Every command that asks a server and needs no file for it.
    private static let commands: [[String]] = [
        ["campaign", "list"], ["campaign", "show", "a"], ["campaign", "check", "a"], ["campaign", "history", "a"],
        ["campaign", "history", "a", "--version", "1"], ["campaign", "history", "a", "--restore", "1"],
        ["campaign", "launch", "a"], ["campaign", "launch", "a", "--force"], ["campaign", "request-approval", "a"],
        ["campaign", "pause", "a"], ["campaign", "stop", "a", "--withdraw"], ["campaign", "archive", "a"],
        ["campaign", "restore", "a"], ["content-types", "list"], ["content-types", "delete", "a"], ["report", "a"],
        ["trigger", "a", "--broadcast"], ["test-send", "a"], ["explain", "--user", "a"],
        ["pull", "/nonexistent/workspace"],
    ]

    @Test("A server that doesn't answer is named, and nothing is written", arguments: commands)
    func unreachable(_ words: [String]) async {
        let outcome = await CommandOutcome.run(words + ["--server", "http://127.0.0.1:1", "--key", "sk_hush"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.message.hasPrefix("No server answers at http://127.0.0.1:1."), "\(outcome.message)")
        #expect(!outcome.everything.contains("sk_hush"))
    }

    @Test(
        "What can't be a key is refused before a server is asked, and isn't repeated",
        arguments: [
            "sk_hush\r", "sk_hush\n", "sk_hush\r\nX-Other: 1", "sk hush", " sk_hush", "sk_höush", "sk_hush\u{0}",
        ]
    )
    func noKey(_ key: String) async {
        for words in Self.commands {
            let outcome = await CommandOutcome.run(words + ["--server", "http://127.0.0.1:1", "--key=\(key)"])
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.message == "--key: this is no key. Is there a space or a line break in it?")
        }
    }

    @Test(
        "An address that is none is refused, and a password in it isn't repeated",
        arguments: ["hush", "http://u:hush@127.0.0.1", "ftp://hush", "http://127.0.0.1?hush", "", "http://"]
    )
    func noAddress(_ address: String) async {
        for words in Self.commands {
            let outcome = await CommandOutcome.run(words + ["--server=\(address)", "--key", "sk_1"])
            #expect(outcome.status == 64 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.message.contains("--server"), "\(outcome.message)")
            #expect(!outcome.everything.contains("hush"))
        }
    }

    @Test func `A key that the server doesn't know is an error that says what makes one`() async throws {
        try await CommandServer.run { server in
            for words in Self.commands {
                let outcome = await CommandOutcome.run(words + ["--server", server.address, "--key", "sk_unknown"])
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words)")
                #expect(outcome.message.hasPrefix("The server does not know this key"), "\(outcome.message)")
                #expect(!outcome.everything.contains("sk_unknown"))
            }
        }
    }

    @Test func `A key without the permission changes nothing, and the error names the permission`() async throws {
        try await CommandServer.run([.report]) { server in
            for words in Self.commands where words[0] != "report" {
                let outcome = await CommandOutcome.run(words + ["--server", server.address, "--key", server.key])
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words)")
                #expect(outcome.message.contains("permission"), "\(words): \(outcome.message)")
                #expect(!outcome.everything.contains(server.key))
            }
        }
    }

    @Test func `The key and the address come from a file where no flag has them`() async throws {
        try await CommandServer.run { server in
            let text = "server: '\(server.address)'\nkey: \(server.key)\n"
            let config = try server.folder.write(text, to: "settings.yaml")
            let outcome = await CommandOutcome.run(["campaign", "list", "--json", "--config", config])
            #expect(outcome.status == 0 && outcome.json == ["campaigns": []])
            let flag = ["campaign", "list", "--config", config, "--key", "sk_unknown"]
            #expect(await CommandOutcome.run(flag).status == 1)
            let secret = try server.folder.write("server: [1]\nkey: \(server.key)\n", to: "wrong.yaml")
            let wrong = await CommandOutcome.run(["campaign", "list", "--config", secret])
            #expect(wrong.status == 64 && !wrong.everything.contains(server.key))
        }
    }
}
