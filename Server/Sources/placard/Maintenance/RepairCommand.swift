import ArgumentParser
import SQLiteCardStore
import WireJSON

/// The command `placard repair`.
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Creates missing indexes and rebuilds all of them from the tables.",
        discussion: """
            placard repair --database sqlite:cards.sqlite

            For what `placard doctor` finds in indexes and counters. Stop the server before; while one runs, this \
            refuses. Damaged tables can't be repaired: restore a backup.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        try database.requireFile(
            "PostgreSQL repairs indexes with REINDEX DATABASE; `placard doctor` says what else is "
                + "wrong. Restore a backup "
                + "where data is damaged."
        )
        let repair = try await SQLiteCardStore.repair(path: try database.existingPath())
        if json {
            return Console.write([
                "created": .array(repair.created.map(JSONValue.string)),
                "replaced": .array(repair.replaced.map(JSONValue.string)),
                "removed": .array(repair.removed.map(JSONValue.string)),
                "user_count_error": .integer(repair.userCountError),
            ])
        }
        for title in repair.created { Console.write("Created the \(title).") }
        for title in repair.replaced { Console.write("Created the \(title) in place of another one.") }
        for title in repair.removed { Console.write("Removed the \(title), which isn't Placard's.") }
        if repair.userCountError != 0 { Console.write("Corrected the count of users by \(repair.userCountError).") }
        Console.write("Rebuilt every index.")
    }
}
