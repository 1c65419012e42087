import ArgumentParser
import CardModel
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

            --remove-unreadable takes away what `placard doctor --full` finds in rows of single users and in events: \
            attributes, properties and details that can't be read. Make a copy of the database before, since a \
            backup may have what is lost.

            --accept-log is for a database that a server refuses, naming this option, since an earlier version has \
            forgotten which database the write-ahead log belongs to. Make a copy of both files before.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Takes away attributes, cards and details of events that can't be read.")
    var removeUnreadable = false

    @Flag(help: "Takes the write-ahead log for the database's own, where no other file was put in its place.")
    var acceptLog = false

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        try database.requireFile(
            "PostgreSQL repairs indexes with REINDEX DATABASE; `placard doctor` says what else is "
                + "wrong. Restore a backup "
                + "where data is damaged."
        )
        let path = try database.existingPath()
        let repair = try await SQLiteCardStore.repair(
            path: path,
            removesUnreadable: removeUnreadable,
            acceptsLog: acceptLog
        )
        if repair.hasLostLog { Console.note(SQLiteCardStore.lostLogWarning(of: path)) }
        if repair.hasBlankLog { Console.note(SQLiteCardStore.blankLogWarning(of: path)) }
        if json {
            return Console.write([
                "created": .array(repair.created.map(JSONValue.string)),
                "replaced": .array(repair.replaced.map(JSONValue.string)),
                "removed": .array(repair.removed.map(JSONValue.string)),
                "user_count_error": .integer(repair.userCountError),
                "wrong_days": .integer(Int64(repair.wrongDays)),
                "unreadable": .array(repair.unreadable.map(JSONValue.string)),
                "lost_log": .bool(repair.hasLostLog),
                "blank_log": .bool(repair.hasBlankLog),
            ])
        }
        for title in repair.created { Console.write("Created the \(title).") }
        for title in repair.replaced { Console.write("Created the \(title) in place of another one.") }
        for title in repair.removed { Console.write("Removed the \(title), which isn't Placard's.") }
        if repair.userCountError != 0 { Console.write("Corrected the count of users by \(repair.userCountError).") }
        if repair.wrongDays > 0 {
            Console.write("Corrected the totals of \(Quantity.text(repair.wrongDays, "day")).")
        }
        for title in repair.unreadable { Console.write("Took away \(title), which couldn't be read.") }
        Console.write("Rebuilt every index.")
    }
}
