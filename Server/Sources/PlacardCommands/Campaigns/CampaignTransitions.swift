import ArgumentParser
import WireJSON

/// The options that the commands that move a campaign on have in common.
struct CampaignTransitionOptions: ParsableArguments {
    /// The permission that each of them needs.
    static let permission = "Needs a key with the permission `campaigns`."

    @Argument(help: "The campaign's id.")
    var id: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes the campaign as JSON.")
    var json = false

    func apply(_ transition: String, body: JSONValue = [:]) async throws {
        let campaign = try await server.client().post("campaigns", id, transition, body: body)
        if json { return Console.write(campaign) }
        let withdrawn = campaign["withdrawn"]?.bool == true ? ", its cards are withdrawn" : ""
        Console.write("\(id) is \(campaign["status"]?.string ?? "")\(withdrawn).")
    }
}

/// The command `placard campaign launch`.
struct CampaignLaunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract: "Launches a campaign.",
        discussion: CampaignTransitionOptions.permission
    )

    @OptionGroup var transition: CampaignTransitionOptions

    @Flag(help: "Launches it even where `placard campaign check` finds errors.")
    var force = false

    func run() async throws { try await transition.apply("launch", body: ["force": .bool(force)]) }
}

/// The command `placard campaign request-approval`.
struct CampaignRequestApproval: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-approval",
        abstract: "Asks an administrator to approve the launch of a campaign.",
        discussion: """
            The workspace's settings say who needs approval. An administrator decides in the dashboard, \
            and the campaign is \
            launched at that moment, if it wasn't changed in between. \(CampaignTransitionOptions.permission)
            """
    )

    @Argument(help: "The campaign's id.")
    var id: String

    @Option(help: "What is said to those who decide.")
    var comment: String?

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes the request as JSON.")
    var json = false

    func run() async throws {
        let body: JSONValue = ["comment": comment.map(JSONValue.string) ?? .null]
        let request = try await server.client().post("campaigns", id, "approvals", body: body)
        if json { return Console.write(request) }
        Console.write("Approval of \(id) is requested.")
    }
}

/// The command `placard campaign pause`.
struct CampaignPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses a campaign: no user gets its card any more; delivered cards stay.",
        discussion: CampaignTransitionOptions.permission
    )

    @OptionGroup var transition: CampaignTransitionOptions

    func run() async throws { try await transition.apply("pause") }
}

/// The command `placard campaign stop`.
struct CampaignStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Ends a campaign; delivered cards stay.",
        discussion: CampaignTransitionOptions.permission
    )

    @OptionGroup var transition: CampaignTransitionOptions

    @Flag(help: "Takes the delivered cards back as well.")
    var withdraw = false

    func run() async throws { try await transition.apply("stop", body: ["withdraw": .bool(withdraw)]) }
}

/// The command `placard campaign archive`.
struct CampaignArchive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archives a draft or a stopped campaign.",
        discussion: CampaignTransitionOptions.permission
    )

    @OptionGroup var transition: CampaignTransitionOptions

    func run() async throws { try await transition.apply("archive") }
}

/// The command `placard campaign restore`.
struct CampaignRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores an archived campaign: as a draft, or as stopped if it was launched.",
        discussion: CampaignTransitionOptions.permission
    )

    @OptionGroup var transition: CampaignTransitionOptions

    func run() async throws { try await transition.apply("restore") }
}
