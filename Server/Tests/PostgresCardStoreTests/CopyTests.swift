import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresCardStore
import PostgresTesting
import SQLiteCardStore
import Synchronization
import Testing

@Suite("Copies between SQLite and PostgreSQL", .timeLimit(.minutes(20)))
struct CopyTests {
    /// Copies what is the first to have a row in some table; with `PLACARD_COPY_ALL` in the environment, what every
    /// check leaves, which takes minutes.
    @Test("What checks of the conformance suite leave is the same after a copy to PostgreSQL and back")
    func everything() async throws {
        let stores = CopiedStores()
        let folder = TemporaryFolder()
        // Nothing is written to `sealed_values` yet.
        let all = Set(try SQLiteTransfer.target(path: folder.path("empty.sqlite")).tables().map(\.name))
            .subtracting(["sealed_values"])
        for check in ConformanceCheck.all(for: stores)
        where CopiedStores.copiesAll || stores.filled.withLock({ !$0.isSuperset(of: all) }) {
            stores.check.withLock { $0 = check.testDescription }
            try await check.run(with: stores)
        }
        // Nobody would notice a table that is copied wrongly, or not at all, if it never had a row.
        #expect(all.subtracting(stores.filled.withLock { $0 }) == [])
    }

    @Test("A copy answers everything as its source does, and goes on where that was", arguments: [31, 32] as [UInt64])
    func answers(seed: UInt64) async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let path = folder.path("source.sqlite")
            let source = try openFile(path)
            await StoreFilling.fill(source, seed: seed, count: 120)
            let page = try await source.eventPage(after: 0, EventFilter(), limit: 1_000)
            try await source.close()
            _ = try copy(.file(path), to: .server(url))
            let (original, copied) = (try openFile(path), try await PostgresPlace(url: url).open(StoreOpeningOptions()))
            #expect(await StoreFilling.differences(copied, original) == [])
            #expect(try await StoreAgreement.differences(of: copied, from: original) == [])
            #expect(try await copied.eventPage(after: 0, EventFilter(), limit: 1_000).events == page.events)
            // A device must not take what the copy answers for what the source has answered.
            #expect(copied.epoch != original.epoch)
            // What is written next goes on both ways, and is given no number twice.
            await StoreFilling.fill(original, seed: seed + 100, count: 60)
            await StoreFilling.fill(copied, seed: seed + 100, count: 60)
            #expect(await StoreFilling.differences(copied, original) == [])
            try await original.close()
            try await copied.close()
        }
    }

    @Test("A copy that ends anywhere is continued, and copies nothing twice", arguments: [1, 3, 20, 45, 70])
    func resumed(batches: Int) async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let path = folder.path("source.sqlite")
            let source = try openFile(path)
            await StoreFilling.fill(source, seed: 41, count: 120)
            try await source.close()
            let file = Place.file(folder.path("back.sqlite"))
            for (from, to) in [(Place.file(path), Place.server(url)), (.server(url), file)] {
                #expect(throws: Stop.self) { _ = try copy(from, to: to, stoppingAfter: batches) }
                // No server takes it for a whole database.
                await #expect(throws: UnfinishedCopy.refusal) { try await to.open().close() }
                let summary = try copy(from, to: to)
                #expect(summary.isResumed)
            }
            let (original, back) = (try openFile(path), try openFile(folder.path("back.sqlite")))
            #expect(await StoreFilling.differences(back, original) == [])
            try await original.close()
            try await back.close()
        }
    }

    @Test("A copy is not continued from a source that was changed, or is another one")
    func changedSource() async throws {
        let folder = TemporaryFolder()
        let (path, target) = (folder.path("source.sqlite"), folder.path("target.sqlite"))
        let source = try openFile(path)
        await StoreFilling.fill(source, seed: 51, count: 60)
        try await source.close()
        #expect(throws: Stop.self) { _ = try copy(.file(path), to: .file(target), stoppingAfter: 10) }
        let again = try openFile(path)
        try await again.recordDevice(DeviceContext(), of: UserID(rawValue: "new"), at: testTime)
        try await again.close()
        let error = #expect(throws: StoreError.self) { _ = try copy(.file(path), to: .file(target)) }
        #expect(error?.code == .conflict)
    }

    @Test("A copy is not continued where a member was changed that it has, whether the audit log says so or not")
    func changedMember() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let path = folder.path("source.sqlite")
            let source = try openFile(path)
            await StoreFilling.fill(source, seed: 55, count: 60)
            let ann = TeamMember(email: "ann@example.com", role: .admin, passwordHash: "old", createdAt: testTime)
            try await source.insertMember(ann, by: .command)
            try await source.close()
            _ = try copy(.file(path), to: .server(url))
            for (place, name) in [(Place.file(path), "file"), (.server(url), "server")] {
                try await expectConflict(of: place, with: .file(folder.path("\(name)-1.sqlite"))) { store in
                    var member = try #require(try await store.member(ann.email))
                    member.passwordHash = "new"
                    try await store.updateMember(
                        member,
                        action: "member.password",
                        keeping: nil,
                        at: testTime,
                        by: .command
                    )
                }
                try await expectConflict(of: place, with: .file(folder.path("\(name)-2.sqlite"))) { store in
                    let hash = [UInt8](repeating: 7, count: 32)
                    try await store.setPasswordLink(hash, until: testTime + 60, of: ann.email, isRequested: false)
                }
            }
        }
    }

    /// Changes a source of which all rows have been copied, and expects that the copy isn't continued.
    private func expectConflict(
        of source: Place,
        with target: Place,
        after change: (any CardStore) async throws -> Void
    ) async throws {
        #expect(throws: Stop.self) {
            _ = try StoreTransfer(from: source.source(), to: target.target(), batchRows: 7).run { progress in
                if progress.done >= progress.total / 2 { throw Stop() }
            }
        }
        let store = try await source.open()
        try await change(store)
        try await store.close()
        let error = #expect(throws: StoreError.self) { _ = try copy(source, to: target) }
        #expect(error?.code == .conflict)
        #expect(error?.message.hasPrefix("The target is an unfinished copy") == true)
    }

    @Test("A target that isn't empty, or is another program's, is refused and left as it is")
    func foreignTarget() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("source.sqlite")
        let source = try openFile(path)
        await StoreFilling.fill(source, seed: 61, count: 30)
        try await source.close()
        try await PostgresCluster.shared().withDatabase { url in
            _ = try copy(.file(path), to: .server(url))
            let error = #expect(throws: StoreError.self) { _ = try copy(.file(path), to: .server(url)) }
            #expect(error?.code == .exists)
            let store = try await PostgresPlace(url: url).open(StoreOpeningOptions())
            try await store.close()
        }
        let other = folder.path("other.sqlite")
        _ = try copy(.file(path), to: .file(other))
        #expect(throws: StoreError.self) { _ = try copy(.file(path), to: .file(other)) }
        let text = folder.path("notes.txt")
        try Data("These are notes.".utf8).write(to: URL(filePath: text))
        #expect(throws: StoreError.self) { _ = try copy(.file(path), to: .file(text)) }
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "These are notes.")
    }

    @Test("A source or target that a server uses is refused, and no server starts on a source that is copied")
    func servedDatabases() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let path = folder.path("source.sqlite")
            let file = try openFile(path)
            let busyFile = #expect(throws: StoreError.self) { _ = try copy(.file(path), to: .server(url)) }
            #expect(busyFile?.code == .conflict)
            try await file.close()
            let node = try await PostgresPlace(url: url).open(StoreOpeningOptions())
            for place in [(Place.file(path), Place.server(url)), (.server(url), .file(folder.path("x.sqlite")))] {
                let busy = #expect(throws: StoreError.self) { _ = try copy(place.0, to: place.1) }
                #expect(busy?.code == .conflict)
            }
            try await node.close()
            let source = try SQLiteTransfer.source(path: path)
            #expect(throws: StoreError.self) { _ = try openFile(path) }
            withExtendedLifetime(source) {}
        }
    }

    @Test("Sums over the slots of several nodes are one count in a copy")
    func slots() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let nodes = [
                try await PostgresPlace(url: url).open(StoreOpeningOptions()),
                try await PostgresPlace(url: url).open(StoreOpeningOptions()),
            ]
            for (place, node) in nodes.enumerated() {
                await StoreFilling.fill(node, seed: 71 + UInt64(place), count: 80)
            }
            for node in nodes { try await node.close() }
            _ = try copy(.server(url), to: .file(folder.path("copy.sqlite")))
            let original = try await PostgresPlace(url: url).open(StoreOpeningOptions())
            let copied = try openFile(folder.path("copy.sqlite"))
            #expect(await StoreFilling.differences(copied, original) == [])
            #expect(copied.epoch != original.epoch)
            #expect(copied.userEpoch(of: testUser) != original.userEpoch(of: testUser))
            // What is written next goes on in the file as it does on the server.
            await StoreFilling.fill(original, seed: 171, count: 60)
            await StoreFilling.fill(copied, seed: 171, count: 60)
            #expect(await StoreFilling.differences(copied, original) == [])
            try await original.close()
            try await copied.close()
        }
    }
}

/// Ends a copy in the middle.
private struct Stop: Error {}

/// A database of a test.
private enum Place {
    case file(String)
    case server(String)

    func open() async throws -> any CardStore {
        switch self {
        case .file(let path): try openFile(path)
        case .server(let url): try await PostgresPlace(url: url).open(StoreOpeningOptions())
        }
    }

    func source() throws -> any TransferSource {
        switch self {
        case .file(let path): try SQLiteTransfer.source(path: path)
        case .server(let url): try PostgresTransfer.source(url: url)
        }
    }

    func target() throws -> any TransferTarget {
        switch self {
        case .file(let path): try SQLiteTransfer.target(path: path)
        case .server(let url): try PostgresTransfer.target(url: url)
        }
    }
}

private let secretsKey = SecretsKeySource.keyring(SecretsKeyring([.random()]))

private func openFile(_ path: String) throws -> SQLiteCardStore {
    var options = SQLiteCardStore.Options()
    options.secretsKey = secretsKey
    options.now = { testTime }
    options.requiresSecretsKey = false
    return try SQLiteCardStore(path: path, options: options)
}

/// Copies in batches of few rows, so that every table that has some takes several.
private func copy(
    _ source: Place,
    to target: Place,
    stoppingAfter batches: Int = .max
) throws -> StoreTransfer.Summary {
    var count = 0
    return try StoreTransfer(from: source.source(), to: target.target(), batchRows: 7).run { _ in
        count += 1
        if count >= batches { throw Stop() }
    }
}

/// Copies in large batches.
private func transfer(_ source: Place, to target: Place) throws -> StoreTransfer.Summary {
    try StoreTransfer(from: source.source(), to: target.target()).run()
}

/// A folder that is removed with the last use of it.
final class TemporaryFolder: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "placard-copy-\(UUID().uuidString)")

    init() { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }
}

/// SQLite stores that are copied to PostgreSQL and back once a check is done with them.
private final class CopiedStores: StoreFactory {
    /// Whether every store is copied, and not only those with rows in tables that had none before.
    static let copiesAll = ProcessInfo.processInfo.environment["PLACARD_COPY_ALL"] != nil

    /// The tables that had a row.
    let filled = Mutex<Set<String>>([])
    /// The check that is run.
    let check = Mutex("")

    struct FilePlace: ConformancePlace {
        let path: String

        func open(_ options: StoreOpeningOptions) async throws -> any CardStore {
            var own = SQLiteCardStore.Options()
            own.listenerBuffer = options.listenerBuffer
            own.now = options.now
            own.secretsKey = secretsKey
            return try SQLiteCardStore(path: path, options: own)
        }
    }

    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let path = folder.path("source.sqlite")
        try await body(FilePlace(path: path))
        guard FileManager.default.fileExists(atPath: path) else { return }
        let names = try Self.filledTables(of: path)
        guard Self.copiesAll || !filled.withLock({ $0.isSuperset(of: names) }) else { return }
        try await TemplateDatabase.withCopy { url in
            let back = folder.path("back.sqlite")
            let there = try transfer(.file(path), to: .server(url))
            let again = try transfer(.server(url), to: .file(back))
            let contents = try [path, back].map(Self.contents)
            let name = check.withLock { $0 }
            #expect(there.counts == again.counts, "\(name)")
            #expect(contents[0] == contents[1], "\(name)")
            filled.withLock { $0.formUnion(there.counts.filter { $0.value > 0 }.keys) }
        }
    }

    private static func filledTables(of path: String) throws -> [String] {
        let source = try SQLiteTransfer.source(path: path)
        return try source.tables().filter { try source.count(of: $0) > 0 }.map(\.name)
    }

    /// The digests of all tables, and what isn't a row.
    private static func contents(of path: String) throws -> [String: TransferDigest] {
        let source = try SQLiteTransfer.source(path: path)
        var contents: [String: TransferDigest] = [:]
        for table in try source.tables() {
            var digest = TransferDigest()
            for row in try source.rows(of: table, after: nil, limit: 1_000_000) { digest.add(row) }
            contents[table.name] = digest
        }
        var head = TransferDigest()
        head.add([.bytes(try source.head().fingerprint(with: []))])
        contents["store"] = head
        return contents
    }
}
