import ArgumentParser
import CardModel
import Foundation
import Terminal
import WireJSON

/// The command `placard campaign history`.
struct CampaignHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists the changes to a campaign, newest first.",
        discussion: """
            placard campaign history spring
            placard campaign history spring --version 3
            placard campaign history spring --restore 3

            With --version it writes the campaign as it was then, as JSON. With --restore it makes the campaign say \
            what it said then; that is a new version.

            Needs a key with the permission `read`, and `campaigns` for --restore.
            """
    )

    @Argument(help: "The campaign's id.")
    var id: String

    @Option(help: ArgumentHelp("Writes the campaign as it was in that version.", valueName: "number"))
    var version: Int64?

    @Option(help: ArgumentHelp("Brings the content of that version back.", valueName: "number"))
    var restore: Int64?

    @Option(help: "How many changes to list at most.")
    var limit = 50

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        if version != nil, restore != nil { throw ValidationError("Give either --version or --restore.") }
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000.") }
    }

    func run() async throws {
        let client = try server.client()
        if let version { return Console.writePretty(try await campaign(version, client)) }
        if let restore { return try await bringBack(restore, client) }
        let query = [URLQueryItem(name: "limit", value: "\(limit)")]
        let versions = try await client.get("campaigns", id, "versions", query: query)
        if json { return Console.write(versions) }
        Console.write(Self.table(versions["versions"]?.array ?? []))
    }

    private func campaign(_ number: Int64, _ client: ManagementClient) async throws -> JSONValue {
        try await client.get("campaigns", id, "versions", "\(number)")["campaign"] ?? .null
    }

    private func bringBack(_ number: Int64, _ client: ManagementClient) async throws {
        guard var members = try await campaign(number, client).object else { return }
        members["version"] = try await client.get("campaigns", id)["version"]
        let restored = try await client.put("campaigns", id, body: .object(members))
        if json { return Console.write(restored) }
        Console.write(
            "\(id) says again what it said in version \(number). (version \(restored["version"]?.integer ?? 0))"
        )
    }

    private static func table(_ versions: [JSONValue]) -> String {
        var table = TextTable([
            .number("VERSION"), .text("AT"), .text("WHAT"), .text("BY"), .text("STATUS"), .text("CHANGED"),
        ])
        for version in versions {
            let changed = version["changed"]?.array?.compactMap(\.string).joined(separator: ", ") ?? ""
            let restored = version["restores"]?.integer.map { "\(changed) (as in version \($0))" }
            table.add([
                "\(version["version"]?.integer ?? 0)", Timestamp.text(of: version["at"]?.double ?? 0),
                version["action"]?.string?.replacing("campaign.", with: "") ?? "", version["actor"]?.string ?? "",
                version["status"]?.string ?? "", restored ?? changed,
            ])
        }
        return table.text
    }
}
