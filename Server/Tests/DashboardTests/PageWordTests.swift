import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: what buttons, notices and times say")
struct PageWordTests {
    private static let path = "/dashboard/campaigns/a"

    private static func insert(_ place: Workplace, variant name: String = "A") async throws {
        var campaign = CampaignRunTests.campaign("a")
        campaign.content.variants[0].name = name
        try await place.store.insertCampaign(campaign, by: .command)
    }

    @Test("A campaign that was paused is resumed, in its button, its review and its notice")
    func resume() async throws {
        try await Workplace.run { place in
            try await Self.insert(place)
            let visitor = try await place.member(.editor)
            let launch = "\(Self.path)/launch"
            let first = try await visitor.get(launch).text
            #expect(first.contains("<h1>Review &amp; launch</h1>"))
            #expect(first.contains(">Launch to 0 of 0 users</button>"))
            let launched = try await visitor.post(launch, from: launch, ["version": "1"])
            #expect(launched.location?.hasSuffix("done=launched") == true)
            _ = try await visitor.post("\(Self.path)/pause", from: Self.path)
            let review = try await visitor.get(launch).text
            #expect(review.contains("<h1>Review &amp; resume</h1>") && review.contains("<title>Resume Name a"))
            #expect(review.contains(">Resume for 0 of 0 users</button>") && !review.contains(">Launch to"))
            let resumed = try await visitor.post(launch, from: launch, ["version": "3"])
            #expect(resumed.location?.contains("done=resumed") == true)
            #expect(try await visitor.get("\(Self.path)?done=resumed").text.contains("Campaign resumed."))
        }
    }

    @Test("Times name their zone: in the text, in the title, or at the head of their column")
    func zones() async throws {
        try await Workplace.run { place in
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            try await Self.insert(place)
            let visitor = try await place.member(.admin)
            var audit = ""
            // Once the server has heard of the settings that the test has put into the store.
            while !audit.contains("Time <span class=\"hint\">(Asia/Tokyo)</span>") {
                await Task.yield()
                audit = try await visitor.get("/dashboard/audit").text
            }
            let events = try await visitor.get("/dashboard/events").text
            #expect(events.contains("Time <span class=\"hint\">(Asia/Tokyo)</span>"))
            for page in ["campaigns", "team", "campaigns/a/versions"] {
                let text = try await visitor.get("/dashboard/\(page)").text
                let titles = text.matches(of: /<time [^>]*title="([^"]*)"/).map { String($0.1) }
                #expect(!titles.isEmpty && titles.allSatisfy { $0.hasSuffix(" (Asia/Tokyo)") }, "\(page): \(titles)")
            }
        }
    }

    @Test("The audit log calls settings as their page does, in the language of the page")
    func settings() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let address = "/dashboard/settings"
            var form = FormReader.fields(of: try await visitor.get(address).text, to: address)
            form["card_limit"] = "9"
            #expect(try await visitor.post(address, form).status == 303)
            let audit = try await visitor.get("/dashboard/audit").text
            #expect(audit.contains("Cards per user: 250 → 9") && !audit.contains("card_limit"))
            visitor.setCookie("placard_language", "ja")
            #expect(try await visitor.get("/dashboard/audit").text.contains("ユーザーごとのカード数：250 → 9"))
        }
    }

    @Test("Details of the audit log have the words of other pages for members, choices and permissions")
    func details() {
        func lines(_ details: JSONValue, _ action: String = "settings.update") -> [String] {
            let note = AuditNote(action, of: "x", details: details, at: 0, by: .command)
            var chain = AuditChain()
            return AuditDetails(names: NameBook([]), timeZone: "UTC").lines(of: chain.append(note))
        }
        func changed(_ field: String, _ old: JSONValue, _ new: JSONValue) -> [String] {
            lines(["changes": [AuditChange(field, from: old, to: new).json]])
        }
        #expect(changed("refresh_seconds", 60, 30) == ["Seconds per additional sync: 60 → 30"])
        #expect(changed("user_tokens", "disabled", "optional") == ["User authentication: Disabled → Optional"])
        #expect(changed("require_two_factor", false, true) == ["Require two-factor authentication: No → Yes"])
        #expect(
            changed("device_limits", ["requests_per_user": ["burst": 1]], ["requests_per_user": ["burst": 2]])
                == ["Device limits (Requests per user, at once): 1 → 2"]
        )
        #expect(
            changed("permissions", ["read"], ["report", "users.track"])
                == ["Permissions: campaigns and segments → results, users.track"]
        )
        #expect(changed("expires_at", .null, .number(1_800_000_000)) == ["Expires: not set → 15 Jan 2027, 08:00"])
        let request: JSONValue = ["approval_id": "a", "change": "edit", "requested_by": "ann@example.com"]
        #expect(
            lines(request, "approval.request") == ["Requested change: Edit", "Requested by: ann@example.com"]
        )
        TextCatalog.$current.withValue(.japanese) {
            #expect(changed("refresh_seconds", 60, .null).first?.hasSuffix("60 → 未設定") == true)
            #expect(lines(["file": "a.csv", "status": "finished"], "user.import-end").last?.hasSuffix("：完了") == true)
        }
    }

    @Test("A variant without a name is called by its ID in the report")
    func namelessVariant() async throws {
        try await Workplace.run { place in
            try await Self.insert(place, variant: "")
            let report = try await place.member(.viewer).get(Self.path).text
            #expect(report.contains("<span class=\"strong\">a</span>"))
        }
    }
}
