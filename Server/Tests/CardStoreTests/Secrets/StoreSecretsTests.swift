import CardStore
import CardStoreConformance
import Foundation
import Testing

/// What a database remembers of its keys.
private final class Registry: SecretsRegistry {
    private(set) var key: [UInt8]?
    let isShared: Bool
    private let isSealed: Bool

    init(_ key: [UInt8]? = nil, isShared: Bool = false, isSealed: Bool = false) {
        (self.key, self.isShared, self.isSealed) = (key, isShared, isSealed)
    }

    func registeredKey() throws -> [UInt8]? { key }

    func register(_ key: SecretsKey) throws { self.key = key.id }

    func isAnySealed() throws -> Bool { isSealed }
}

@Suite("Secrets: which key is in use")
struct StoreSecretsTests {
    private let place = SealedColumn.value.place("a")

    // MARK: Opening

    @Test("A store that needs no keys registers none and creates no file")
    func optional() async throws {
        try await withFolder { folder in
            let registry = Registry()
            let secrets = try StoreSecrets(.file(path: folder + "/key"), isRequired: false)
            try secrets.prepare(registry)
            #expect(registry.key == nil && secrets.createdKey == nil && secrets.newestKeyID == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            await expectFailure(.locked) { try secrets.seal([1], for: place, in: registry) }
        }
    }

    @Test("The first key is created, registered and told of, once")
    func firstKey() async throws {
        try await withFolder { folder in
            let source = SecretsKeySource.file(path: folder + "/key")
            let registry = Registry()
            let secrets = try StoreSecrets(source, isRequired: true)
            try secrets.prepare(registry)
            let id = try #require(registry.key)
            #expect(secrets.createdKey?.key == SecretsKey.name(of: id) && secrets.createdKey?.replaced == nil)
            let again = try StoreSecrets(source, isRequired: true)
            try again.prepare(registry)
            #expect(again.createdKey == nil && registry.key == id)
            let sealed = try secrets.seal([1, 2], for: place, in: registry)
            #expect(try again.open(sealed, for: place) == [1, 2])
        }
    }

    @Test("A key that is gone is replaced only where nothing was encrypted with it and nobody else has it")
    func lostKey() async throws {
        let lost = SecretsKey.random()
        try await withFolder { folder in
            let source = SecretsKeySource.file(path: folder + "/key")
            for registry in [Registry(lost.id, isShared: true), Registry(lost.id, isSealed: true)] {
                let error = lockedError { try StoreSecrets(source, isRequired: true).prepare(registry) }
                #expect(error?.message.contains(lost.description) == true)
                #expect(error?.message.contains("key is missing") == true)
                #expect(registry.key == lost.id)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            }
            let registry = Registry(lost.id)
            let secrets = try StoreSecrets(source, isRequired: true)
            try secrets.prepare(registry)
            #expect(secrets.createdKey?.replaced == lost.description && registry.key == secrets.newestKeyID)
        }
    }

    @Test("Keys that are kept elsewhere are never created, and the first of them is used")
    func keyrings() async throws {
        let keys = [SecretsKey.random(), SecretsKey.random()]
        let registry = Registry()
        let secrets = try StoreSecrets(.keyring(SecretsKeyring(keys)), isRequired: true)
        try secrets.prepare(registry)
        #expect(registry.key == keys[0].id && secrets.createdKey == nil && !secrets.isInFile)
        let error = lockedError {
            try StoreSecrets(.keyring(SecretsKeyring()), isRequired: true).prepare(Registry())
        }
        #expect(error?.message.contains("another key was given") == true)
        await expectFailure(.notFound) { try secrets.prepareKey(after: keys[0].id) }
        #expect(try secrets.choose(.prepared, after: keys[0].id) == keys[0])
        #expect(try secrets.choose(.new, after: keys[1].id) == keys[0])
    }

    /// Expects that a body throws for a key that isn't there, and returns what it says.
    private func lockedError(_ body: () throws -> Void) -> StoreError? {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.code == .locked)
        return error
    }

    // MARK: Reading without a key

    @Test("Without its key a secret reads as random bytes, and isn't taken for the secret where that counts")
    func substitutes() async throws {
        let (key, other) = (SecretsKey.random(), SecretsKey.random())
        let sealed = try SealedSecret([1, 2, 3], for: place, with: key).bytes
        let lenient = try StoreSecrets(.keyring(SecretsKeyring([other])), isRequired: false)
        let (one, two) = (try lenient.open(sealed, for: place), try lenient.open(sealed, for: place))
        #expect(one.count == 32 && two.count == 32 && one != two)
        #expect(try !lenient.canOpen(sealed))
        await expectFailure(.locked) { try lenient.open(sealed, for: place, exactly: true) }
        let strict = try StoreSecrets(.keyring(SecretsKeyring([other])), isRequired: true)
        await expectFailure(.locked) { try strict.open(sealed, for: place) }
        // What was damaged is no secret without a key, but damage.
        await expectFailure(.corrupt) { try lenient.open([], for: place) }
        await expectFailure(.corrupt) { try lenient.canOpen([2] + sealed.dropFirst()) }
        let known = try StoreSecrets(.keyring(SecretsKeyring([other, key])), isRequired: false)
        #expect(try known.canOpen(sealed) && known.open(sealed, for: place, exactly: true) == [1, 2, 3])
        await expectFailure(.corrupt) { try known.open(sealed, for: SealedColumn.value.place("b")) }
    }

    // MARK: Another process

    @Test("A key that another process has put into the file since is found without opening the store again")
    func otherProcess() async throws {
        try await withFolder { folder in
            let source = SecretsKeySource.file(path: folder + "/key")
            let registry = Registry()
            let server = try StoreSecrets(source, isRequired: true)
            try server.prepare(registry)
            let old = try #require(registry.key)
            let command = try StoreSecrets(source, isRequired: true)
            let new = try command.bringForward()
            #expect(new.id != old && registry.key == old)
            // Before it is registered, what is encrypted is encrypted with the old one.
            let before = try server.seal([7], for: place, in: registry)
            #expect(try SealedSecret(stored: before).keyID == old)
            try registry.register(new)
            let after = try server.seal([8], for: place, in: registry)
            #expect(try SealedSecret(stored: after).keyID == new.id)
            try command.forgetKeys(olderThan: new.id)
            #expect(try command.open(after, for: place) == [8])
            #expect(try SecretsKeyFile(path: folder + "/key").read()?.keys == [new])
            // The server still has the old one in memory; whoever comes later doesn't.
            #expect(try server.open(before, for: place) == [7])
            await expectFailure(.locked) { try StoreSecrets(source, isRequired: true).open(before, for: place) }
        }
    }

    @Test("A key is prepared once, however often that is asked for, and chosen once it isn't in use yet")
    func prepared() async throws {
        try await withFolder { folder in
            let source = SecretsKeySource.file(path: folder + "/key")
            let registry = Registry()
            let secrets = try StoreSecrets(source, isRequired: true)
            try secrets.prepare(registry)
            let old = try #require(registry.key)
            await expectFailure(.notFound) { try secrets.choose(.prepared, after: old) }
            let new = try secrets.prepareKey(after: old)
            #expect(try secrets.prepareKey(after: old) == new)
            #expect(try StoreSecrets(source, isRequired: true).prepareKey(after: old) == new)
            #expect(try secrets.choose(.prepared, after: old) == new)
            try registry.register(new)
            await expectFailure(.notFound) { try secrets.choose(.prepared, after: new.id) }
            let third = try secrets.prepareKey(after: new.id)
            #expect(third != new)
            #expect(try SecretsKeyFile(path: folder + "/key").read()?.keys.map(\.id) == [third.id, new.id, old])
            try secrets.requireKept(new)
            try secrets.forgetKeys(olderThan: third.id)
            await expectFailure(.conflict) { try secrets.requireKept(new) }
        }
    }

    @Test("A file that is damaged while the store is open takes no key away that is known, and lets none be added")
    func damagedLater() async throws {
        try await withFolder { folder in
            let path = folder + "/key"
            let registry = Registry()
            let secrets = try StoreSecrets(.file(path: path), isRequired: true)
            try secrets.prepare(registry)
            let sealed = try secrets.seal([1], for: place, in: registry)
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
            #expect(secrets.key([1, 2, 3]) == nil)
            #expect(try secrets.open(sealed, for: place) == [1])
            await expectFailure(.locked) { try secrets.bringForward() }
            await expectFailure(.locked) { try secrets.prepareKey(after: registry.key) }
            #expect(FileManager.default.contents(atPath: path) == Data("nonsense".utf8))
            #expect(secrets.locked([0xAB]).message.contains("holds another key"))
        }
    }
}
