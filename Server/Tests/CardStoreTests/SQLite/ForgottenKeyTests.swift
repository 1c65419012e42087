import CardModel
import CardStore
import CardStoreConformance
import Dispatch
import Foundation
import SQLiteCardStore
import Synchronization
import Testing

@Suite("SQLite: old keys for secrets that are taken out of their file")
struct ForgottenKeyTests {
    private static let seed = Array("JBSWY3DPEHPK3PXP-123".utf8)

    @Test("A key that another process puts in front at the same time stays in the file")
    func besideNewKey() async throws {
        try await withFolder { folder in
            let file = SecretsKeyFile(path: folder + "/placard.key")
            let first = try StoreSecrets(.file(path: file.path), isRequired: false)
            let second = try StoreSecrets(.file(path: file.path), isRequired: false)
            for _ in 0..<50 {
                let used = try first.bringForward()
                let added = Mutex<SecretsKey?>(nil)
                DispatchQueue.concurrentPerform(iterations: 2) { turn in
                    if turn == 0 {
                        try? first.forgetKeys(olderThan: used.id)
                    } else {
                        let key = try? second.bringForward()
                        added.withLock { $0 = key }
                    }
                }
                let key = added.withLock { $0 }
                #expect(key != nil)
                #expect(try file.read()?.keys == [key, used].compactMap(\.self))
            }
        }
    }

    @Test("Nothing is taken out of a file that lacks the key in use")
    func unknownKey() async throws {
        try await withFolder { folder in
            let file = SecretsKeyFile(path: folder + "/placard.key")
            let secrets = try StoreSecrets(.file(path: file.path), isRequired: false)
            let old = try secrets.bringForward()
            let new = try secrets.bringForward()
            try secrets.forgetKeys(olderThan: SecretsKey.random().id)
            try secrets.forgetKeys(olderThan: [])
            #expect(try file.read()?.keys == [new, old])
        }
    }

    @Test("Two rotations at once that take old keys away keep the key that secrets are encrypted with")
    func twoRotations() async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let first = try SQLiteCardStore(path: path)
            let second = try SQLiteCardStore(path: path)
            var member = TeamMember(email: "ann@example.com", role: .admin, passwordHash: "scrypt$1", createdAt: noon)
            member.codeSecret = Self.seed
            try await first.insertMember(member, by: command)
            for _ in 0..<20 {
                let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for store in [first, second] {
                        group.addTask {
                            do {
                                _ = try await store.rotateSecretsKey(
                                    to: .new,
                                    forgettingOldKeys: true,
                                    at: noon,
                                    by: command
                                )
                                return true
                            } catch let error as StoreError where error.code == .conflict {
                                // The other one has taken its key away before it was in use.
                                return false
                            }
                        }
                    }
                    return try await group.reduce(into: 0) { count, isDone in count += isDone ? 1 : 0 }
                }
                #expect(done > 0)
                // As a server that starts reads it, with what the file has by now.
                let next = try SQLiteCardStore(path: path)
                #expect(try await next.member("ann@example.com")?.codeSecret == Self.seed)
                try await next.close()
            }
            try await first.close()
            try await second.close()
        }
    }
}
