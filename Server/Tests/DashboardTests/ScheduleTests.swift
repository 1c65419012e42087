import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: schedules")
struct ScheduleTests {
    /// 15 January 2027, 08:00 UTC: the clock of the tests.
    private let now = 1_800_000_000.0

    private func state(_ delivery: Campaign.DeliveryMode, at now: UnixTime? = nil) -> CampaignState {
        let variants = [Campaign.Variant(id: VariantID(rawValue: "a"), card: nil)]
        let content = Campaign.Content(name: "x", delivery: delivery, audience: .everyone, variants: variants)
        var campaign = Campaign(id: CampaignID(rawValue: "x"), content: content, createdAt: 0)
        campaign.status = .active
        return CampaignState(campaign, at: now ?? self.now)
    }

    @Test("A start in the user's local time is scheduled until the first time zone reaches it")
    func localStart() throws {
        let start = try #require(LocalTime("2027-01-20T09:00:00"))
        let delivery = Campaign.DeliveryMode.scheduledLocally(start: start, end: nil)
        #expect(state(delivery) == .scheduled)
        // 09:00 on Kiritimati, 14 hours ahead of UTC.
        #expect(state(delivery, at: start.seconds - 14 * 3_600 - 1) == .scheduled)
        #expect(state(delivery, at: start.seconds - 14 * 3_600) == .active)
    }

    @Test("An end in the user's local time is over when the last time zone has passed it")
    func localEnd() throws {
        let end = try #require(LocalTime("2027-01-15T00:00:00"))
        let delivery = Campaign.DeliveryMode.scheduledLocally(start: nil, end: end)
        #expect(state(delivery) == .active)
        #expect(state(delivery, at: end.seconds + 12 * 3_600) == .ended)
    }

    @Test("Campaigns that need a trigger have a schedule too")
    func triggered() {
        #expect(state(.apiTriggered(.init(start: now + 1))) == .scheduled)
        #expect(state(.apiTriggered(.init(end: now))) == .ended)
        #expect(state(.apiTriggered(.init(start: now, end: now + 1))) == .active)
    }

    @Test("Tabs of the list hold scheduled, active and ended campaigns apart")
    func tabs() {
        func tabs(_ start: UnixTime?, _ end: UnixTime?) -> [CampaignTab] {
            let campaign = launched(.scheduled(start: start, end: end), at: now)
            return CampaignTab.allCases.filter { $0.contains(campaign, at: now) }
        }
        #expect(tabs(now + 1, nil) == [.scheduled] && tabs(nil, now) == [.ended] && tabs(now, now + 1) == [.active])
    }

    @Test("The review says when a campaign starts, by which clock, and when the first users are reached")
    func words() throws {
        let start = try #require(LocalTime("2027-01-20T09:00:00"))
        let local = ScheduleText(.scheduledLocally(start: start, end: nil), at: now, timeZone: "Asia/Tokyo")
        #expect(
            local.start
                == "Starts on 20 Jan 2027, 09:00 in the user’s local time. The first users receive the card in 4 days."
        )
        #expect(local.end == "No end date.")
        let fixed = ScheduleText(.scheduled(start: now + 3_600, end: now + 7_200), at: now, timeZone: "Asia/Tokyo")
        #expect(fixed.start == "Starts in 1 hour, on 15 Jan 2027, 18:00 (Asia/Tokyo).")
        #expect(fixed.end == "Ends on 15 Jan 2027, 19:00 (Asia/Tokyo).")
        let over = ScheduleText(.scheduled(start: nil, end: now), at: now, timeZone: "Asia/Tokyo")
        #expect(over.end == "Ended on 15 Jan 2027, 17:00 (Asia/Tokyo).")
        #expect(ScheduleText(.scheduled(start: now, end: nil), at: now, timeZone: "UTC").start == "Starts immediately.")
    }

    @Test("A start in the user's local time that is past for some users alone isn't called immediate")
    func pastForSome() throws {
        let start = try #require(LocalTime("2027-01-15T08:00:00"))
        let local = Campaign.DeliveryMode.scheduledLocally(start: start, end: nil)
        #expect(
            ScheduleText(local, at: now, timeZone: "UTC").start
                == "Starts on 15 Jan 2027, 08:00 in the user’s local time. "
                + "Users who are past that receive the card immediately."
        )
        let over = start.seconds + 12 * 3_600
        #expect(ScheduleText(local, at: over, timeZone: "UTC").start == "Starts immediately.")
    }

    private func launched(
        _ delivery: Campaign.DeliveryMode,
        at launch: UnixTime,
        status: Campaign.Status = .active
    ) -> Campaign {
        let content = Campaign.Content(name: "x", delivery: delivery, audience: .everyone, variants: [])
        var campaign = Campaign(id: CampaignID(rawValue: "x"), content: content, createdAt: 0)
        (campaign.status, campaign.launchedAt, campaign.updatedAt) = (status, launch, launch)
        return campaign
    }

    @Test("A launched campaign says which start was planned, while clocks reach it and when all have")
    func plannedStart() throws {
        let noon = try #require(LocalTime("2027-01-15T12:00:00"))
        let campaign = launched(.scheduledLocally(start: noon, end: nil), at: now - 3_600)
        func start(_ campaign: Campaign, at now: UnixTime) -> String {
            ScheduleText(campaign, at: now, timeZone: "UTC").start
        }
        let launch = "Launched on 15 Jan 2027, 07:00 (UTC)."
        let users = "15 Jan 2027, 12:00 in the user’s local time"
        #expect(
            start(campaign, at: now)
                == "Starts on \(users). Users who are past that receive the card immediately. \(launch)"
        )
        #expect(start(campaign, at: noon.seconds + 12 * 3_600) == "Started on \(users). \(launch)")
        #expect(campaign.shownStart == .local(noon))
        // Launched when all clocks had passed it.
        let late = launched(.scheduledLocally(start: noon, end: nil), at: noon.seconds + 12 * 3_600)
        #expect(start(late, at: noon.seconds + 86_400) == "Launched on 16 Jan 2027, 00:00 (UTC).")
        #expect(late.shownStart == .at(noon.seconds + 12 * 3_600))
        let fixed = launched(.scheduled(start: now, end: nil), at: now - 3_600)
        #expect(start(fixed, at: now + 60) == "Started on 15 Jan 2027, 08:00 (UTC). \(launch)")
        // Stopped before anybody's start.
        let stopped = launched(.scheduled(start: now, end: nil), at: now - 3_600, status: .stopped)
        #expect(start(stopped, at: now - 60) == launch && start(stopped, at: now + 60) == launch)
        // It was edited since.
        var edited = stopped
        edited.updatedAt = now + 60
        let text = ScheduleText(edited, at: now + 120, timeZone: "UTC", stoppedAt: now - 60)
        #expect(text.start == launch)
    }

    @Test("A campaign that is to start in local time is Scheduled in the review, its page and the list")
    func pages() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let fields = [
                "base": "{}", "c.id": "eve", "c.name": "Late sale", "c.tags": "sale", "c.delivery.kind": "scheduled",
                "c.delivery.local": "on", "c.delivery.start": "2027-01-16T23:00", "c.audience.kind": "all",
                "c.variants[0].id": "a", "c.variants[0].name": "Card", "c.variants[0].weight": "9",
                "c.variants[0].card.type": "classic", "c.variants[0].card.title": "Hello",
                "c.variants[0].card.description": "You", "c.variants[1].id": "control",
                "c.variants[1].name": "Control", "c.variants[1].weight": "1", "c.variants[1].control": "on",
            ]
            let address = "/dashboard/campaigns/eve"
            _ = try await visitor.post("/dashboard/campaigns/new", from: "/dashboard/campaigns/new", fields)
            let review = try await visitor.get("\(address)/launch").text
            #expect(review.contains("16 Jan 2027, 23:00 in the user’s local time"))
            #expect(!review.contains("Starts immediately"))
            #expect(review.contains("<dt>Control group</dt><dd>10.0% of the audience</dd>"))
            #expect(review.contains("<dd>All users</dd>"))
            let card = try await visitor.get("\(address)/card?variant=a")
            #expect(card.status == 200 && card.text.contains("Hello"))
            #expect(try await visitor.get("\(address)/card?variant=control").status == 404)

            _ = try await visitor.post("\(address)/launch", from: "\(address)/launch", ["version": "1"])
            #expect(try await visitor.get(address).text.contains("<span class=\"status scheduled\">Scheduled</span>"))
            func list(_ query: String) async throws -> Bool {
                try await visitor.get("/dashboard/campaigns?\(query)").text.contains("Late sale")
            }
            #expect(try await list("status=scheduled"))
            #expect(try await list("status=scheduled&q=late&tag=sale"))
            #expect(try await !list("status=scheduled&q=easter"))
            #expect(try await !list("status=scheduled&tag=spring"))
            #expect(try await !list("status=active"))
            let overview = try await visitor.get("/dashboard").text
            #expect(overview.contains("active, 1 scheduled, 0 drafts") && overview.contains("No active campaigns."))
            let all = try await visitor.get("/dashboard/campaigns").text
            #expect(all.contains("Scheduled <span class=\"count\">1</span>"))
            #expect(all.contains("Active <span class=\"count\">0</span>"))
            // The tabs keep the search and the tag, and count what they find.
            let searched = try await visitor.get("/dashboard/campaigns?q=late&tag=sale&status=scheduled").text
            #expect(searched.contains("href=\"/dashboard/campaigns?status=draft&amp;q=late&amp;tag=sale\""))
            #expect(searched.contains("href=\"/dashboard/campaigns?status=scheduled\">Clear</a>"))
            #expect(searched.contains("Scheduled <span class=\"count\">1</span>"))
            let missed = try await visitor.get("/dashboard/campaigns?q=easter").text
            #expect(missed.contains("All <span class=\"count\">0</span>"))
            #expect(missed.contains("Scheduled <span class=\"count\">0</span>"))
            // Eligibility names the user's local time.
            var update = UserUpdate(id: UserID(rawValue: "berlin"))
            update.standard[.timeZone] = "Europe/Berlin"
            try await place.store.updateUsers([update], at: place.time.now)
            let user = try await visitor.get("/dashboard/users/berlin").text
            #expect(user.contains("16 Jan 2027, 23:00 in the user’s local time (Europe/Berlin)"))
            // It is 23:00 on Kiritimati at 09:00 UTC.
            place.time.advance(by: 26 * 3_600)
            #expect(try await list("status=active"))
            #expect(try await !list("status=scheduled"))
            let began = try await visitor.get("/dashboard").text
            #expect(began.contains(">Late sale</span>") && began.contains("active, 0 drafts"))
            try await tellsPlan(visitor, place)
        }
    }

    /// While clocks reach the start, and when all have, every page tells it, and none says otherwise.
    private func tellsPlan(_ visitor: Visitor, _ place: Workplace) async throws {
        let start = "16 Jan 2027, 23:00 in the user’s local time"
        for (hours, words) in [(0.0, "Starts on"), (26.0, "Started on")] {
            place.time.advance(by: hours * 3_600)
            let page = try await visitor.get("/dashboard/campaigns/eve").text
            #expect(page.contains("\(words) \(start)") && page.contains("Launched on 15 Jan 2027, 08:00 (UTC)."))
            let review = try await visitor.get("/dashboard/campaigns/eve/launch").text
            #expect(review.contains("From \(start) on") && review.contains("\(words) \(start)"))
            #expect(!review.contains("Starts immediately"))
            #expect(try await visitor.get("/dashboard/campaigns").text.contains("title=\"\(start)\""))
            #expect(try await visitor.get("/dashboard/calendar").text.contains("From \(start)"))
        }
    }
}
