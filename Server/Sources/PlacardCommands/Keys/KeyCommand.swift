import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import Terminal
import WireJSON

/// The command `placard key`.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Creates, lists, rotates and revokes API keys.",
        discussion: """
            These work on the database itself; a running server notices within a second.

            placard key create --name "iOS app" --kind publishable
            placard key create --name backend --kind secret --permission track
            placard key rotate key_… --overlap 24h
            """,
        subcommands: [KeyCreate.self, KeyList.self, KeyRotate.self, KeyRevoke.self],
        aliases: ["keys"]
    )
}

/// The command `placard key list`.
struct KeyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the keys, without their secrets."
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let keys = try await database.withStore(for: .reading) { try await $0.apiKeys() }
        if json { return Console.write(["keys": .array(keys.map(\.json))]) }
        if keys.isEmpty { return Console.note("There are no keys. Create one with `placard key create`.") }
        var table = TextTable([
            .text("ID"), .text("NAME"), .text("KIND"), .text("PERMISSIONS"), .text("ENDS IN"), .text("CREATED"),
            .text("LAST USED"), .text("STATE"),
        ])
        let now = Date().timeIntervalSince1970
        for key in keys {
            table.add([
                key.id, key.name, key.kind.rawValue, key.permissions.map(\.rawValue).sorted().joined(separator: ", "),
                "…\(key.hint)", Timestamp.text(of: key.createdAt),
                key.lastUsedAt.map(Timestamp.text(of:)) ?? "never", key.state(at: now),
            ])
        }
        Console.write(table.text)
    }
}

/// The command `placard key revoke`.
struct KeyRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a key for good."
    )

    @Argument(help: "The key's id, key_…, as `placard key list` shows it.")
    var id: String

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let now = Date().timeIntervalSince1970
        let revoked = try await database.withStore(for: .writing) { try await $0.revokeKey(id, at: now, by: .command) }
        guard revoked else {
            throw CommandError("No key \(id) works. `placard key list` shows the keys.")
        }
        if json { return Console.write(["id": .string(id), "revoked_at": .number(now)]) }
        Console.write("Revoked \(id).")
    }
}

extension APIKey {
    /// Whether it works, and until when.
    fileprivate func state(at now: UnixTime) -> String {
        if let revokedAt { return "revoked \(Timestamp.text(of: revokedAt))" }
        guard let expiresAt else { return "active" }
        return "\(now < expiresAt ? "active until" : "expired") \(Timestamp.text(of: expiresAt))"
    }
}
