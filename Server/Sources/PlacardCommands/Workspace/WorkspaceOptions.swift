import ArgumentParser
import CardModel
import CardServer
import Foundation
import WireJSON
import WorkspaceFiles

/// The options that the commands that compare a folder with a server have in common.
struct WorkspaceOptions: ParsableArguments {
    @Argument(help: "The folder.", completion: .directory)
    var directory: String

    @OptionGroup var server: ServerOptions

    @Option(
        help: ArgumentHelp(
            "Only those kinds: campaigns, segments, content-blocks, content-types, settings; with commas between them.",
            valueName: "kinds"
        )
    )
    var only: String?

    @Flag(help: "Writes JSON.")
    var json = false

    /// The kinds that are looked at.
    func kinds() throws -> Set<ObjectKind> {
        guard let only else { return Set(ObjectKind.allCases) }
        return Set(
            try only.split(at: ",").map { name in
                guard let kind = ObjectKind.allCases.first(where: { $0.listName == name }) else {
                    let known = ObjectKind.allCases.map(\.listName).joined(separator: ", ")
                    throw ValidationError("There is no kind “\(name)”. Known: \(known).")
                }
                return kind
            }
        )
    }

    func folder(create isCreated: Bool = false) throws -> WorkspaceFolder {
        do {
            return try WorkspaceFolder.open(directory, create: isCreated)
        } catch {
            throw CommandError(error.description)
        }
    }
}

/// The options that `diff` and `apply` have in common.
struct PlanOptions: ParsableArguments {
    @OptionGroup var workspace: WorkspaceOptions

    @Flag(help: "Archives campaigns and segments that no file describes.")
    var prune = false

    @Flag(help: "Launches campaigns whose files say no status.")
    var launch = false

    @Flag(help: "Applies files although objects were changed on the server since the pull.")
    var overwrite = false

    /// Compares the folder with the server.
    func planned() async throws -> PlannedWorkspace {
        let kinds = try workspace.kinds()
        let folder = try workspace.folder()
        let contents = folder.read(kinds)
        let client = try workspace.server.client()
        let needsSettings =
            contents.files.contains { $0.object.reference.kind == .settings }
            || contents.broken.contains { $0.kind == .settings }
        var read = Set(ObjectKind.allCases)
        if !needsSettings { read.remove(.settings) }
        let server = try await ServerReader(client: client).read(read)
        var options = WorkspacePlan.PlannerOptions()
        options.prunes = prune
        options.launches = launch
        options.overwrites = overwrite
        let pulled = try PulledState(of: client.server, in: folder)
        let planner = WorkspacePlanner(
            files: contents.files,
            broken: contents.broken,
            server: server,
            pulled: pulled,
            kinds: kinds,
            options: options,
            filters: CryptographyFilters.all,
            now: Date().timeIntervalSince1970
        )
        let (plan, problems) = planner.plan()
        return PlannedWorkspace(
            plan: plan,
            problems: (contents.problems + problems).sorted(),
            folder: folder,
            client: client,
            pulled: pulled
        )
    }
}

/// A folder that was compared with a server.
struct PlannedWorkspace {
    let plan: WorkspacePlan
    let problems: [FileProblem]
    let folder: WorkspaceFolder
    let client: ManagementClient
    let pulled: PulledState

    /// Writes what is wrong with files, and ends the command where something is.
    func requireNoProblems(json isJSON: Bool) throws {
        guard !problems.isEmpty else { return }
        if isJSON { Console.write(["problems": .array(problems.map(\.json))]) }
        for problem in problems { Console.note(problem.description) }
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        throw CommandError("Nothing was written: \(count) in the files.")
    }
}
