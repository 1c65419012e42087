import ArgumentParser
import CardModel
import Foundation
import OrderedCollections
import WireJSON
import WireYAML

/// The command `placard campaign apply`.
struct CampaignApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Creates or updates a campaign from a file.",
        discussion: """
            id: spring
            name: Spring sale
            audience: {attribute: plan, value: pro}
            variants:
              - id: a
                weight: 9
                card: {type: classic, title: Spring!, description: Look inside.}
              - {id: control, weight: 1, control: true}

            Doing it again changes nothing and says so. A file with a `version` is refused where the campaign has \
            another by now: what `campaign show` wrote can be edited and applied without undoing another member's \
            change.

            Needs a key with the permission `campaigns`.
            """
    )

    @Argument(
        help: "The file, JSON or YAML; - for standard input.",
        completion: .file(extensions: ["json", "yaml", "yml"])
    )
    var file: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Launches the campaign as well.")
    var launch = false

    @Flag(help: "Writes the campaign as JSON.")
    var json = false

    func run() async throws {
        let draft = try AppliedCampaign(try TextFile.read(file), fileName: file == "-" ? "standard input" : file)
        let client = try server.client()
        var outcome = try await apply(draft, by: client)
        if launch, outcome.campaign["status"]?.string != "active" {
            // What another member saves in between isn't launched unseen.
            let known: JSONObject = outcome.campaign["version"].map { ["version": $0] } ?? [:]
            outcome.campaign = try await client.post("campaigns", draft.id.rawValue, "launch", body: .object(known))
            outcome.said += ", and launched it"
        }
        if json { return Console.write(outcome.campaign) }
        for warning in outcome.campaign["warnings"]?.array ?? [] {
            Console.note("\(warning["path"]?.string ?? ""): \(warning["message"]?.string ?? "")")
        }
        Console.write("\(outcome.said): \(draft.id.rawValue), version \(outcome.campaign["version"]?.integer ?? 0).")
    }

    private func apply(
        _ draft: AppliedCampaign,
        by client: ManagementClient
    ) async throws -> (said: String, campaign: JSONValue) {
        guard let existing = try await client.find("campaigns", draft.id.rawValue) else {
            return ("Created", try await client.post("campaigns", body: draft.creation))
        }
        switch try draft.change(of: existing) {
        case nil: return ("Unchanged", existing)
        case let body?: return ("Changed", try await client.put("campaigns", draft.id.rawValue, body: body))
        }
    }
}

/// A campaign as a file describes it.
struct AppliedCampaign {
    let id: CampaignID
    /// The version that the file was made from, if it says so.
    let version: Int64?
    let content: Campaign.Content

    /// Reads and checks a description.
    init(_ text: String, fileName: String) throws {
        do {
            let json = try JSONValue(yaml: text)
            guard let id = json["id"]?.string.flatMap(CampaignID.init(checking:)) else {
                throw CommandError(
                    "\(fileName): id has to be 1 to 64 letters, digits, _, - and .; by it the campaign is found again."
                )
            }
            self.id = id
            version = try Self.version(of: json, fileName)
            content = try Campaign.Content(json: json, allowing: Campaign.keptFieldNames)
        } catch let error as ModelError {
            throw CommandError("\(fileName): \(error)")
        } catch let error as YAMLError {
            throw CommandError("\(fileName): \(error)")
        }
    }

    /// Returns the version that the file was made from, or `nil` where it says none.
    ///
    /// - Throws: `CommandError` for one that can't be compared, such as a text: without it, another member's change
    ///   would be undone.
    private static func version(of json: JSONValue, _ fileName: String) throws(CommandError) -> Int64? {
        guard let value = json["version"], !value.isNull else { return nil }
        guard let version = value.integer, version > 0 else {
            throw CommandError("\(fileName): version has to be a whole number from 1, or left out.")
        }
        return version
    }

    /// The request that creates the campaign.
    var creation: JSONValue {
        var members = content.json
        members["id"] = .string(id.rawValue)
        return .object(members)
    }

    /// Returns the change that brings the campaign on the server to what the file says, or `nil` where it says that
    /// already.
    func change(of existing: JSONValue) throws -> JSONValue? {
        let present = try Campaign.Content(json: existing, allowing: Campaign.keptFieldNames)
        let serverVersion = existing["version"]?.integer ?? 0
        if present == content { return nil }
        if let version, version != serverVersion {
            throw CommandError(
                """
                The file was made from version \(version) of \(id.rawValue), which has version \(serverVersion) now. \
                See `placard campaign show \(id.rawValue)`, take over what changed, and apply again.
                """
            )
        }
        var members = content.json
        members["version"] = .integer(serverVersion)
        return .object(members)
    }
}
