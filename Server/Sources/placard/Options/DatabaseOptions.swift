import ArgumentParser
import CardStore
import CommandSettings
import Foundation
import SQLiteCardStore

/// Which database, for commands that work on it directly.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The database (default: sqlite:placard.sqlite).", valueName: "sqlite:path")
    )
    var database: String?

    @OptionGroup var configuration: ConfigurationOptions

    func location() throws -> DatabaseLocation {
        try configuration.values().value(of: .database, flag: database).map(DatabaseLocation.init) ?? .standard
    }

    /// Opens the database, which has to be there.
    ///
    /// One of an older version is brought up to date where `migrates` says so.
    func openStore(migrates: Bool = true) throws -> SQLiteCardStore {
        let path = try location().path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("There is no database at \(path). Make it with `placard migrate`, or give --database.")
        }
        return try SQLiteCardStore(path: path, options: SQLiteCardStore.Options(migrate: migrates))
    }

    /// Opens the database, lets `body` use it and closes it, whatever happens.
    func withStore<Result>(_ body: (SQLiteCardStore) async throws -> Result) async throws -> Result {
        let store = try openStore()
        do {
            let result = try await body(store)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }
}
