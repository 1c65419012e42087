import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresCardStore
import PostgresTesting
import SQLiteCardStore
import Testing
import WireJSON

#if os(Linux)
@Suite("Copies to a full disk", .timeLimit(.minutes(20)), .enabled(if: geteuid() == 0, "mounting needs root"))
struct FullDiskCopyTests {
    /// Takes all the room of a folder but for half a megabyte.
    private static let filling = """
        dd if=/dev/zero of=reserve bs=4k count=128 2>/dev/null
        dd if=/dev/zero of=filler bs=64k 2>/dev/null || true
        dd if=/dev/zero of=rest bs=4k 2>/dev/null || true
        rm reserve
        """

    private func openFile(_ path: String) throws -> SQLiteCardStore {
        var options = SQLiteCardStore.Options()
        options.now = { testTime }
        options.requiresSecretsKey = false
        return try SQLiteCardStore(path: path, options: options)
    }

    /// Writes a database with more than a megabyte of users, which no compression makes less.
    private func fill(_ path: String) async throws {
        let store = try openFile(path)
        for piece in 0..<9 {
            let users = (0..<100).map { number in
                let text = (0..<40).map { _ in UUID().uuidString }.joined()
                return UserUpdate(id: UserID(rawValue: "user-\(piece)-\(number)"), custom: ["text": .string(text)])
            }
            try await store.updateUsers(users, at: testTime)
        }
        try await store.close()
    }

    private func sh(_ script: String, in folder: String) throws {
        _ = try ChildProcess(["/bin/sh", "-c", "cd \"$0\"\n\(script)", folder]).wait()
    }

    /// Expects that a copy fails on a full disk, and, once there is room, that nothing takes what there is of it for a
    /// whole database.
    private func expectFull(
        _ small: String,
        copy: () throws -> Void,
        open: () async throws -> Void
    ) async throws {
        try sh(Self.filling, in: small)
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.code == .diskFull)
        try sh("rm filler rest", in: small)
        await #expect(throws: UnfinishedCopy.refusal) { try await open() }
    }

    @Test func `A copy to PostgreSQL ends with that error, and goes on once there is room`() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("source.sqlite")
        try await fill(path)
        let server = try await PostgresServer.start()
        let small = server.folder + "/small"
        try await server.run("mkdir small; mount -t tmpfs -o size=96m tmpfs small; chown postgres small")
        defer { umount2(small, Int32(MNT_DETACH)) }
        try await server.execute("CREATE TABLESPACE small LOCATION '\(small)'")
        try await server.execute("CREATE DATABASE copied TABLESPACE small")
        let url = "postgresql://placard@/copied?host=\(server.folder)&port=\(server.port)"
        // The tables, which are there before the disk is full.
        withExtendedLifetime(try PostgresTransfer.target(url: url)) {}
        try await expectFull(small) {
            _ = try StoreTransfer(from: SQLiteTransfer.source(path: path), to: PostgresTransfer.target(url: url)).run()
        } open: {
            try await PostgresPlace(url: url).open(StoreOpeningOptions()).close()
        }
        let summary = try StoreTransfer(
            from: SQLiteTransfer.source(path: path),
            to: PostgresTransfer.target(url: url)
        ).run()
        #expect(summary.isResumed && summary.counts["users"] == 900)
        let (original, copied) = (try openFile(path), try await PostgresPlace(url: url).open(StoreOpeningOptions()))
        #expect(try await StoreAgreement.differences(of: copied, from: original) == [])
        try await original.close()
        try await copied.close()
    }

    @Test func `A copy to SQLite ends with that error, and goes on once there is room`() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("source.sqlite")
        try await fill(path)
        let small = folder.path("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
        try #require(mount("tmpfs", small, "tmpfs", 0, "size=32m") == 0, "the small disk cannot be mounted")
        defer { umount2(small, Int32(MNT_DETACH)) }
        let copy = small + "/copy.sqlite"
        withExtendedLifetime(try SQLiteTransfer.target(path: copy)) {}
        try await expectFull(small) {
            _ = try StoreTransfer(from: SQLiteTransfer.source(path: path), to: SQLiteTransfer.target(path: copy)).run()
        } open: {
            try await openFile(copy).close()
        }
        let summary = try StoreTransfer(
            from: SQLiteTransfer.source(path: path),
            to: SQLiteTransfer.target(path: copy)
        ).run()
        #expect(summary.isResumed && summary.counts["users"] == 900)
        let (original, copied) = (try openFile(path), try openFile(copy))
        #expect(try await StoreAgreement.differences(of: copied, from: original) == [])
        try await original.close()
        try await copied.close()
    }
}
#endif
