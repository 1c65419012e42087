import CardModel
import CardServer
import CardStore
import Foundation
import Synchronization
import WireJSON
import WorkspaceFiles

/// The demo's two keys, made once and kept in a file that only its owner can read.
final class DemoKeys: Sendable {
    /// The secrets of both.
    struct Secrets: Sendable {
        let publishable: String
        let secret: String
    }

    private struct SavedKey {
        let id: String
        let secret: String
    }

    private let file: URL
    private let found = Mutex<Secrets?>(nil)

    init(file: URL) { self.file = file }

    /// The secrets, once ``prepare(in:)`` is done.
    var secrets: Secrets? { found.withLock { $0 } }

    /// Reads the keys, and makes those that are missing or do not work in this database.
    func prepare(in store: any CardStore) async throws {
        let working = Set(try await store.apiKeys().filter { $0.revokedAt == nil }.map(\.id))
        let kept = read()
        let publishable = try await key(.publishable, kept, working, store)
        let secret = try await key(.secret, kept, working, store)
        try write([.publishable: publishable, .secret: secret])
        found.withLock { $0 = Secrets(publishable: publishable.secret, secret: secret.secret) }
    }

    private func key(
        _ kind: APIKey.KeyKind,
        _ kept: [APIKey.KeyKind: SavedKey],
        _ working: Set<String>,
        _ store: any CardStore
    ) async throws -> SavedKey {
        if let key = kept[kind], working.contains(key.id) { return key }
        let fresh = KeySecret(
            name: "Demo, \(kind.rawValue)",
            kind: kind,
            permissions: [.manage],
            createdAt: Date().timeIntervalSince1970
        )
        try await store.insertKey(fresh.key, by: .command)
        return SavedKey(id: fresh.key.id, secret: fresh.text)
    }

    private func read() -> [APIKey.KeyKind: SavedKey] {
        guard let data = FileManager.default.contents(atPath: file.path), let json = try? JSONValue(parsing: data)
        else {
            return [:]
        }
        var keys: [APIKey.KeyKind: SavedKey] = [:]
        for kind in APIKey.KeyKind.allCases {
            guard let id = json[kind.rawValue]?["id"]?.string, let secret = json[kind.rawValue]?["secret"]?.string
            else {
                continue
            }
            keys[kind] = SavedKey(id: id, secret: secret)
        }
        return keys
    }

    private func write(_ keys: [APIKey.KeyKind: SavedKey]) throws {
        var json: JSONValue = [:]
        for kind in APIKey.KeyKind.allCases {
            guard let key = keys[kind], case .object(var members) = json else { continue }
            members[kind.rawValue] = ["id": .string(key.id), "secret": .string(key.secret)]
            json = .object(members)
        }
        let isWritten = FileManager.default.createFile(
            atPath: file.path,
            contents: Data(json.prettyText.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else {
            throw CommandError("\(file.path) cannot be written. Give another place by --directory.")
        }
    }
}
