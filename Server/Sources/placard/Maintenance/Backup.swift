import ArgumentParser
import Foundation
import SQLiteCardStore
import WireJSON

/// The command `placard backup`.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Backs up the database while it is in use.",
        discussion: """
            placard backup cards-2027-01-31.sqlite --database sqlite:cards.sqlite

            The copy is complete in itself. To restore it, stop the server, run `placard restore FILE` and start the \
            server: devices notice and read their feeds afresh. The database is only read, of whatever version it is, \
            so that a backup before an update is one of the version before.

            The pictures of the media library are copied to a folder beside the copy, FILE.media; keep the two \
            together.

            The copy does not contain the key that second factors and the webhook's secret are encrypted with: keep \
            the key file too, in another place than the copies. Only your account can read the copy.
            """
    )

    @Argument(help: "Where the copy goes. There must be no such file yet.", completion: .file())
    var file: String

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        try database.requireFile(
            "PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=FILE URL while servers run, or "
                + "pg_basebackup with continuous archiving. Keep the secrets key beside the backups' place, not in it."
        )
        try await SQLiteCardStore.backUp(databaseAt: try database.existingPath(), to: file)
        let pictures = try await SQLiteCardStore.copyMedia(from: try database.existingPath(), to: file)
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        if json {
            Console.write([
                "file": .string(file), "bytes": .integer(Int64(size)), "contains_secrets_key": false,
                "media": pictures > 0 ? .string(SQLiteCardStore.mediaPath(of: file)) : .null,
                "media_files": .integer(Int64(pictures)),
            ])
        } else {
            Console.write("Wrote \(file) (\(size) bytes).")
            if pictures > 0 {
                let folder = SQLiteCardStore.mediaPath(of: file)
                Console.write("Wrote the media library to \(folder) (\(pictures) files). Keep it beside the copy.")
            }
            Console.note("It does not contain the secrets key. Keep a copy of \(try keyName()) in another place.")
        }
    }

    /// What people call the key.
    private func keyName() throws -> String {
        switch try database.secretsKey() {
        case .file(let path): path
        case .keyring: "PLACARD_SECRETS_KEY"
        case nil: SQLiteCardStore.secretsKeyPath(of: try database.location().path)
        }
    }
}
