import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: the calendar")
struct CalendarPageTests {
    private static let page = "/dashboard/calendar"
    private static let day = 86_400.0

    private static func insert(_ campaign: Campaign, _ place: Workplace, launch: Bool = false) async throws {
        var draft = campaign
        draft.status = .draft
        try await place.store.insertCampaign(draft, by: .command)
        guard launch else { return }
        let launched = try draft.applying(.launch, at: place.time.now)
        _ = try await place.store.updateCampaign(launched, from: 1, action: "campaign.launch", by: .command)
    }

    private static func campaign(_ id: String, _ place: Workplace, in days: Double, tags: [String] = []) -> Campaign {
        let start = place.time.now + days * day
        return CampaignRunTests.campaign(id, .scheduled(start: start, end: start + 2 * day), tags: tags)
    }

    /// Returns a page once the server has heard of what a test has put into the store.
    private static func page(_ query: String, with texts: [String], _ visitor: Visitor) async throws -> String {
        while true {
            let text = try await visitor.get("\(page)\(query)").text
            if texts.allSatisfy({ text.contains($0) }) { return text }
            await Task.yield()
        }
    }

    @Test("A campaign is a link that says its dates and its status, in the workspace's time zone")
    func rows() async throws {
        try await Workplace.run { place in
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            try await Self.insert(Self.campaign("draft", place, in: 3), place)
            try await Self.insert(CampaignRunTests.campaign("open"), place, launch: true)
            let viewer = try await place.member(.viewer)
            let text = try await Self.page("", with: ["Times are in Asia/Tokyo", ">Active</span>"], viewer)
            #expect(text.contains("January 2027"))
            let rows = text.matches(of: /(?s)<a class="cal-row" href="([^"]+)">(.*?)<\/a>/)
            #expect(rows.map { String($0.1) } == ["/dashboard/campaigns/open", "/dashboard/campaigns/draft"])
            let first = try #require(rows.first?.2)
            #expect(first.contains(">Active</span> <span>From 15 Jan 2027, 17:00, no end</span>"))
            let last = try #require(rows.last?.2)
            #expect(last.contains(">Draft</span> <span>From 18 Jan 2027, 17:00 until 20 Jan 2027, 17:00</span>"))
            #expect(text.contains("show=week&amp;from=2027-01-15") && text.contains(#"aria-label="Next month""#))
            let before = try await viewer.get("\(Self.page)?from=2026-12-01").text
            #expect(before.contains("December 2026") && !before.contains("cal-row"))
            #expect(before.contains("No campaigns in this range"))
        }
    }

    @Test("The calendar is searched as the list of campaigns is, and keeps the search from range to range")
    func search() async throws {
        try await Workplace.run { place in
            for (id, tag) in [("one", "spring"), ("two", "autumn")] {
                try await Self.insert(Self.campaign(id, place, in: 1, tags: [tag]), place, launch: id == "one")
            }
            let viewer = try await place.member(.viewer)
            _ = try await Self.page("", with: [">Name one<"], viewer)
            func found(_ query: String) async throws -> [String] {
                try await viewer.get("\(Self.page)?\(query)").text.matches(of: /title="Name ([a-z]+)"/).map {
                    String($0.1)
                }
            }
            #expect(try await found("") == ["one", "two"])
            #expect(try await found("tag=spring") == ["one"])
            #expect(try await found("q=NAME+TWO") == ["two"])
            #expect(try await found("q=three").isEmpty)
            let page = try await viewer.get("\(Self.page)?q=name&tag=autumn").text
            #expect(page.contains("from=2027-02-01&amp;q=name&amp;tag=autumn"))
        }
    }

    @Test("More campaigns than fit aren't shown, and counted")
    func bound() async throws {
        try await Workplace.run { place in
            for number in 0..<(CalendarCampaigns.readLimit + 5) {
                try await Self.insert(Self.campaign("c\(number)", place, in: 1), place)
            }
            let text = try await place.member(.viewer).get(Self.page).text
            #expect(text.matches(of: /class="cal-row"/).count == CalendarCampaigns.limit)
            #expect(text.contains("150 campaigns more in this range not shown."))
            #expect(text.contains("Of each of these, only the 200 changed last are looked at: Draft."))
            #expect(text.contains(#"<a href="/dashboard/campaigns">Show these campaigns as a list</a>"#))
            #expect(!text.contains("Drafts without dates"))
        }
    }

    @Test("Drafts without dates are listed apart, with their number and the list of campaigns that has them all")
    func undated() async throws {
        try await Workplace.run { place in
            let viewer = try await place.member(.viewer)
            #expect(try await !viewer.get(Self.page).text.contains("Drafts without dates"))
            for number in 0..<UndatedDrafts.limit {
                let draft = CampaignRunTests.campaign("d\(number)", tags: ["a&b"])
                try await Self.insert(draft, place)
            }
            try await Self.insert(Self.campaign("dated", place, in: 1), place)
            let exact = try await viewer.get(Self.page).text
            #expect(exact.contains("20 drafts with neither a start nor an end.</p>"))
            try await Self.insert(CampaignRunTests.campaign("last"), place)
            for query in ["", "?from=2027-06-01", "?show=quarter&from=2020-01-01"] {
                let text = try await viewer.get("\(Self.page)\(query)").text
                #expect(text.matches(of: /class="cal-row"/).count == (query.isEmpty ? 1 : 0), "\(query)")
                let told = "21 drafts with neither a start nor an end; the 20 changed last are listed."
                #expect(text.contains(told), "\(query)")
                #expect(text.matches(of: /title="Name (d[0-9]+|last)"/).count == UndatedDrafts.limit, "\(query)")
                #expect(text.contains(#"href="/dashboard/campaigns?status=draft">Show all drafts"#), "\(query)")
            }
            let tagged = try await viewer.get("\(Self.page)?tag=a%26b").text
            #expect(tagged.contains("status=draft&amp;tag=a%26b"))
            #expect(tagged.contains("20 drafts with neither a start nor an end.</p>"))
        }
    }

    @Test("A campaign that ran and was archived since stays in the months in which it ran")
    func archived() async throws {
        try await Workplace.run { place in
            func change(
                _ campaign: Campaign,
                _ transition: Campaign.Transition,
                _ action: String
            ) async throws -> Campaign {
                let next = try campaign.applying(transition, at: place.time.now)
                return try await place.store.updateCampaign(next, from: campaign.version, action: action, by: .command)
            }
            let (draft, planned) = (CampaignRunTests.campaign("ran"), Self.campaign("planned", place, in: 1))
            for campaign in [draft, planned] { try await Self.insert(campaign, place) }
            _ = try await change(planned, .archive, "campaign.archive")
            var ran = try await change(draft, .launch, "campaign.launch")
            place.time.advance(by: 2 * Self.day)
            ran = try await change(ran, .stop(withdraw: false), "campaign.stop")
            place.time.advance(by: 40 * Self.day)
            _ = try await change(ran, .archive, "campaign.archive")

            let viewer = try await place.member(.viewer)
            let text = try await viewer.get("\(Self.page)?from=2027-01-01").text
            let rows = text.matches(of: /(?s)<a class="cal-row" href="([^"]+)">(.*?)<\/a>/)
            #expect(rows.map { String($0.1) } == ["/dashboard/campaigns/ran"])
            let row = try #require(rows.first?.2)
            #expect(row.contains(">Archived</span> <span>From 15 Jan 2027,") && row.contains(" until 17 Jan 2027,"))
            #expect(try await !viewer.get(Self.page).text.contains("cal-row"))
        }
    }

    @Test("A draft with an end alone has a bar, since it runs no longer than that")
    func ended() throws {
        let now = 1_800_000_000.0
        let ends = CampaignRunTests.campaign("a", .scheduled(start: nil, end: now + Self.day))
        #expect(CampaignRun(ends, at: now)?.isUndated == false)
        #expect(CampaignRun(CampaignRunTests.campaign("b"), at: now)?.isUndated == true)
    }

    @Test("Of many draft collisions, a warning lists some campaigns and counts the others")
    func longWarning() async throws {
        try await Workplace.run { place in
            var settings = Settings()
            settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)]
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            try await place.store.updateUsers([UserUpdate(id: UserID(rawValue: "u"))], at: place.time.now)
            for number in 0..<13 { try await Self.insert(Self.campaign("c\(number)", place, in: 1), place) }
            let text = try await place.member(.editor).get("\(Self.page)?overlap=1").text
            let warning = try #require(text.firstMatch(of: /(?s)cal-warning">(.*?)<\/div>/)?.1)
            #expect(warning.matches(of: /<li><a href/).count == 10 && warning.contains("<li>and 3 campaigns more</li>"))
        }
    }

    @Test("An editor sees who gets more cards than a cap lets through, and a viewer isn't offered it")
    func overlap() async throws {
        try await Workplace.run { place in
            var settings = Settings()
            settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)]
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            let users = (0..<8).map { UserUpdate(id: UserID(rawValue: "u\($0)"), custom: ["n": .integer(Int64($0))]) }
            try await place.store.updateUsers(users, at: place.time.now)
            for (id, limit) in [("few", 3), ("many", 6)] {
                var campaign = Self.campaign(id, place, in: 1)
                campaign.content.audience = .attribute(
                    AttributeClause(.custom("n"), .lessThan, .integer(Int64(limit)))
                )
                try await Self.insert(campaign, place, launch: true)
            }
            let editor = try await place.member(.editor)
            let before = try await Self.page("", with: [">Name few<", ">Name many<"], editor)
            #expect(before.contains("Estimate overlap") && before.contains("overlap=1#overlap"))
            let text = try await Self.page("?overlap=1", with: ["The frequency cap"], editor)
            #expect(text.contains("Counted among all 8 users, as their audiences are now."))
            #expect(text.contains("2 campaigns deliver cards within 1 day from 16 Jan 2027 on."))
            #expect(text.contains("More than 1 of them match the same 3 users."))
            #expect(text.contains("The frequency cap (1 card in 1 day) holds their further cards back"))
            #expect(text.contains(">3 users</td>") && text.contains(">100.0%</td>"))
            let pair = /<ul class="plain-list"><li><a [^>]*>Name \w+<\/a><\/li><li><a [^>]*>Name \w+<\/a><\/li>/
            #expect(text.matches(of: pair).count == 1)

            let viewer = try await place.member(.viewer).get("\(Self.page)?overlap=1")
            #expect(viewer.status == 200)
            #expect(viewer.text.contains("Only editors and administrators can estimate overlap."))
            #expect(!viewer.text.contains("match the same"))
        }
    }
}
