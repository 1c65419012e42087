import CardStore
import CommandSettings
import Testing

@testable import PlacardCommands

/// Where the key for the secrets in a PostgreSQL database is looked for.
struct PostgresKeyTests {
    private static let packaged = "/var/lib/placard/placard.key"

    /// Returns the path of the key for a command that runs in a folder, beside files that are there.
    private func path(_ settings: String?, existing files: [String] = []) -> String? {
        let source = DatabaseLocation.postgresKey(settings: settings, in: "/root") { files.contains($0) }
        guard case .file(let path) = source else { return nil }
        return path
    }

    @Test func `With the settings of the package it is that of its server, wherever a command is run`() {
        for settings in ["/etc/placard/placard.yaml", "/etc/placard/../placard/placard.yaml"] {
            #expect(path(settings) == Self.packaged)
            #expect(path(settings, existing: [Self.packaged, "/root/placard.key"]) == Self.packaged)
        }
        // A server whose unit names another folder goes on with its key.
        #expect(path("/etc/placard/placard.yaml", existing: ["/root/placard.key"]) == "/root/placard.key")
    }

    @Test func `With other settings it is in the working directory, and is named by its whole path`() {
        for settings in [nil, "placard.yaml", "/srv/placard.yaml"] {
            #expect(path(settings, existing: [Self.packaged]) == "/root/placard.key")
        }
    }

    @Test func `A flag comes first, and SQLite has its key beside the file`() throws {
        let postgres = ["--database", "postgresql://127.0.0.1:1/cards"]
        let flag = postgres + ["--secrets-key-file", "/k"]
        #expect(try DatabaseOptions.parse(flag).secretsKey() == .file(path: "/k"))
        #expect(try DatabaseOptions.parse(postgres).givenSecretsKey() == nil)
        #expect(try DatabaseOptions.parse(postgres).secretsKey() != nil)
        #expect(try DatabaseOptions.parse(["--database", "sqlite:a.sqlite"]).secretsKey() == nil)
    }
}
