import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: settings and segments")
struct WorkspaceTests {
    static let settings = [
        "time_zone": "Asia/Tokyo", "user_tokens": "disabled", "public_keys": "", "card_limit": "250",
        "card_size_limit": "2048", "burst": "5", "seconds": "180", "event_days": "90", "quiet_from": "22:00",
        "quiet_to": "08:00", "cap.0.cards": "", "cap.0.days": "", "cap.1.cards": "2", "cap.1.days": "1",
        "cap.1.tag": "promo", "content_hosts": "api.example.com\n *.shop.example:8443",
    ]

    @Test("Settings are kept as they were typed, and a row without a number is no cap")
    func keeping() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let page = "/dashboard/settings"
            let saved = try await visitor.post(page, from: page, Self.settings)
            #expect(saved.location == "/dashboard/settings?done=saved")
            let kept = try await place.store.loadCatalog().settings
            #expect(kept.timeZone == "Asia/Tokyo")
            #expect(kept.eventDays == 90)
            #expect(kept.json["quiet_hours"]?["from"] == "22:00")
            #expect(kept.connectedContentHosts.map(\.text) == ["api.example.com", "*.shop.example:8443"])
            #expect(kept.json["frequency_caps"]?.array?.count == 1)
            #expect(kept.json["frequency_caps"]?.array?.first?["tag"] == "promo")

            let shown = try await visitor.get(page).text
            #expect(shown.contains("name=\"cap.0.tag\" value=\"promo\""))
            #expect(shown.contains("name=\"cap.1.cards\" value=\"\""))
            let none = [
                "quiet_from": "", "quiet_to": "", "cap.1.cards": "", "cap.1.days": "", "event_days": "",
                "content_hosts": "",
            ]
            _ = try await visitor.post(page, from: page, Self.settings.merging(none) { $1 })
            let emptied = try await place.store.loadCatalog().settings
            #expect(emptied.connectedContentHosts.isEmpty)
            #expect(emptied.eventDays == nil && emptied.quietHours == nil && emptied.frequencyCaps.isEmpty)
        }
    }

    @Test("A segment without a name comes back with its field marked, and one of no users has no good badge")
    func segments() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let new = "/dashboard/segments/new"
            let fields = ["base": "{}", "c.name": "", "c.description": "kept", "c.audience.kind": "all"]
            let refused = try await editor.post(new, from: new, fields)
            #expect(refused.status == 400 && refused.text.contains("Name is required"))
            #expect(refused.text.contains(/name="c.name"[^>]*aria-invalid="true"/))
            #expect(!refused.text.contains(/name="c.description"[^>]*aria-invalid/))
            let reach = fields.merging(["do": "reach"]) { $1 }
            func badge() async throws -> Bool {
                try await editor.post("/dashboard/segments/reshape", from: new, reach).text.contains("badge good")
            }
            #expect(try await !badge())
            try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "u"))], at: place.time.now)
            #expect(try await badge())
        }
    }

    @Test("What cannot be kept is said by the field's name, with everything typed still there")
    func problems() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let page = "/dashboard/settings"
            let wrong = Self.settings.merging(["event_days": "7"]) { $1 }
            let answer = try await visitor.post(page, from: page, wrong)
            #expect(answer.status == 400)
            #expect(answer.text.contains("Event retention: "))
            #expect(answer.text.contains("name=\"event_days\" value=\"7\""))
            let mark = "aria-invalid=\"true\" aria-describedby=\"wrong-event_days\""
            #expect(answer.text.contains(mark) && answer.text.contains("id=\"wrong-event_days\""))
            #expect(answer.text.split(separator: "aria-invalid").count == 2)
            let cap = Self.settings.merging(["cap.1.cards": "0"]) { $1 }
            let refused = try await visitor.post(page, from: page, cap)
            #expect(refused.status == 400 && refused.text.contains("aria-describedby=\"wrong-cap.0.cards\" autofocus"))
            #expect(try await !visitor.get(page).text.contains("aria-invalid"))
            #expect(answer.text.contains("value=\"Asia/Tokyo\""))
            #expect(try await place.store.loadCatalog().settings.timeZone == "UTC")
        }
    }

    @Test("A viewer is told that only administrators edit settings, before the fields, which are disabled")
    func viewing() async throws {
        try await Workplace.run { place in
            let text = try await place.member(.viewer).get("/dashboard/settings").text
            let told = try #require(text.range(of: "Only administrators can edit settings."))
            let fields = try #require(text.range(of: "<fieldset class=\"bare\" disabled>"))
            #expect(told.upperBound < fields.lowerBound)
            #expect(!text.contains("action=\"/dashboard/settings\"") && !text.contains("Save settings"))
        }
    }

    @Test("An audience of more conditions than a page has room for is edited as JSON, and stays as it is")
    func longAudience() async throws {
        @Sendable func audience(_ count: Int) -> JSONValue {
            let events = (0..<count).map { JSONValue.object(["event": ["name": .string("e\($0)"), "within_days": 7]]) }
            return ["any": .array(events)]
        }
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            var sizes: [Int] = []
            for count in [AudienceFields.shownConditions - 1, AudienceFields.shownConditions, 990] {
                let json = audience(count)
                let form = AudienceForm(of: ["audience": json], timeZone: "UTC")
                #expect(form.audience == json)
                let content = Segment.SegmentContent(name: "n\(count)", audience: try Audience(json: json))
                let segment = Segment(id: SegmentID(rawValue: "s\(count)"), content: content, createdAt: place.time.now)
                try await place.store.insertSegment(segment, by: .command)
                sizes.append(try await editor.get("/dashboard/segments/s\(count)").text.utf8.count)
            }
            // One by one below the limit, and as JSON above it.
            #expect(sizes[1] < sizes[0] / 4 && sizes[2] < sizes[0], "\(sizes)")
            let address = "/dashboard/segments/s990"
            let page = try await editor.get(address).text
            #expect(page.contains("e989"))
            let fields = try #require(page.firstMatch(of: /name="c.audience.items\[0\].kind" value="([^"]*)"/)).1
            #expect(fields == "json")
        }
    }

    @Test("A segment is archived and restored, and cannot be changed in between")
    func archiving() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let fields = ["base": "{}", "c.name": "Gold", "c.description": "Who pays", "c.audience.kind": "all"]
            let made = try await visitor.post("/dashboard/segments/new", from: "/dashboard/segments/new", fields)
            let address = String(try #require(made.location).prefix { $0 != "?" })
            let archived = try await visitor.post("\(address)/archive", from: address)
            #expect(archived.location?.hasPrefix("\(address)?done=archived") == true)
            #expect(try await place.store.segments(includingArchived: false, limit: 9, offset: 0).isEmpty)
            #expect(try await visitor.get("/dashboard/segments").text.contains("archived"))
            let page = try await visitor.get(address).text
            #expect(!page.contains("action=\"\(address)\""))
            #expect(page.contains("action=\"\(address)/restore\""))
            _ = try await visitor.post("\(address)/restore", from: address)
            let restored = try await place.store.segments(includingArchived: false, limit: 9, offset: 0)
            #expect(restored.map(\.content.description) == ["Who pays"])
        }
    }

    @Test("A duplicate of a segment is opened, with a name of its own, and the original stays as it is")
    func duplicating() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let fields = ["base": "{}", "c.name": "Gold", "c.description": "Who pays", "c.audience.kind": "all"]
            let made = try await visitor.post("/dashboard/segments/new", from: "/dashboard/segments/new", fields)
            let address = String(try #require(made.location).prefix { $0 != "?" })
            #expect(try await visitor.get(address).text.contains("action=\"\(address)/duplicate\""))
            let answer = try await visitor.post("\(address)/duplicate", from: address)
            let copy = try #require(answer.location)
            #expect(copy.hasSuffix("?done=segment-duplicated") && !copy.hasPrefix("\(address)?"))
            #expect(try await visitor.get(copy).text.contains("Segment duplicated."))
            let segments = try await place.store.segments(includingArchived: true, limit: 9, offset: 0)
            #expect(Set(segments.map(\.content.name)) == ["Gold", "Gold (copy)"])
            #expect(segments.allSatisfy { $0.content.description == "Who pays" })
        }
    }
}
