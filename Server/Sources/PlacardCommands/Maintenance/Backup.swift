import ArgumentParser
import CardModel
import Foundation
import SQLiteCardStore
import WireJSON

/// The command `placard backup`.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Backs up the database while it is in use.",
        discussion: """
            placard backup cards-2027-01-31.sqlite --database sqlite:cards.sqlite
            placard backup --keep 14 /backups --database sqlite:cards.sqlite

            The copy is complete in itself. To restore it, stop the server, run `placard restore FILE` and start the \
            server: devices notice and read their feeds afresh. The database is only read, of whatever version it is, \
            so that a backup before an update is one of the version before.

            With --keep it writes a copy into a folder, named after the database and the time, \
            which gets its name once \
            every page was checked and its contents counted. Then the oldest copies of the database beyond that number \
            are removed; other files stay. `placard doctor` says how old the newest copy is where the \
            setting `backups` \
            names the folder.

            The pictures of the media library are copied to a folder beside the copy, FILE.media; keep the two \
            together.

            The copy does not contain the key that second factors and the webhook's secret are encrypted with: keep \
            the key file too, in another place than the copies. Only your account can read the copy.
            """
    )

    @Argument(
        help: "Where the copy goes: a file that isn't there yet or, with --keep, a folder that is.",
        completion: .file()
    )
    var file: String

    @Option(help: ArgumentHelp("Writes into a folder, verifies, and keeps that many copies.", valueName: "number"))
    var keep: Int?

    @Flag(help: "Does nothing for PostgreSQL, and says so; for a timer that runs with either database.")
    var sqliteOnly = false

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    private static let advice =
        "PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=FILE URL while servers run, or "
        + "pg_basebackup with continuous archiving. Keep the secrets key beside the backups' place, not in it."

    func validate() throws {
        if let keep, !(1...10_000).contains(keep) { throw ValidationError("--keep is 1 to 10000.") }
    }

    func run() async throws {
        if sqliteOnly, case .postgres = try database.location() {
            if json { Console.write(["file": .null]) }
            return Console.note("Nothing is backed up here. \(Self.advice)")
        }
        try database.requireFile(Self.advice)
        if let keep { return try await rotate(keeping: keep) }
        let pictures = try await SQLiteCardStore.backUp(databaseAt: try database.existingPath(), to: file)
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        if json {
            Console.write([
                "file": .string(file), "bytes": .integer(Int64(size)), "contains_secrets_key": false,
                "media": pictures.files > 0 ? .string(SQLiteCardStore.mediaPath(of: file)) : .null,
                "media_files": .integer(Int64(pictures.files)),
                "missing_pictures": .integer(Int64(pictures.missing)),
                "pictures_in_bucket": .integer(Int64(pictures.inBucket)),
            ])
        } else {
            Console.write("Wrote \(file) (\(Quantity.text(size, "byte"))).")
            if pictures.files > 0 {
                let folder = SQLiteCardStore.mediaPath(of: file)
                let files = Quantity.text(pictures.files, "file")
                Console.write("Wrote the media library to \(folder) (\(files)). Keep it beside the copy.")
            }
            if pictures.missing > 0 {
                Console.note("\(Self.lost(pictures.missing)) `placard doctor` says more.")
            }
            noteBucket(pictures)
            Console.note("It does not contain the secrets key. Keep a copy of \(try keyName()) in another place.")
        }
    }

    /// Says which pictures the copy is without because a bucket has them.
    private func noteBucket(_ pictures: SQLiteCardStore.BackedUpPictures) {
        guard pictures.inBucket > 0 else { return }
        Console.note(
            "The files of \(pictures.inBucket) picture\(pictures.inBucket == 1 ? "" : "s") are in the bucket and "
                + "weren't copied. Keep versions of its objects, or copy it by the service's own tools."
        )
    }

    private func rotate(keeping kept: Int) async throws {
        let folder = BackupFolder(file, of: try database.existingPath())
        let made = try await folder.backUp(
            keeping: kept,
            at: { Date().timeIntervalSince1970 },
            onWait: { Console.note("Another backup is written to \(file). This one begins when that is done.") }
        )
        if json {
            let counts = made.contents.counts.map { ($0.name, JSONValue.integer($0.count)) }
            Console.write([
                "file": .string(made.path), "verified": .object(.init(counts, uniquingKeysWith: { $1 })),
                "flaws": .array(made.contents.flaws.map(JSONValue.string)),
                "removed": .array(made.removed.map(JSONValue.string)), "contains_secrets_key": false,
                "media_files": .integer(Int64(made.pictures.files)),
                "missing_pictures": .integer(Int64(made.pictures.missing)),
                "pictures_in_bucket": .integer(Int64(made.pictures.inBucket)),
            ])
        } else {
            let counts = made.contents.counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
            let done = made.contents.flaws.isEmpty ? "Wrote and verified" : "Wrote"
            Console.write("\(done) \(made.path): \(counts).")
            for path in made.removed { Console.write("Removed \(path).") }
            noteBucket(made.pictures)
            Console.note("It does not contain the secrets key. Keep a copy of \(try keyName()) in another place.")
        }
        guard made.contents.flaws.isEmpty else {
            throw CommandError(
                "The copy is as the database is, which isn't in order: \(made.contents.flaws.joined(separator: " ")) "
                    + "Older copies may be better, so none was removed. `placard doctor` says what helps."
            )
        }
        guard made.pictures.missing == 0 else {
            throw CommandError(
                "\(Self.lost(made.pictures.missing)) Older copies may have them, so none was removed. "
                    + "Copy the files from "
                    + "the folder FILE.media of one of them into the media library, "
                    + "or delete the pictures; `placard doctor` "
                    + "says more."
            )
        }
        guard made.left.isEmpty else {
            throw CommandError(
                "The new copy is good, but older ones couldn't be removed: "
                    + "\(made.left.joined(separator: ", ")). Check whose "
                    + "they are, and remove them."
            )
        }
    }

    /// Says how many pictures the media library has lost.
    private static func lost(_ pictures: Int) -> String {
        let count = pictures == 1 ? "1 picture" : "\(pictures) pictures"
        return "The media library lacks files of \(count), and so does the copy."
    }

    /// Returns the display name of the key.
    private func keyName() throws -> String {
        switch try database.secretsKey() {
        case .file(let path): path
        case .keyring: "PLACARD_SECRETS_KEY"
        case nil: SQLiteCardStore.secretsKeyPath(of: try database.location().path)
        }
    }
}
