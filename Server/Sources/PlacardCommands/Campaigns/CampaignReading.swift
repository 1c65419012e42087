import ArgumentParser
import CardModel
import Foundation
import Terminal
import WireJSON

/// The command `placard campaign list`.
struct CampaignList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists campaigns, last changed first; archived ones only if asked for.",
        discussion: "Needs a key with the permission `read`."
    )

    @Option(help: ArgumentHelp("Only those that are draft, active, paused, stopped or archived.", valueName: "status"))
    var status: Campaign.Status?

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let campaigns = try await campaigns(server.client())
        if json { return Console.write(["campaigns": .array(campaigns)]) }
        if campaigns.isEmpty { return Console.note("There are no campaigns. `placard campaign apply` creates one.") }
        var table = TextTable([.text("ID"), .text("STATUS"), .number("VERSION"), .text("CHANGED"), .text("NAME")])
        let now = Date().timeIntervalSince1970
        for campaign in campaigns {
            let status = Self.state(of: campaign, at: now)
            table.add([
                campaign["id"]?.string ?? "", campaign["withdrawn"]?.bool == true ? "\(status), withdrawn" : status,
                "\(campaign["version"]?.integer ?? 0)", Timestamp.text(of: campaign["updated_at"]?.double ?? 0),
                campaign["name"]?.string ?? "",
            ])
        }
        Console.write(table.text)
    }

    /// Returns the status of a campaign, where a schedule divides `active` into three, as the dashboard does.
    static func state(of campaign: JSONValue, at now: UnixTime) -> String {
        let status = campaign["status"]?.string ?? ""
        let content = try? Campaign.Content(json: campaign, allowing: Campaign.keptFieldNames)
        guard status == Campaign.Status.active.rawValue, let content else { return status }
        switch content.delivery.phase(at: now) {
        case .ahead: return "scheduled"
        case .running: return status
        case .over: return "ended"
        }
    }

    private func campaigns(_ client: ManagementClient) async throws -> [JSONValue] {
        let query = status.map { [URLQueryItem(name: "status", value: $0.rawValue)] } ?? []
        return try await ServerReader(client: client).pages("campaigns", query, limit: 500)
    }
}

extension Campaign.Status: ExpressibleByArgument {}

/// The command `placard campaign show`.
struct CampaignShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Writes a campaign as JSON, which can be edited and applied.",
        discussion: "Needs a key with the permission `read`."
    )

    @Argument(help: "The campaign's id.")
    var id: String

    @OptionGroup var server: ServerOptions

    // On one line, as every other command writes it for programs.
    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let campaign = try await server.client().get("campaigns", id)
        if json { return Console.write(campaign) }
        Console.writePretty(campaign)
    }
}
