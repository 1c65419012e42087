import ArgumentParser
import BrazeImport
import CardServer
import WorkspaceFiles

/// The command `placard import`.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Turns what another service exported into files of a workspace.",
        subcommands: [BrazeImportCommand.self]
    )
}

/// The command `placard import braze`.
struct BrazeImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "braze",
        abstract: "Turns answers of Braze's REST API and exports of users into files.",
        discussion: """
            placard import braze export imported
            placard diff imported/workspace
            placard apply imported/workspace
            placard users import imported/users.jsonl

            The first folder has what you fetched with curl: campaigns, segments, \
            content blocks and users, as JSON, JSON \
            Lines or CSV; each file is known by its fields. The second one must be new: it gets drafts of campaigns, \
            segments, content blocks, a file of users, and report.txt, \
            which says what is to be done by hand and what was \
            left out. No server is asked. Ends with status 0 also where something was left out. See docs/importing.md.
            """
    )

    @Argument(help: "The folder with the export.", completion: .directory)
    var export: String

    @Argument(help: "The folder to write, which must be new or empty.", completion: .directory)
    var output: String

    @Flag(help: "Takes over campaigns that are archived, too, as drafts.")
    var archived = false

    @Flag(help: "Writes the report as JSON.")
    var json = false

    func run() throws {
        let importing = ExportImport(includesArchived: archived, filters: CryptographyFilters.all)
        let report: ImportReport
        do {
            report = try importing.run(from: export, to: output)
        } catch {
            throw CommandError(error.description)
        }
        guard !json else { return Console.write(report.json) }
        Console.write(report.summary)
        Console.write("What is to be done by hand is in \(output)/\(ExportImport.reportName).")
    }
}
