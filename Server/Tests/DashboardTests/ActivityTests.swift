import CardModel
import CardStore
import Foundation
import HTTPTypes
import Testing
import WireJSON

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

    @Test("HEAD of the export of the audit log isn't noted as an export")
    func headOfExport() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let path = "/dashboard/audit/export"
            let head = try await admin.send(.head, path, nil)
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(try await !place.audit().contains("audit.export"))
            let full = try await admin.get(path)
            #expect(full.headers[.contentType] == head.headers[.contentType])
            #expect(try await place.audit().contains("audit.export"))
        }
    }

    @Test("Entries have the names of more campaigns than are read at once, and the ids of those that are gone")
    func manyNames() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("T", "D")
            for number in 10..<40 {
                let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
                let campaign = Campaign(
                    id: CampaignID(rawValue: "cmp-\(number)"),
                    content: Campaign.Content(name: "Summer \(number)", variants: [variant]),
                    createdAt: place.time.now
                )
                try await place.store.insertCampaign(campaign, by: .command)
            }
            try await place.store.appendAuditNote("campaign.stop", of: "cmp-gone", at: place.time.now, by: .command)
            let page = try await admin.get("/dashboard/audit").text
            for number in 10..<40 { #expect(page.contains("Summer \(number)")) }
            #expect(page.contains("cmp-gone"))
        }
    }

    @Test(
        "Changes are found behind what was only read, and no further back than two hundred entries",
        arguments: [99, 230]
    )
    func changesBehindReads(count: Int) async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            try await place.store.appendAuditNote("campaign.stop", of: "cmp-behind", at: place.time.now, by: .command)
            let reads = (0..<count).map { AuditNote("user.list", of: "page-\($0)", at: place.time.now, by: .command) }
            try await place.store.appendAuditNotes(reads)
            let page = try await admin.get("/dashboard").text
            #expect(page.contains("cmp-behind") == (count < 200))
            #expect(!page.contains("page-\(count - 1)"))
        }
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

    @Test("The log of events is in order of arrival, and says when what came late arrived")
    func eventLog() async throws {
        try await Workplace.run { place in
            let now = place.time.now
            try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "anna"))], at: now)
            for (number, delay) in [(UInt64(1), 20.0), (2, 7_200)] {
                let id = EventID(high: 0, low: number)
                let event = DeviceEvent(id: id, kind: .custom(name: ByteString("opened-\(number)")), at: now - delay)
                let batch = EventBatch(user: UserID(rawValue: "anna"), events: [event], receivedAt: now)
                _ = try await place.store.recordEvents(batch)
            }
            let page = try await place.member(.editor).get("/dashboard/events").text
            #expect(page.contains("In order of arrival"))
            let late = try #require(page.range(of: "opened-2"))
            let prompt = try #require(page.range(of: "opened-1"))
            #expect(late.upperBound < prompt.lowerBound)
            #expect(page.ranges(of: "Received 15 Jan").count == 1)
        }
    }

    @Test("A filter of the event log that can find nothing stays in its field, and doesn't show the events of all")
    func wrongFilter() async throws {
        try await Workplace.run { place in
            let id = EventID(high: 0, low: 1)
            let event = DeviceEvent(id: id, kind: .custom(name: "opened"), at: place.time.now)
            let anna = UserID(rawValue: "anna")
            try await place.store.updateUsers([UserUpdate(id: anna)], at: place.time.now)
            _ = try await place.store.recordEvents(EventBatch(user: anna, events: [event], receivedAt: place.time.now))
            let visitor = try await place.member(.editor)
            let events = "/dashboard/events"
            #expect(try await visitor.get("\(events)?user=anna").text.contains("opened"))
            let named = try await visitor.get("\(events)?type=custom&campaign=Spring%20sale").text
            #expect(!named.contains("opened") && named.contains("No matching events"))
            #expect(named.contains("value=\"Spring sale\"") && named.contains("Enter the campaign’s ID, not its name."))
            #expect(named.contains("aria-describedby=\"wrong-campaign\"") && !named.contains("wrong-user"))
            let odd = try await visitor.get("\(events)?user=a%01b").text
            #expect(!odd.contains("opened") && odd.contains("Enter a valid user ID."))
            #expect(try await !visitor.get("\(events)?campaign=Spring%20sale&part=lines").text.contains("opened"))
        }
    }

    @Test("The audit log leads to older entries only where there are some")
    func auditPages() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            let before = try await place.store.latestAuditEntries(before: nil, limit: 1_000).count
            for number in before..<100 {
                let content = Segment.SegmentContent(name: "S", audience: .everyone)
                let id = SegmentID(rawValue: "s\(number)")
                let segment = Segment(id: id, content: content, createdAt: place.time.now)
                try await place.store.insertSegment(segment, by: .command)
            }
            let full = try await visitor.get("/dashboard/audit").text
            #expect(!full.contains("/dashboard/audit?before="))
            let more = Segment.SegmentContent(name: "More", audience: .everyone)
            let segment = Segment(id: SegmentID(rawValue: "more"), content: more, createdAt: place.time.now)
            try await place.store.insertSegment(segment, by: .command)
            let page = try await visitor.get("/dashboard/audit").text
            let older = try #require(page.firstMatch(of: /\/dashboard\/audit\?before=[0-9]+/))
            #expect(try await visitor.get(String(older.0)).text.matches(of: /<time datetime/).count == 1)
        }
    }

    @Test("An event's variant has its name, and its id where it has none")
    func variants() {
        let variants = [
            Campaign.Variant(id: VariantID(rawValue: "a"), name: "Blue", card: nil),
            Campaign.Variant(id: VariantID(rawValue: "b"), card: nil),
        ]
        let id = CampaignID(rawValue: "sale")
        let content = Campaign.Content(name: "Sale", variants: variants)
        let names = NameBook([Campaign(id: id, content: content, createdAt: 0)])
        func name(_ variant: String?, of campaign: CampaignID) -> String? {
            var event = StoredEvent(
                position: 1,
                user: UserID(rawValue: "anna"),
                id: EventID(high: 0, low: 1),
                type: "click",
                at: 0,
                receivedAt: 0
            )
            (event.campaign, event.variant) = (campaign, variant.map(VariantID.init(rawValue:)))
            return names.variant(of: event)
        }
        #expect(["a", "b", "c", nil].map { name($0, of: id) } == ["Blue", "b", "c", nil])
        #expect(name("a", of: CampaignID(rawValue: "gone")) == "a" && names.campaign(id) == "Sale")
    }
}
