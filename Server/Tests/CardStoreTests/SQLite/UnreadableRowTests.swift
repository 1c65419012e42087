import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: rows that can't be read")
struct UnreadableRowTests {
    @Test("Rows that can't be read are left out and named, and the rest is served")
    func leftOut() async throws {
        try await withFolder { folder in
            var options = SQLiteCardStore.Options()
            options.now = { noon }
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite", options: options)
            try await UnreadableRows.expectLeftOut(in: store) { statement in
                try await store.writer.write { try $0.database.execute(sql: statement) }
            }
            #expect(await store.finding("contents")?.level == .bad)
            try await store.close()
        }
    }

    @Test("An event or user that can't be read keeps nobody from the others, and a user like that can be deleted")
    func others() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: folder + "/placard.sqlite")
            try await UnreadableRows.expectOthersRead(in: store) { statement in
                try await store.writer.write { try $0.database.execute(sql: statement) }
            }
            try await store.close()
        }
    }

    @Test("Bytes in place of a text end nothing", arguments: ["segments", "content_blocks"])
    func bytes(table: String) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            try await store.launch(.sample())
            let content = Segment.SegmentContent(name: "s", audience: .everyone)
            let segment = Segment(id: SegmentID(rawValue: "s"), content: content, createdAt: noon)
            try await store.insertSegment(segment, by: command)
            let block = ContentBlock(name: "b", content: "c", description: "", updatedAt: noon)
            try await store.saveContentBlock(block, checkedAt: nil, by: command)
            try await store.writer.write { try $0.database.execute(sql: "UPDATE \(table) SET content = x'ff00ff'") }
            #expect(try await store.loadCatalog().unreadable.count == 1)
            try await store.close()
            try withDatabase(path) { database in
                let kept = try Data.fetchOne(database, sql: "SELECT content FROM \(table)")
                #expect(kept == Data([0xff, 0, 0xff]))
            }
        }
    }
}
