import ArgumentParser
import WireJSON
import WorkspaceFiles

/// The command `placard diff`.
struct DiffCommand: AsyncParsableCommand {
    /// The exit status where something would be changed.
    static let differenceStatus: Int32 = 2

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what `placard apply` would change, without changing it.",
        discussion: """
            The exit status is 0 where nothing would be changed, 2 where something would be, \
            or where objects were changed \
            on the server since the pull, and 1 where something is wrong with a file. \
            With the flags of `placard apply` it \
            shows what that would do with them.

            Needs a key with the permission `read`, and `settings` for settings.yaml.
            """
    )

    @OptionGroup var options: PlanOptions

    func run() async throws {
        let planned = try await options.planned()
        let isJSON = options.workspace.json
        try planned.requireNoProblems(json: isJSON)
        let plan = planned.plan
        if isJSON { Console.write(plan.json) } else { Console.write(plan.lines.joined(separator: "\n")) }
        if !plan.isEmpty { throw ExitCode(Self.differenceStatus) }
    }
}
