import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing
import WireJSON

@testable import PostgresCardStore

/// Rows and settings that whoever has the database's password can change.
@Suite("PostgreSQL: rows that are gone and settings of the database", .timeLimit(.minutes(20)))
struct LostRowTests {
    @Test("Without the position of the log no event is said to be recorded and no node is ready")
    func logHead() async throws {
        try await TemplateDatabase.withCopy { url in
            let store = try await PostgresCardStore.open(url: url)
            try await store.launch(.sample("first"))
            try await store.give("card-1", of: "first")
            #expect(try await store.record([.impression(1)]).receipt.accepted == 1)
            _ = try await store.read { try $0.execute("DELETE FROM log_head") }

            await #expect(throws: StoreError.self) { try await store.record([.impression(2)]) }

            let read = await store.healthChecks().first { $0.name == "read" }
            #expect(read?.failure?.message.contains("placard doctor") == true)
            let found = try #require(
                await PostgresCardStore.diagnose(url: url, secretsKey: .keyring(SecretsKeyring()))
                    .first { $0.subject == "objects" }
            )
            #expect(found.level == .bad && found.message.contains("log_head"))
            // What it says to run brings the log back, with a position that nobody has been given.
            let sql = try #require(found.command?.split(separator: "--command \"").last?.dropLast())
            let statement = String(sql)
            _ = try await store.read { try $0.execute(statement) }
            #expect(try await store.record([.impression(2)]).receipt.accepted == 1)
            let events = try await store.eventPage(after: 0, EventFilter(), limit: 10).events
            #expect(events.count == 2 && events[1].position > events[0].position)
            try await store.close()
        }
    }

    @Test("The same picture again restores sizes that are gone")
    func pictures() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let store = try await PostgresCardStore.open(url: url)
            var item = MediaItem(
                id: String(repeating: "a", count: 32),
                name: "sale.png",
                format: .png,
                width: 960,
                height: 540,
                widths: [960, 480],
                bytes: 5,
                createdAt: testTime
            )
            var files = [MediaFile(width: 960, bytes: [1, 2, 3]), MediaFile(width: 480, bytes: [4, 5])]
            #expect(try await store.addMedia(item, files: files, totalBytes: 10, by: .command) == .added)
            try await PostgresCluster.shared().execute("DELETE FROM media_files WHERE width = 480", in: database)
            (item.bytes, files[1]) = (6, MediaFile(width: 480, bytes: [4, 5, 6]))
            #expect(try await store.addMedia(item, files: files, totalBytes: 10, by: .command) == .exists(item))
            #expect(try await store.mediaFile(item.id, width: 480) == [4, 5, 6])
            #expect(try await store.mediaItem(item.id)?.bytes == 6)
            try await store.close()
        }
    }

    @Test("Another encoding in the address changes no text")
    func encoding() async throws {
        try await TemplateDatabase.withCopy { url in
            let separator = url.contains("?") ? "&" : "?"
            let user = UserID(rawValue: "利用者-é")
            let first = try await PostgresCardStore.open(url: "\(url)\(separator)client_encoding=LATIN1")
            var update = UserUpdate(id: user)
            update.custom = ["名前": .string("日本語 é 😀")]
            _ = try await first.updateUsers([update], at: testTime)
            try await first.close()
            let second = try await PostgresCardStore.open(url: url)
            let profile = try await second.userState(of: user)?.profile
            #expect(profile?.custom["名前"] == .string("日本語 é 😀"))
            try await second.close()
        }
    }

    @Test("Partitions are read and created whatever form the database shows bytes in")
    func bytesAsText() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            try await PostgresCluster.shared().execute(
                "ALTER DATABASE \(database) SET bytea_output = 'escape'",
                in: database
            )
            let store = try await PostgresCardStore.open(url: url)
            let known = try await store.read { try EventPartitionJob.known(on: $0) }
            #expect(known.count >= 2)
            try await store.close()
        }
    }
}
