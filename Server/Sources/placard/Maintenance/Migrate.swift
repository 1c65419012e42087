import ArgumentParser
import CommandSettings
import SQLiteCardStore
import WireJSON

/// The command `placard migrate`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the database, or brings it up to date.",
        discussion: """
            placard migrate --database sqlite:cards.sqlite

            The server does the same when it starts; this is for those who want it done before. Steps only ever add up:
            make a backup first if you may have to go back.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let steps = try SQLiteCardStore.migrate(
            path: try database.location().path,
            secretsKey: try database.secretsKey()
        )
        if json { return Console.write(["applied": .array(steps.map(JSONValue.string))]) }
        if steps.isEmpty { return Console.write("The database is up to date.") }
        for step in steps { Console.write("Applied \(step).") }
    }
}
