import ArgumentParser
import Foundation
import Testing

@testable import PlacardCommands

@Suite("Wrong usage")
struct UsageTests {
    /// What a shell would run, word by word.
    struct Line: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral {
        let testDescription: String

        init(stringLiteral text: String) { testDescription = text }

        /// The arguments; `''` is an empty one.
        var arguments: [String] { testDescription.split(separator: " ").map { $0 == "''" ? "" : String($0) } }

        /// Runs it, and returns the exit status that it would end with.
        func run() async -> Int32 {
            do {
                var command = try Placard.parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                return Placard.status(of: error).rawValue
            }
        }
    }

    private static let wrong: [Line] = [
        "serve --port abc", "serve --port 0 --log-level loud", "serve --max-connections 0", "serve --database cards",
        "serve --database ''", "serve --port ''", "serve --trusted-proxies proxy", "serve --forwarded-header x",
        "serve --public-url cards", "serve --public-url https://cards.example/path", "serve --media-storage x",
        "serve --tls-key key.pem", "serve --tls-certificate chain.pem", "doctor --tls-key key.pem",
        "serve --socket s --port 0", "serve --socket-mode 660", "serve --socket s --socket-mode 888",
        "serve --socket ''", "serve --traces-endpoint collector", "serve --traces-endpoint http://c --traces-sample 2",
        "serve --traces-sample 1",
        "serve --unknown", "demo --port 70000", "doctor --port x", "doctor --database mysql://x",
        "backup b --database x", "backup b --config ''", "copy --from sqlite:a --to sqlite:a",
        "shards add --database postgres://h/n", "shards add mysql://db2/n --database postgres://h/n",
        "shards add sqlite:n --database postgres://h/n", "shards set 1 --database postgres://h/n",
        "shards set one postgres://db2/n --database postgres://h/n",
        "shards add postgres://db2/n --address-file f --database postgres://h/n",
        "shards add --address-file /nowhere/address --database postgres://h/n",
        "copy --from a --to sqlite:b", "users import users.txt", "report spring --key ''",
        "report spring --key sk_1 --server nowhere", "report spring --key sk_1 --server http://h?a=b",
        "report spring --key sk_1 --server http://h#a", "report spring --key sk_1 --server http://u:p@h",
        "feed --user anna --key pk_1 --server nowhere --plain",
    ]

    @Test("A flag's value that can't be used ends with status 64", arguments: wrong)
    func values(_ line: Line) async { #expect(await line.run() == 64) }

    @Test("What fails in spite of right usage ends with status 1")
    func failures() async {
        #expect(await Line("audience check /nowhere/a.yaml").run() == 1)
        #expect(await Line("backup b --database sqlite:/nowhere/a.sqlite").run() == 1)
    }
}
