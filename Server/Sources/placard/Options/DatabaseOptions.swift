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

    @Option(
        help: ArgumentHelp(
            "The key that secrets are encrypted with (default: the database's path and .key; see PLACARD_SECRETS_KEY).",
            valueName: "file"
        ),
        completion: .file()
    )
    var secretsKeyFile: String?

    @OptionGroup var configuration: ConfigurationOptions

    func location() throws -> DatabaseLocation {
        try configuration.values().value(of: .database, flag: database).map(DatabaseLocation.init) ?? .standard
    }

    /// Where the keys for the database's secrets come from, or `nil` for the file beside it.
    func secretsKey() throws -> SecretsKeySource? {
        let values = try configuration.values()
        if secretsKeyFile == nil, let key = values.value(of: .secretsKey) {
            guard let keyring = SecretsKeyring(text: key.text) else {
                throw CommandFailure(
                    "\(key.origin): 32 random bytes in base 64 are expected, as `openssl rand -base64 32` writes them."
                )
            }
            return .keyring(keyring)
        }
        return values.value(of: .secretsKeyFile, flag: secretsKeyFile).map { .file(path: $0.text) }
    }

    /// What a command does with a database that a server may be using.
    enum Access {
        /// It only reads, and leaves the file as it is.
        case reading
        /// It changes what is in it.
        case writing
    }

    /// Opens the database, which has to be there and of the present version: only `serve` and `migrate` migrate.
    ///
    /// Most commands work without the key for its secrets; `needsSecrets` is for those that don't.
    func openStore(for access: Access, needsSecrets: Bool = false) throws -> SQLiteCardStore {
        let path = try existingPath()
        var options = SQLiteCardStore.Options(migrate: false)
        options.isReadOnly = access == .reading
        options.secretsKey = try secretsKey()
        options.requiresSecretsKey = needsSecrets
        return try SQLiteCardStore(path: path, options: options)
    }

    /// The path of the database, which has to be there.
    func existingPath() throws -> String {
        let path = try location().path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "There is no database at \(path). Create it with `placard migrate`, or give --database."
            )
        }
        return path
    }

    /// Opens the database, lets `body` use it and closes it, whatever happens.
    func withStore<Result>(
        for access: Access,
        needsSecrets: Bool = false,
        _ body: (SQLiteCardStore) async throws -> Result
    ) async throws -> Result {
        let store = try openStore(for: access, needsSecrets: needsSecrets)
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
