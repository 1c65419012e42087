import ArgumentParser
import CardModel
import WireJSON
import WorkspaceFiles

/// The command `placard apply`.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Changes a server to match the files of a folder.",
        discussion: """
            placard diff workspace     shows what would be done
            placard apply workspace    does it

            Nothing is written where anything is wrong with a file, \
            or where an object was changed on the server since the \
            pull. Campaigns are launched, paused and stopped as the status in their files says; \
            where a file says none, the \
            status stays, and a new campaign is a draft. Nothing is ever deleted. \
            Where another member has to approve a launch \
            or an edit, they are asked to, and the rest is done. What only an administrator can change, \
            and campaigns for which \
            another request waits, are named at the end, with status 1. See docs/gitops.md.

            Needs a key with the permission `campaigns`, and `settings` for settings.yaml.
            """
    )

    @OptionGroup var options: PlanOptions

    @Flag(help: "Launches nothing: what isn't active stays so, whatever files say.")
    var noLaunch = false

    func validate() throws {
        if noLaunch, options.launch { throw ValidationError("Give either --launch or --no-launch.") }
    }

    func run() async throws {
        let planned = try await options.planned()
        let isJSON = options.workspace.json
        try planned.requireNoProblems(json: isJSON)
        let plan = noLaunch ? planned.plan.withoutLaunches : planned.plan
        if !isJSON { Console.write(plan.lines.joined(separator: "\n")) }
        guard plan.conflicts.isEmpty else {
            if isJSON { Console.write(plan.json) }
            throw CommandError(
                "Nothing was written: what is marked with ! was changed on the server. Pull it, or give --overwrite."
            )
        }
        try plan.requireFilesToPrune()
        var run = PlanRun(client: planned.client, pulled: planned.pulled)
        do {
            try await run.apply(plan) { if !isJSON { Console.write($0) } }
        } catch {
            try? run.pulled.write(to: planned.folder)
            let objects = Quantity.text(plan.changes.count, "object")
            throw CommandError("\(error)\nApplied \(run.count) of \(objects). Apply again to go on.")
        }
        if run.noteUnchanged(plan) || !plan.changes.isEmpty { try? run.pulled.write(to: planned.folder) }
        if isJSON {
            Console.write(plan.json)
        } else if plan.changes.isEmpty {
            Console.write("Nothing to do.")
        } else {
            let waiting = run.waitingCount > 0 ? " Waiting for approval: \(run.waitingCount)." : ""
            Console.write("Applied \(Quantity.text(run.count, "object")).\(waiting)")
        }
        guard run.refusals.isEmpty else {
            throw CommandError(
                """
                Not applied: \(run.refusals.count) of \(Quantity.text(plan.changes.count, "object")), \
                since others have to decide first:
                \(run.refusals.joined(separator: "\n"))
                """
            )
        }
    }
}

extension WorkspacePlan {
    /// Refuses to archive every object of a kind of which the folder has no file at all: such a folder is most likely
    /// the wrong one, or brought along without its files.
    fileprivate func requireFilesToPrune() throws {
        let kinds = Set(items.filter { $0.action == .archive && $0.file == nil }.map(\.reference.kind))
        for kind in kinds where !items.contains(where: { $0.reference.kind == kind && $0.file != nil }) {
            throw CommandError(
                """
                Nothing was written: the folder has no file in \(kind.listName), \
                and --prune would archive everything there is. \
                Leave the kind out with --only, or archive by name: placard campaign archive ID.
                """
            )
        }
    }
}
