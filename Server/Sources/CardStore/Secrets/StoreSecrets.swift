import Foundation
import Synchronization

/// Encrypts and decrypts the secrets of a database: second factors, and what webhooks are signed with.
///
/// The database remembers the id of the key in use. Another process may rotate the key at any time, so a key that isn't
/// known is looked for in the key's source once more.
package final class StoreSecrets: Sendable {
    /// The number of random bytes that stand for a secret that can't be decrypted.
    private static let substituteCount = 32

    private let source: SecretsKeySource
    /// Whether the store is of no use without the keys.
    package let isRequired: Bool
    private let loaded: Mutex<SecretsKeyring>
    private let created = Mutex<CreatedSecretsKey?>(nil)

    /// Loads the keys.
    ///
    /// - Parameters:
    ///   - source: Where they are.
    ///   - isRequired: Whether the store is of no use without them. Otherwise a secret that can't be decrypted reads as
    ///     random bytes: it is there, and fits nothing.
    /// - Throws: `StoreError.locked` where the keys can't be read.
    package init(_ source: SecretsKeySource, isRequired: Bool) throws(StoreError) {
        self.source = source
        self.isRequired = isRequired
        do {
            loaded = Mutex(try Self.load(source))
        } catch {
            if isRequired { throw error }
            loaded = Mutex(SecretsKeyring())
        }
    }

    /// Says why the keys can't be read, or returns `nil` where they can, or there are none.
    package static func problem(_ source: SecretsKeySource) -> StoreError? {
        do throws(StoreError) {
            _ = try load(source)
            return nil
        } catch {
            return error
        }
    }

    private static func load(_ source: SecretsKeySource) throws(StoreError) -> SecretsKeyring {
        switch source {
        case .file(let path): try SecretsKeyFile(path: path).read() ?? SecretsKeyring()
        case .keyring(let keyring): keyring
        }
    }

    // MARK: Opening a store

    /// Sees to it that the key in use is there, where it is required.
    ///
    /// - Parameter registry: The database, within a transaction that writes.
    /// - Throws: `StoreError.locked` where secrets are encrypted with a key that isn't there.
    package func prepare(_ registry: some SecretsRegistry) throws {
        guard isRequired else { return }
        try register(in: registry)
    }

    private func register(in registry: some SecretsRegistry) throws {
        let registered = try registry.registeredKey()
        if let registered, key(registered) != nil { return }
        if let registered, try registry.isShared || registry.isAnySealed() { throw Self.locked(source, registered) }
        // Nothing would be lost, and no other process locked out, so that a new key may take over.
        if loaded.withLock({ $0.keys.isEmpty }), case .file(let path) = source {
            let keyring = try SecretsKeyFile(path: path).create()
            loaded.withLock { $0 = keyring }
            if let key = keyring.keys.first {
                let replaced = registered.map { SecretsKey.name(of: $0) }
                created.withLock { $0 = CreatedSecretsKey(file: path, key: key.description, replaced: replaced) }
            }
        }
        guard let key = loaded.withLock({ $0.keys.first }) else { throw Self.locked(source, registered ?? []) }
        try registry.register(key)
    }

    /// The key that was created because there was none, or `nil` where there was one.
    package var createdKey: CreatedSecretsKey? { created.withLock { $0 } }

    // MARK: Sealing and opening

    /// Encrypts a secret with the key in use.
    package func seal(
        _ secret: [UInt8],
        for place: SecretPlace,
        in registry: some SecretsRegistry
    ) throws -> [UInt8] {
        let registered = try registry.registeredKey() ?? []
        guard let key = key(registered) else { throw Self.locked(source, registered) }
        return try SealedSecret(secret, for: place, with: key).bytes
    }

    /// Decrypts a secret.
    ///
    /// - Parameters:
    ///   - stored: What the row holds.
    ///   - place: The row.
    ///   - isExact: Whether random bytes won't do, even where the key isn't required.
    /// - Returns: The secret.
    /// - Throws: `StoreError.locked` without its key, `StoreError.corrupt` where it was changed.
    package func open(
        _ stored: [UInt8],
        for place: SecretPlace,
        exactly isExact: Bool = false
    ) throws(StoreError) -> [UInt8] {
        let sealed = try SealedSecret(stored: stored)
        if let key = key(sealed.keyID) { return try sealed.open(for: place, with: key) }
        if isRequired || isExact { throw Self.locked(source, sealed.keyID) }
        return (0..<Self.substituteCount).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// Returns whether the key of a secret is here, so that decrypting it gives the secret.
    package func canOpen(_ stored: [UInt8]) throws(StoreError) -> Bool {
        key(try SealedSecret(stored: stored).keyID) != nil
    }

    /// A key by its id, also one that another process has put there since.
    package func key(_ id: [UInt8]) -> SecretsKey? {
        if let known = loaded.withLock({ $0.key(id) }) { return known }
        guard let keyring = try? Self.load(source) else { return nil }
        loaded.withLock { $0 = keyring }
        return keyring.key(id)
    }

    // MARK: Changing the key

    /// Puts a new key in front in the file, unless one is there that isn't in use yet.
    ///
    /// - Parameter registered: The id of the key in use.
    /// - Returns: The key that is in front then.
    /// - Throws: `StoreError.notFound` where keys are kept elsewhere.
    package func prepareKey(after registered: [UInt8]?) throws(StoreError) -> SecretsKey {
        guard case .file(let path) = source else {
            throw StoreError(
                .notFound,
                "The keys aren't in a file. Put the new one in front, as NEW,OLD, in PLACARD_SECRETS_KEY of every node."
            )
        }
        let file = SecretsKeyFile(path: path)
        return try file.exclusively { () throws(StoreError) in
            if let registered, let first = try file.read()?.keys.first, first.id != registered { return first }
            return try addKey(to: file)
        }
    }

    /// Returns the key that secrets are encrypted with from now on, before they are.
    package func choose(_ choice: SecretsKeyChoice, after registered: [UInt8]?) throws(StoreError) -> SecretsKey {
        guard choice == .prepared, case .file(let path) = source else { return try bringForward() }
        guard let keyring = try SecretsKeyFile(path: path).read(), let key = keyring.keys.first, key.id != registered
        else {
            throw StoreError(
                .notFound,
                "\(path) has no key that isn't in use yet. Run `placard secrets prepare` first."
            )
        }
        loaded.withLock { $0 = keyring }
        return key
    }

    /// Puts a new key in front in the file, before anything is encrypted with it; of keys that are kept elsewhere, the
    /// first is in front already.
    package func bringForward() throws(StoreError) -> SecretsKey {
        switch source {
        case .file(let path):
            let file = SecretsKeyFile(path: path)
            return try file.exclusively { () throws(StoreError) in try addKey(to: file) }
        case .keyring(let keyring):
            guard let key = keyring.keys.first else { throw Self.locked(source, []) }
            return key
        }
    }

    private func addKey(to file: SecretsKeyFile) throws(StoreError) -> SecretsKey {
        let key = SecretsKey.random()
        let keyring = (try file.read() ?? SecretsKeyring()).adding(key)
        try file.replace(with: keyring)
        loaded.withLock { $0 = keyring }
        return key
    }

    /// Looks whether a key is where it is kept, before anything is encrypted with it.
    ///
    /// - Throws: `StoreError.conflict` where another command has taken it out of the file.
    package func requireKept(_ key: SecretsKey) throws(StoreError) {
        guard try Self.load(source).keys.contains(key) else {
            throw StoreError(.conflict, "Another command changed the keys at the same time. Try again.")
        }
    }

    /// Takes the keys that are older than the one in use out of the file.
    ///
    /// One in front of it stays: another process may be about to encrypt with it. Where the key in use isn't in the
    /// file, all stay.
    ///
    /// - Parameter registered: The id of the key in use, read in a transaction that keeps others from registering one.
    /// - Throws: What keeps the file from being read or written.
    package func forgetKeys(olderThan registered: [UInt8]) throws(StoreError) {
        guard case .file(let path) = source else { return }
        let file = SecretsKeyFile(path: path)
        try file.exclusively { () throws(StoreError) -> Void in
            let keys = try file.read()?.keys ?? []
            guard let place = keys.firstIndex(where: { $0.id == registered }) else { return }
            let keyring = SecretsKeyring(Array(keys[...place]))
            try file.replace(with: keyring)
            loaded.withLock { $0 = keyring }
        }
    }

    /// Whether the keys are in a file, into which a new one can be written.
    package var isInFile: Bool { if case .file = source { true } else { false } }

    /// The id of the key that would be used next, or `nil` where there is none.
    package var newestKeyID: [UInt8]? { loaded.withLock { $0.keys.first?.id } }

    /// Returns the error where a key is needed that isn't there.
    package func locked(_ id: [UInt8]) -> StoreError { Self.locked(source, id) }

    private static func locked(_ source: SecretsKeySource, _ id: [UInt8]) -> StoreError {
        let place =
            switch source {
            case .file(let path) where access(path, F_OK) != 0: "the file \(path) is missing"
            case .file(let path): "the file \(path) holds another key"
            case .keyring: "another key was given"
            }
        return StoreError(
            .locked,
            "The secrets in this database belong to the key \(SecretsKey.name(of: id)), but \(place). "
                + "Restore the key, or name it with --secrets-key-file or PLACARD_SECRETS_KEY; where several nodes "
                + "share the database, copy it from a node that has it. If it is lost everywhere, "
                + "`placard secrets reset` removes second factors and replaces the webhook's secret."
        )
    }
}
