import CardStore
import Foundation
import GRDB

/// The state of a database file, found out without changing it.
enum DatabaseState: Sendable, Equatable {
    /// There is no file.
    case missing
    /// The file has no bytes.
    case empty
    /// Its schema is the present one.
    case current
    /// Steps are missing: those that were done, and those that weren't.
    case older(done: [String], pending: [String])

    /// Looks at a file.
    ///
    /// - Throws: `StoreError.incompatible` where it is another program's or of a newer version, `StoreError.corrupt`
    ///   where it is no database, `StoreError.unavailable` where this account can't read it.
    init(of files: DatabaseFiles) throws(StoreError) {
        try files.requireReadable()
        guard let size = DatabaseFiles.size(of: files.main) else {
            self = .missing
            return
        }
        var status = stat()
        guard stat(files.main, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "something else"
            throw StoreError(.incompatible, "\(files.main) is no file but \(what). Give the path of the database.")
        }
        guard size > 0 else {
            self = .empty
            return
        }
        do throws(StoreError) {
            self = try translatingErrors {
                try QuietReader(files).read { try $0.read(Self.init(reading:)) }
            }
        } catch {
            throw files.explained(error)
        }
    }

    /// Looks at a database that is open.
    init(reading database: Database) throws {
        try Schema.checkOwnership(of: database)
        let done = try Schema.migrator.appliedIdentifiers(database)
        let names = Schema.migrations.map { $0.identifier }
        let pending = names.filter { !done.contains($0) }
        let past = try Schema.replacedSteps(in: database) + names.filter(done.contains)
        self = pending.isEmpty ? .current : .older(done: past, pending: pending)
    }

    /// Throws unless the schema is the present one, saying what to do.
    func requireCurrent(_ files: DatabaseFiles) throws(StoreError) {
        switch self {
        case .current: return
        case .missing:
            throw StoreError(
                .incompatible,
                "There is no database at \(files.main). `placard migrate` creates one; "
                    + "`placard restore FILE` restores a "
                    + "backup."
            )
        case .empty:
            throw StoreError(
                .incompatible,
                "\(files.main) is empty. If a database was there, restore a backup with `placard restore FILE`; "
                    + "`placard migrate` creates a new one."
            )
        case .older(_, let pending):
            throw StoreError(
                .incompatible,
                "The database is of an older version: \(pending.count) "
                    + "migration\(pending.count == 1 ? " is" : "s are") "
                    + "missing, from \(pending.first ?? "") on. Run `placard migrate` (`placard "
                    + "migrate --dry-run` shows "
                    + "what it does); a server does the same when it starts."
            )
        }
    }
}
