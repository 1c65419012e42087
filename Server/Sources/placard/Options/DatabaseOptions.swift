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

    /// Opens the database, which has to be there.
    ///
    /// One of an older version is brought up to date where `migrates` says so. Most commands work without the key for
    /// its secrets; `needsSecrets` is for those that don't.
    func openStore(migrates: Bool = true, needsSecrets: Bool = false) throws -> SQLiteCardStore {
        let path = try location().path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("There is no database at \(path). Make it with `placard migrate`, or give --database.")
        }
        var options = SQLiteCardStore.Options(migrate: migrates)
        options.secretsKey = try secretsKey()
        options.requiresSecretsKey = needsSecrets
        return try SQLiteCardStore(path: path, options: options)
    }

    /// Opens the database, lets `body` use it and closes it, whatever happens.
    func withStore<Result>(
        needsSecrets: Bool = false,
        _ body: (SQLiteCardStore) async throws -> Result
    ) async throws -> Result {
        let store = try openStore(needsSecrets: needsSecrets)
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
