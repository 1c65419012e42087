import CardStore
import CardStoreConformance
import Foundation
import Testing

@Suite("Secrets: the file with the keys")
struct SecretsKeyFileTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("A file is created once, for its owner alone, and who comes later gets the keys that are in it")
    func creation() async throws {
        try await withFolder { folder in
            let file = SecretsKeyFile(path: folder + "/key")
            #expect(try file.read() == nil)
            let keyring = try file.create()
            #expect(keyring.keys.count == 1 && mode(file.path) == 0o600)
            #expect(try file.create() == keyring && file.read() == keyring)
            #expect(try names(folder) == ["key"])
        }
    }

    @Test("Of many that create it at the same time, all get the same key")
    func race() async throws {
        try await withFolder { folder in
            let found = try await withThrowingTaskGroup(of: SecretsKeyring.self) { group in
                for _ in 0..<16 { group.addTask { try SecretsKeyFile(path: folder + "/key").create() } }
                return try await group.reduce(into: Set<SecretsKeyring>()) { $0.insert($1) }
            }
            #expect(found.count == 1 && found.first?.keys.count == 1)
            #expect(try names(folder) == ["key"])
        }
    }

    @Test("Of many that add a key at the same time, none takes another's away")
    func additions() async throws {
        try await withFolder { folder in
            let first = try #require(try SecretsKeyFile(path: folder + "/key").create().keys.first)
            let added = (0..<12).map { _ in SecretsKey.random() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in added {
                    group.addTask {
                        let file = SecretsKeyFile(path: folder + "/key")
                        try file.exclusively { () throws(StoreError) in
                            try file.replace(with: (try file.read() ?? SecretsKeyring()).adding(key))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let keys = try #require(try SecretsKeyFile(path: folder + "/key").read()).keys
            #expect(Set(keys) == Set(added + [first]) && keys.count == 13 && keys.last == first)
            #expect(try names(folder) == ["key"] && mode(folder + "/key") == 0o600)
        }
    }

    @Test("What is no key file is refused, says which it is, and is left as it is")
    func damaged() async throws {
        try await withFolder { folder in
            let file = SecretsKeyFile(path: folder + "/key")
            let key = SecretsKey.random().text
            let contents: [[UInt8]] = [
                [], [0], Array("\n".utf8), Array(key.utf8.dropLast(2)), Array("\(key)\n\(key.dropLast(2))".utf8),
                [0xFF, 0xFE] + Array(key.utf8), Array(key.utf8) + [0], Array("# \(key)".utf8),
            ]
            for bytes in contents {
                try Data(bytes).write(to: URL(fileURLWithPath: file.path))
                await expectFailure(.locked) { try file.read() }
                await expectFailure(.locked) { try file.create() }
                #expect(StoreSecrets.problem(.file(path: file.path))?.message.contains(file.path) == true)
                await expectFailure(.locked) { try StoreSecrets(.file(path: file.path), isRequired: true) }
                #expect(try StoreSecrets(.file(path: file.path), isRequired: false).newestKeyID == nil)
                #expect(FileManager.default.contents(atPath: file.path) == Data(bytes))
            }
        }
    }

    @Test("A folder in its place is no key file, and in a folder that isn't there none is created")
    func places() async throws {
        try await withFolder { folder in
            await expectFailure(.locked) { try SecretsKeyFile(path: folder).read() }
            let file = SecretsKeyFile(path: folder + "/missing/key")
            #expect(try file.read() == nil && StoreSecrets.problem(.file(path: file.path)) == nil)
            await expectFailure(.unavailable) { try file.create() }
            await expectFailure(.unavailable) { try file.replace(with: SecretsKeyring([.random()])) }
            #expect(try names(folder).isEmpty)
            // A key that can't be locked for is still written by nobody but its caller.
            let value = try file.exclusively { () throws(StoreError) in 7 }
            #expect(value == 7)
        }
    }

    // MARK: Private files

    @Test(
        "A file is exposed where any other account may do anything with it, and no longer once that has ended",
        arguments: [(0o600, false), (0o400, false), (0o640, true), (0o602, true), (0o601, true), (0o644, true)]
            as [(mode_t, Bool)]
    )
    func exposure(mode: mode_t, isExposed: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            #expect(PrivateFile.createEmpty(path) && chmod(path, mode) == 0)
            #expect(PrivateFile.isExposed(path) == isExposed)
            // A link counts as what it leads to, and changes nothing there.
            #expect(symlink(path, folder + "/link") == 0)
            #expect(PrivateFile.isExposed(folder + "/link") == isExposed)
            #expect(PrivateFile.tighten(folder + "/link") == (isExposed ? .remains : .none))
            #expect(self.mode(path) == mode)
            #expect(PrivateFile.tighten(path) == (isExposed ? .ended : .none))
            #expect(self.mode(path) == (isExposed ? 0o600 : mode) && !PrivateFile.isExposed(path))
        }
    }

    @Test("What isn't there, a folder and a link to nowhere are not exposed")
    func notExposed() async throws {
        try await withFolder { folder in
            #expect(chmod(folder, 0o777) == 0 && symlink("/nowhere/x", folder + "/link") == 0)
            for path in [folder, folder + "/link", folder + "/none"] {
                #expect(!PrivateFile.isExposed(path) && PrivateFile.tighten(path) == .none)
            }
            #expect(mode(folder) == 0o777)
        }
    }

    @Test("A file that is there is neither emptied nor written over, and one that is replaced is it as a whole")
    func contents() async throws {
        try await withFolder { folder in
            let path = folder + "/file"
            #expect(try PrivateFile.create(path, contents: [1, 2, 3]))
            #expect(try !PrivateFile.create(path, contents: [4]) && !PrivateFile.createEmpty(path))
            #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
            #expect(chmod(path, 0o644) == 0)
            try PrivateFile.replace(path, contents: [])
            #expect(FileManager.default.contents(atPath: path) == Data() && mode(path) == 0o600)
            #expect(try names(folder) == ["file"])
            #expect(PrivateFile.synchronize(path) && PrivateFile.synchronize(folder))
            #expect(!PrivateFile.synchronize(folder + "/none"))
        }
    }

    @Test("A folder is replaced by no file, and nothing is left of the attempt")
    func folders() async throws {
        try await withFolder { folder in
            let path = folder + "/taken"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(try !PrivateFile.create(path, contents: [1]))
            await expectFailure(.unavailable) { try PrivateFile.replace(path, contents: [1]) }
            #expect(try names(folder) == ["taken"])
        }
    }
}
