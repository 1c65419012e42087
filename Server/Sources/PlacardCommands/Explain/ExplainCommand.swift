import ArgumentParser
import Foundation
import Terminal
import WireJSON

/// The command `placard explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains why a user gets a campaign's card or doesn't.",
        discussion: """
            placard explain --user user-42
            placard explain --user user-42 --campaign spring
            placard explain --user user-42 --at 2027-01-31T09:00:00Z

            A campaign that was never launched is explained only when it is named.

            Needs a key with the permission `users`.
            """
    )

    @Option(help: "The user's id.")
    var user: String

    @Option(help: "Only this campaign.")
    var campaign: String?

    @Option(help: "The moment, in Unix seconds or ISO 8601; now where it is left out.")
    var at: String?

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON, with what was found of each clause of the audience.")
    var json = false

    func run() async throws {
        let query = [("campaign_id", campaign), ("at", at), ("limit", "1000")].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        let answer = try await server.client().get("users", user, "explain", query: query)
        if json { return Console.write(answer) }
        var table = TextTable([.text("CAMPAIGN"), .text("CODE"), .text("WHY")])
        for campaign in answer["campaigns"]?.array ?? [] {
            table.add(["campaign_id", "code", "message"].map { campaign[$0]?.string ?? "" })
        }
        Console.write(table.text)
    }
}
