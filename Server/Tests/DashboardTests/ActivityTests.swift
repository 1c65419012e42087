import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: activity")
struct ActivityTests {
    @Test("Every action that stores and services write into the audit log has a text")
    func texts() throws {
        let modules = ["CardStore", "CardServer", "Dashboard", "SQLiteCardStore", "PostgresCardStore"]
        let kinds =
            "approval|audit|campaign|content_block|content_types|event|filter|key|media|member|request|secrets|segment|"
            + "session|settings|test_users|user|webhook"
        let action = try Regex("(\(kinds))\\.[a-z]+(-[a-z]+)*")
        let actions = try SourceTexts.literals(of: modules).filter { $0.wholeMatch(of: action) != nil }
        #expect(actions.isSuperset(of: ["media.upload", "user.import-end", "key.rotate", "segment.update"]))
        // Places in audiences, files, and the name of a trace.
        let others: Set = [
            "campaign.contact", "campaign.id", "campaign.variants", "event.name", "media.css", "media.js",
            "webhook.deliver",
        ]
        #expect(actions.subtracting(AuditPage.EntryView.knownActions).subtracting(others).sorted() == [])
    }

    @Test("Recent activity is what changed, with names in place of ids")
    func changes() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let picture = MediaItem(
                id: String(repeating: "a", count: 32),
                name: "summer.png",
                format: .png,
                width: 1,
                height: 1,
                widths: [1],
                bytes: 1,
                createdAt: place.time.now,
                createdBy: "admin@example.com"
            )
            _ = try await place.store.addMedia(
                picture,
                files: [MediaFile(width: 1, bytes: [1])],
                totalBytes: 100,
                by: .command
            )
            let job = ImportJob(
                id: "imp_1",
                fileName: "members.csv",
                format: "csv",
                size: 1,
                fingerprint: "f",
                createdAt: place.time.now,
                createdBy: "admin@example.com"
            )
            _ = try await place.store.insertImport(job)
            for (action, subject) in [("user.import", "imp_1"), ("user.list", "users"), ("request.forged", "POST /x")] {
                try await place.store.appendAuditNote(action, of: subject, at: place.time.now, by: .command)
            }
            let overview = try await admin.get("/dashboard").text
            #expect(overview.contains("uploaded the picture") && overview.contains(">summer.png<"))
            #expect(overview.contains("started the import of users") && overview.contains(">members.csv<"))
            #expect(!overview.contains("read the list of users") && !overview.contains("without a valid form"))
            let log = try await admin.get("/dashboard/audit").text
            #expect(log.contains("read the list of users") && log.contains("without a valid form"))
        }
    }
}
