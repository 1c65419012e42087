import ArgumentParser
import WireJSON

/// The command `placard campaign check`.
struct CampaignCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a campaign as a launch does, and lists every problem.",
        discussion: "The exit status is 1 where a launch would be refused. Needs a key with the permission `read`."
    )

    @Argument(help: "The campaign's id.")
    var id: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let answer = try await server.client().get("campaigns", id, "checks")
        if json { Console.write(answer) } else { Console.write(Self.text(answer["checks"]?.array ?? [])) }
        if answer["launchable"]?.bool != true { throw ExitCode.failure }
    }

    private static func text(_ checks: [JSONValue]) -> String {
        guard !checks.isEmpty else { return "All is well." }
        return checks.map { check in
            let place = check["path"]?.string ?? ""
            let message = check["message"]?.string ?? ""
            return "\(check["severity"]?.string ?? ""): \(place.isEmpty ? "" : "\(place): ")\(message)"
        }.joined(separator: "\n")
    }
}
