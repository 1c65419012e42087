import CardModel
import CardStore
import CardStoreConformance
import Foundation
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: what migrations make of rows", .timeLimit(.minutes(20)))
struct MigrationDataTests {
    private static let sale = CampaignID(rawValue: "sale")

    /// Creates a database of an earlier step, with rows in it.
    private func withOldDatabase(
        at step: any StoreMigration.Type = Baseline.self,
        _ sql: String,
        _ body: (_ path: String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/placard.sqlite"
            try withDatabase(path) { try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
            let queue = try DatabaseQueue(path: path)
            try Schema.migrator.migrate(queue, upTo: step.identifier)
            try queue.close()
            try withDatabase(path) { try $0.execute(sql: sql) }
            try await body(path)
        }
    }

    /// The names of the steps after one.
    private static func steps(after step: any StoreMigration.Type) -> [String] {
        Schema.migrations.map { $0.identifier }.filter { $0 > step.identifier }
    }

    @Test("Sends that were scheduled for a list of users can be canceled for those who still wait, and no others")
    func schedules() async throws {
        let sql = """
            INSERT INTO users (id, version, device, created_at)
                VALUES ('user-1', 1, 0, 1), ('user-2', 1, 0, 1), ('user-3', 1, 0, 1);
            INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, outcome) VALUES
                ('user-1', 'sale', 's', 1, 2000000000, 0, 2000000500, NULL),
                ('user-1', 'sale', 'other', 1, 2000000000, 0, 2000000500, NULL),
                ('user-2', 'sale', 's', 1, 2000000000, 0, 2000000500, 'delivered'),
                ('user-3', 'sale', 's', 1, 2000000000, 0, 2000000500, NULL);
            INSERT INTO schedules (campaign_id, trigger_id, users, until)
                VALUES ('sale', 's', '["user-1","user-2"]', 2000000500);
            """
        try await withOldDatabase(sql) { path in
            #expect(try SQLiteCardStore.migrate(path: path).steps == Self.steps(after: Baseline.self))
            let marked = "SELECT user_id || ' ' || trigger_id FROM triggers WHERE is_scheduled = 1"
            #expect(try withDatabase(path) { try String.fetchAll($0, sql: marked) } == ["user-1 s"])

            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            #expect(try await store.unscheduleTrigger(TriggerID(rawValue: "s"), of: Self.sale, at: noon))
            #expect(try await store.userState(of: someone)?.triggers.map(\.id.rawValue) == ["other"])
            let third = UserID(rawValue: "user-3")
            #expect(try await store.userState(of: third)?.triggers.map(\.id.rawValue) == ["s"])
            #expect(try await !store.unscheduleTrigger(TriggerID(rawValue: "s"), of: Self.sale, at: noon))
            try await store.close()
        }
    }

    @Test("Users of before are found by their addresses, which some of them claim")
    func addresses() async throws {
        let sql = """
            INSERT INTO users (id, version, device, created_at, standard, updated_at) VALUES
                ('user-1', 1, 0, 1, '{"email":"Ann@example.com","phone":"1"}', 5),
                ('user-2', 1, 0, 1, '{"email":"ann@EXAMPLE.com","email_from_device":true}', 9),
                ('user-3', 1, 0, 1, '{"phone":"1","phone_from_device":true}', 9);
            """
        try await withOldDatabase(sql) { path in
            let store = try SQLiteCardStore(path: path)
            let references = [UserReference.email("ann@example.com", .usual), .phone("1", .usual)]
            let first = UserID(rawValue: "user-1")
            #expect(try await store.findUsers(references) == [first, first])
            let records = try await store.userRecords(of: references)
            #expect(records.map { $0.map(\.profile.id.rawValue) } == [["user-2", "user-1"], ["user-3", "user-1"]])
            try await store.close()
        }
    }

    @Test("Members, test users, notices and pictures of before are read with what they have no value for")
    func additions() async throws {
        let picture = String(repeating: "a", count: 32)
        let sql = """
            INSERT INTO users (id, version, device, created_at) VALUES ('user-1', 1, 0, 1);
            INSERT INTO members (email, password_hash, created_at, name) VALUES ('anna@example.com', '-', 5, 'Anna');
            INSERT INTO test_users (user_id, position) VALUES ('user-1', 0);
            INSERT INTO webhook_notices (id, kind, user_id, details, at)
                VALUES (zeroblob(16), 'user.deleted', 'user-9', '{}', 7);
            INSERT INTO media (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by)
                VALUES ('\(picture)', 'a.png', '', 'png', 9, 9, 1, '9', 3, 1, 'anna@example.com');
            """
        try await withOldDatabase(sql) { path in
            let store = try SQLiteCardStore(path: path)
            let member = try #require(try await store.members().first)
            #expect(member.email == "anna@example.com" && member.name == "Anna" && member.role == .admin)
            #expect(member.language == nil && member.identity == nil && member.codeSecret == nil)
            #expect(try await store.testUsers() == [TestUser(someone)])
            let notice = try #require(try await store.webhookNotices(limit: 9).first)
            #expect(notice.kind == .userDeleted && notice.subject.text == "user-9" && notice.at == 7)
            let item = try #require(try await store.mediaItems(offset: 0, limit: 9).first)
            #expect(item.id == picture && item.location == .store)
            // What is new can be used with what was there.
            try await store.setLanguage("ja", of: member.email)
            #expect(try await store.member(member.email)?.language == "ja")
            #expect(try await store.markMediaDeleted(picture, at: noon, by: command)?.id == picture)
            #expect(try await store.mediaItems(offset: 0, limit: 9).isEmpty)
            try await store.close()
        }
    }

    @Test("What campaigns name is found by the migration as it is noted by their changes")
    func contentNames() async throws {
        let rows = """
            SELECT kind || ' ' || name || ' ' || campaign_id || ' ' || version || ' ' || is_present || ' '
                || is_launched
            FROM content_names ORDER BY 1
            """
        try await withSQLiteStore { store in
            let names = ["{{content_blocks.${terms}}}", "None", "{{content_blocks.${terms}}} {{content_blocks.${b}}}"]
            for id in ["sale", "draft"] {
                try await store.insertCampaign(.sample(id, title: names[0]), by: command)
            }
            var campaign = try #require(try await store.campaign(Self.sale))
            campaign = try await store.updateCampaign(
                campaign.applying(.launch, at: noon),
                from: campaign.version,
                action: "campaign.launch",
                by: command
            )
            for (seconds, name) in zip([1.0, 2], names.dropFirst()) {
                campaign = try await store.updateCampaign(
                    campaign.updating(Campaign.sample(title: name).content, at: noon + seconds),
                    from: campaign.version,
                    action: "campaign.update",
                    by: command
                )
            }
            let noted = try await store.read { try String.fetchAll($0, sql: rows) }
            #expect(noted.count >= 3)
            try await store.writer.write { session in
                try session.database.execute(sql: "DELETE FROM content_names")
                try ContentNameRow.fill(session.database)
            }
            #expect(try await store.read { try String.fetchAll($0, sql: rows) } == noted)
        }
    }

    @Test("A step that fails leaves nothing of itself, keeps those before it, and is done once nothing is in the way")
    func interrupted() async throws {
        // It adds a table, and then this column.
        let obstacle = "ALTER TABLE test_users ADD COLUMN name TEXT"
        let row = "INSERT INTO users (id, version, device, created_at) VALUES ('user-1', 7, 0, 1)"
        try await withOldDatabase("\(obstacle); \(row)") { path in
            let error = #expect(throws: StoreError.self) { try SQLiteCardStore.migrate(path: path) }
            #expect(error?.code == .unavailable && error?.message.contains("duplicate column name") == true)
            let done = try migrations(of: path)
            #expect(done.last == Migration0091.identifier)
            let hasTable = try withDatabase(path) { try $0.tableExists("test_codes") }
            #expect(!hasTable)
            #expect(try SQLiteCardStore.migrationPlan(path: path).steps == Self.steps(after: Migration0091.self))
            // The copy is that of before the first step.
            let copies = StoreFiles.copies(DatabaseFiles(path))
            #expect(copies == [DatabaseFiles(path).main + ".schema-0061.backup"])
            #expect(try migrations(of: copies[0]) == [Baseline.identifier])

            try withDatabase(path) { try $0.execute(sql: "ALTER TABLE test_users DROP COLUMN name") }
            #expect(try SQLiteCardStore.migrate(path: path).steps == Self.steps(after: Migration0091.self))
            let store = try SQLiteCardStore(path: path, options: .init(migrate: false))
            #expect(try await store.userRevision(of: someone)?.version == 7)
            #expect(await store.finding("objects")?.level == .good)
            try await store.close()
        }
    }

    @Test(
        "Of two that migrate a database at once one does all of it, and the other finds it done",
        arguments: [false, true]
    )
    func twice(isNew: Bool) async throws {
        try await withOldDatabase("SELECT 1") { path in
            if isNew { try FileManager.default.removeItem(atPath: path) }
            let all = isNew ? Schema.migrations.map { $0.identifier } : Self.steps(after: Baseline.self)
            var patient = SQLiteCardStore.Options()
            patient.busyTimeout = .seconds(600)
            let options = patient
            let found = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let store = try SQLiteCardStore(path: path, options: options)
                        try await store.close()
                        return store.migration.steps
                    }
                }
                return try await group.reduce(into: [[String]]()) { $0.append($1) }
            }
            #expect(found.map(\.count).sorted() == [0, all.count])
            #expect(found.first { !$0.isEmpty } == all)
            #expect(StoreFiles.copies(DatabaseFiles(path)).count == (isNew ? 0 : 1))
            #expect(try migrations(of: path) == Schema.migrations.map { $0.identifier })
        }
    }

    @Test("Where no copy can be made nothing is migrated")
    func withoutCopy() async throws {
        try await withOldDatabase("SELECT 1") { path in
            // As many copies as have names.
            let base = DatabaseFiles(path).main + ".schema-0061"
            for number in 1..<1_000 {
                let name = number == 1 ? base + ".backup" : "\(base)-\(number).backup"
                #expect(FileManager.default.createFile(atPath: name, contents: Data("x".utf8)))
            }
            await expectFailure(.exists) { try SQLiteCardStore.migrate(path: path) }
            let done = try migrations(of: path)
            #expect(done == [Baseline.identifier])
            #expect(try SQLiteCardStore.migrate(path: path, isCopied: false).copy == nil)
            #expect(try SQLiteCardStore.migrationPlan(path: path).steps.isEmpty)
        }
    }

    @Test("Who starts a migration is told its steps and its copy before the first of them")
    func told() async throws {
        try await withOldDatabase("SELECT 1") { path in
            let copy = DatabaseFiles(path).main + ".schema-0061.backup"
            var options = SQLiteCardStore.Options()
            options.onMigration = { steps, made in
                #expect(steps == Self.steps(after: Baseline.self))
                #expect(made == copy)
                let done = try? migrations(of: copy)
                #expect(done == [Baseline.identifier])
            }
            let store = try SQLiteCardStore(path: path, options: options)
            #expect(store.migration.copy == copy && store.migration.steps == Self.steps(after: Baseline.self))
            try await store.close()
        }
    }
}
