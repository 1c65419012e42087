import CardModel
import CardStore
import Testing

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

    @Test("A variant without a name is called by its ID in the report")
    func namelessVariant() async throws {
        try await Workplace.run { place in
            try await Self.insert(place, variant: "")
            let report = try await place.member(.viewer).get(Self.path).text
            #expect(report.contains("<span class=\"strong\">a</span>"))
        }
    }
}
