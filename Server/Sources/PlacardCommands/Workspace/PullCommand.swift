import ArgumentParser
import CardModel
import WireJSON
import WorkspaceFiles

/// The command `placard pull`.
struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Writes the campaigns, segments, content blocks, content types and settings of a server as files.",
        discussion: """
            placard pull workspace
            git diff workspace

            A file an object, named by its id: campaigns/spring.yaml. \
            Files that say what the server has stay as they are, \
            with their comments. A file that was edited is only overwritten with --overwrite. \
            There are no secrets in files. \
            See docs/gitops.md.

            Needs a key with the permission `read`, and `settings` for settings.yaml.
            """
    )

    @OptionGroup var workspace: WorkspaceOptions

    @Flag(help: "Overwrites edits of files.")
    var overwrite = false

    @Flag(help: "Removes files of what the server doesn't have.")
    var prune = false

    @Flag(help: "Writes archived campaigns and segments, too.")
    var archived = false

    @Flag(help: "Leaves the status out of new files: applied to another server, they are drafts.")
    var noStatus = false

    func run() async throws {
        let kinds = try workspace.kinds()
        let client = try workspace.server.client()
        let server = try await ServerReader(client: client).read(kinds)
        let folder = try workspace.folder(create: true)
        let contents = folder.read(kinds)
        var pulled = try PulledState(of: client.server, in: folder)
        var options = FolderUpdate.UpdateOptions()
        options.overwrites = overwrite
        options.prunes = prune
        options.includesArchived = archived
        options.omitsStatus = noStatus
        let update = FolderUpdate(files: contents.files, server: server, pulled: pulled, options: options)
        let problems = (contents.problems + update.problems).sorted()
        if !problems.isEmpty {
            if workspace.json { Console.write(["problems": .array(problems.map(\.json))]) }
            for problem in problems { Console.note(problem.description) }
            throw CommandError("Nothing was written.")
        }
        do {
            try write(update, to: folder)
            for (file, server) in update.results { pulled.note(file.reference, file: file, server: server) }
            try pulled.write(to: folder)
        } catch let problem as FileProblem {
            throw CommandError(problem.description)
        }
        report(update)
    }

    private func write(_ update: FolderUpdate, to folder: WorkspaceFolder) throws {
        for change in update.changes {
            switch change {
            case .create(let path, let text), .replace(let path, let text): try folder.write(text, to: path)
            case .remove(let path): try folder.remove(path)
            }
        }
    }

    private func report(_ update: FolderUpdate) {
        if workspace.json {
            return Console.write([
                "changes": .array(update.changes.map { ["file": .string($0.path), "action": .string($0.name)] }),
                "not_on_server": .array(update.others.map(JSONValue.string)),
                "objects": .integer(Int64(update.results.count)),
            ])
        }
        for change in update.changes { Console.write("\(change.name) \(change.path.visible)") }
        for path in update.others { Console.note("\(path.visible) isn't on the server. --prune removes it.") }
        let same = update.results.count - update.changes.count { $0.name != "remove" }
        Console.write("\(Quantity.text(update.changes.count, "file")) changed, \(same) unchanged.")
    }
}
