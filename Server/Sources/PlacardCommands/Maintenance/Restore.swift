import ArgumentParser
import CardModel
import Foundation
import SQLiteCardStore
import WireJSON

/// The command `placard restore`.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restores a backup.",
        discussion: """
            placard restore cards-2027-01-31.sqlite --database sqlite:cards.sqlite

            Stop the server before; while one runs, this refuses. The backup is copied and every page of it checked \
            before anything is changed. The database that was there gets another name, with its log; --discard \
            removes it. Don't copy a backup over the database by hand: SQLite would mix it with the log that lies \
            beside it. Pictures in FILE.media are restored too; those that are in the media library already \
            stay. Where some \
            are in neither, this refuses, unless --without-media says that they are done without.
            """
    )

    @Argument(help: "The backup, which stays as it is.", completion: .file())
    var file: String

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Removes the database that was there. Needs no more space than the backup.")
    var discard = false

    @Flag(help: "Restores although pictures of the backup are missing. Cards that show them have no image.")
    var withoutMedia = false

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        try database.requireFile(
            "PostgreSQL is restored by its own tools: stop all nodes, createdb --encoding UTF8 NAME, and "
                + "pg_restore --no-owner --dbname=NAME FILE. Then give the nodes the new database."
        )
        let path = try database.location().path
        let missing = try await missingPictures(path)
        let restored = try await SQLiteCardStore.restore(
            file,
            to: path,
            secretsKey: try database.secretsKey(),
            discardsPrevious: discard,
            at: Date().timeIntervalSince1970
        )
        if json { return Console.write(json(of: restored, missing)) }
        let counts = restored.contents.counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        Console.write("Restored \(path) from \(file): \(counts).")
        if restored.pictures > 0 {
            let folder = SQLiteCardStore.mediaPath(of: file)
            Console.write("Restored the media library from \(folder) (\(Quantity.text(restored.pictures, "file"))).")
        }
        if missing > 0 { Console.note("Without files: \(Self.counted(missing)). Their cards have no image.") }
        if let previous = restored.previous { Console.note("The database before is in \(previous).") }
        if restored.isOlder {
            Console.note("It is of an older version: `placard migrate` or the next start of the server migrates it.")
        }
        if let missingKey = restored.missingKey { Console.note(missingKey) }
        for flaw in restored.contents.flaws { Console.note("The backup isn't in order: \(flaw)") }
        if !restored.contents.flaws.isEmpty { Console.note("`placard doctor` says what helps.") }
    }

    /// Returns how many pictures would lack files.
    ///
    /// - Throws: `CommandError` where there are any, unless they are done without; nothing is changed by then.
    private func missingPictures(_ path: String) async throws -> Int {
        // A backup that can't be read is refused with the reason when it is restored.
        guard let missing = try? await SQLiteCardStore.missingPictures(of: file, beside: [file, path]) else { return 0 }
        guard missing.count > 0, !withoutMedia else { return missing.count }
        throw CommandError(
            "Of the backup's pictures, \(Self.counted(missing.count)) can't be restored: the files are neither in "
                + "\(SQLiteCardStore.mediaPath(of: file)) nor in \(SQLiteCardStore.mediaPath(of: path)), or have other "
                + "bytes than when they were uploaded. Nothing was "
                + "changed. Put the folder beside the backup, or restore without the pictures: --without-media."
        )
    }

    private static func counted(_ pictures: Int) -> String { pictures == 1 ? "1 picture" : "\(pictures) pictures" }

    private func json(of restored: SQLiteCardStore.Restoration, _ missing: Int) -> JSONValue {
        [
            "restored": .object(
                .init(restored.contents.counts.map { ($0.name, .integer($0.count)) }, uniquingKeysWith: { $1 })
            ),
            "previous": restored.previous.map(JSONValue.string) ?? .null, "needs_migration": .bool(restored.isOlder),
            "media_files": .integer(Int64(restored.pictures)), "missing_pictures": .integer(Int64(missing)),
            "needs_secrets_key": .bool(restored.missingKey != nil),
            "flaws": .array(restored.contents.flaws.map(JSONValue.string)),
        ]
    }
}
