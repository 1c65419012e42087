import CardModel
import CardStore
import Foundation
import SQLiteCardStore
import Testing
import UserImport
import WireJSON

@testable import CardServer

@Suite("Imports of users: the worker")
struct ImportWorkerTests {
    /// A store without a server, whose worker would take the imports.
    private struct Place: Sendable {
        let store: SQLiteCardStore
        let time: TestTime

        static func run(_ body: (Place) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let time = TestTime(1_800_000_000)
            var options = SQLiteCardStore.Options()
            options.now = { time.now }
            let store = try SQLiteCardStore(path: folder.appending(path: "cards.sqlite").path, options: options)
            try await body(Place(store: store, time: time))
            try await store.close()
        }
    }

    private static func worker(_ place: Place, name: String = "w") -> ImportWorker {
        ImportWorker(store: place.store, name: name, clock: { place.time.now }, logger: .silent)
    }

    /// Returns an import of one byte.
    private static func smallJob(in place: Place) -> ImportJob {
        ImportJob(
            id: "imp_1",
            fileName: "a.csv",
            format: "csv",
            size: 1,
            fingerprint: "",
            createdAt: place.time.now,
            createdBy: "a"
        )
    }

    /// Uploads a file and starts its import, and returns its id.
    private static func start(
        _ text: String,
        _ plan: ImportPlan = ImportPlan(format: .csv),
        id: String = "imp_1",
        in place: Place
    ) async throws -> String {
        let bytes = Array(text.utf8)
        let job = ImportJob(
            id: id,
            fileName: "users.\(plan.format.rawValue)",
            format: plan.format.rawValue,
            size: bytes.count,
            fingerprint: id,
            createdAt: place.time.now,
            createdBy: "anna@example.com"
        )
        _ = try #require(try await place.store.insertImport(job))
        for start in stride(from: 0, to: bytes.count, by: ImportJob.pieceBytes) {
            let piece = Array(bytes[start..<min(start + ImportJob.pieceBytes, bytes.count)])
            _ = try await place.store.appendImportBytes(piece, at: start, to: id)
        }
        let isStarted = try await place.store.startImport(id, plan: plan.text, at: place.time.now, by: .command)
        #expect(isStarted)
        return id
    }

    @Test("A file becomes users, and lines that are none are rejected with their number")
    func imports() async throws {
        try await Place.run { place in
            let text = "user_id,country,plan\nu1,JP,pro\nu2,Nowhere,pro\n\nu3\n\"u4\",DE,\"7\"\n"
            let id = try await Self.start(text, in: place)
            #expect(await Self.worker(place).step())
            let job = try #require(try await place.store.importJob(id))
            #expect(job.status == .finished && job.imported == 2 && job.rejected == 2 && job.offset == text.utf8.count)
            #expect(try await place.store.importRejects(id, after: 0, limit: 9).map(\.line) == [3, 5])
            let user = try await place.store.userRecords(of: [.id(UserID(rawValue: "u4"))]).first?.first?.profile
            #expect(user?.standard[.country] == "DE" && user?.custom["plan"] == "7")
            #expect(await !Self.worker(place).step())
        }
    }

    @Test("Columns become what was chosen")
    func columns() async throws {
        try await Place.run { place in
            let plan = ImportPlan(format: .csv, targets: [.standard(.email), .userID, .custom(.text), .skipped])
            _ = try await Self.start("Mail,Nr,Code,Secret\na@b.c,17,007,x\n", plan, in: place)
            #expect(await Self.worker(place).step())
            let user = try await place.store.userRecords(of: [.id(UserID(rawValue: "17"))]).first?.first?.profile
            #expect(user?.standard[.email] == "a@b.c" && user?.custom == ["Code": "007"])
        }
    }

    @Test("JSON Lines become users as the command reads them")
    func jsonLines() async throws {
        try await Place.run { place in
            let text = #"{"external_id":"u1","country":"JP","plan":"pro"}"# + "\nnonsense\n"
            let id = try await Self.start(text, ImportPlan(format: .jsonLines), in: place)
            #expect(await Self.worker(place).step())
            #expect(try await place.store.importJob(id)?.imported == 1)
            #expect(try await place.store.importJob(id)?.rejected == 1)
        }
    }

    @Test("An import goes on in any node where another one stopped, and each user counts once")
    func resumes() async throws {
        try await Place.run { place in
            let rows = (1...700).map { "u\($0),\($0)" }
            let id = try await Self.start("user_id,n\n" + rows.joined(separator: "\n"), in: place)
            // Another node did the first rows before it died.
            let claimed = try #require(try await place.store.claimImport(for: "dead", seconds: 600))
            var reader = ImportReader(ImportPlan(format: .csv))
            let bytes = try await place.store.importBytes(id, in: 0..<claimed.size)
            let first = try reader.take(.init(bytes))[..<250]
            #expect(await !Self.worker(place).step())
            _ = try await place.store.applyImport(ImportStep(first), to: id, by: "dead", seconds: 0, at: place.time.now)

            #expect(await Self.worker(place).step())
            let job = try #require(try await place.store.importJob(id))
            #expect(job.status == .finished && job.imported == 700 && job.rejected == 0)
            #expect(try await place.store.userCount() == 700)
        }
    }

    @Test("A file is read over the edges of its pieces")
    func pieces() async throws {
        try await Place.run { place in
            let filler = String(repeating: "é", count: 400)
            let rows = (1...2_000).map { "u\($0),\(filler)" }
            let text = "user_id,note\n" + rows.joined(separator: "\r\n")
            #expect(text.utf8.count > ImportJob.pieceBytes)
            let id = try await Self.start(text, in: place)
            #expect(await Self.worker(place).step())
            let job = try #require(try await place.store.importJob(id))
            #expect(job.imported == 2_000 && job.rejected == 0)
        }
    }

    @Test("A file without a heading fails and says why, and the next import runs")
    func fails() async throws {
        try await Place.run { place in
            let first = try await Self.start("name,plan\na,b\n", in: place)
            let second = try await Self.start("user_id\nu1\n", id: "imp_2", in: place)
            #expect(await Self.worker(place).step())
            let failed = try #require(try await place.store.importJob(first))
            #expect(failed.status == .failed && failed.failure?.contains("user_id") == true)
            #expect(await Self.worker(place).step())
            #expect(try await place.store.importJob(second)?.status == .finished)
        }
    }

    @Test("A plan of another version fails and changes nothing")
    func unknownPlan() async throws {
        try await Place.run { place in
            let plan = ImportPlan(format: .csv)
            _ = try await place.store.insertImport(Self.smallJob(in: place))
            _ = try await place.store.appendImportBytes([1], at: 0, to: "imp_1")
            _ = try await place.store.startImport("imp_1", plan: plan.text + "x", at: 0, by: .command)
            #expect(await Self.worker(place).step())
            #expect(try await place.store.importJob("imp_1")?.status == .failed)
        }
    }

    @Test("Old imports are removed now and then")
    func cleaning() async throws {
        try await Place.run { place in
            _ = try await place.store.insertImport(Self.smallJob(in: place))
            let worker = Self.worker(place)
            await worker.clean()
            #expect(try await place.store.importJob("imp_1")?.status == .uploading)
            place.time.advance(by: ImportJob.Retention.upload)
            await worker.clean()
            #expect(try await place.store.importJob("imp_1")?.status == .expired)
        }
    }
}
