import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: campaigns that were stopped")
struct CampaignStopTests {
    private static let id = CampaignID(rawValue: "sale")

    /// Applies a change of a campaign as a member.
    private static func change(
        _ campaign: Campaign,
        to next: Campaign,
        _ action: String,
        _ place: Workplace
    ) async throws -> Campaign {
        let from = campaign.version
        _ = try await place.store.updateCampaign(next, from: from, action: action, by: .member("anna@example.com"))
        return next
    }

    /// A campaign that was launched, stopped after some time (at 9:00 for the first), and edited two days later.
    private static func stopped(
        _ place: Workplace,
        _ id: String = "sale",
        _ delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        after seconds: Double = 3_600
    ) async throws -> Campaign {
        var campaign = CampaignRunTests.campaign(id, delivery)
        try await place.store.insertCampaign(campaign, by: .command)
        campaign = try await change(
            campaign,
            to: campaign.applying(.launch, at: place.time.now),
            "campaign.launch",
            place
        )
        place.time.advance(by: seconds)
        let stop = Campaign.Transition.stop(withdraw: false)
        campaign = try await change(campaign, to: campaign.applying(stop, at: place.time.now), "campaign.stop", place)
        place.time.advance(by: 2 * 86_400)
        var content = campaign.content
        content.name = "Sale"
        let edited = try campaign.updating(content, at: place.time.now)
        return try await change(campaign, to: edited, "campaign.update", place)
    }

    @Test("The history says who stopped a campaign, and when, whatever was changed since")
    func history() async throws {
        try await Workplace.run { place in
            let stoppedAt = place.time.now + 3_600
            let campaign = try await Self.stopped(place)
            let stop = try #require(try await RecordedStop.find(campaign, place.store))
            #expect(stop.at == stoppedAt && stop.actor == "anna@example.com")
            let archived = try await Self.change(
                campaign,
                to: campaign.applying(.archive, at: place.time.now),
                "campaign.archive",
                place
            )
            #expect(try await RecordedStop.find(archived, place.store)?.at == stoppedAt)
            // Of one that was inserted so, nobody knows more.
            let other = CampaignRunTests.campaign("other", status: .stopped, launchedAt: 1)
            try await place.store.insertCampaign(other, by: .command)
            let unknown = try #require(try await RecordedStop.find(other, place.store))
            #expect(unknown.actor == nil)
            #expect(unknown.sentence(in: "UTC", by: nil).hasSuffix(" or before."))
            let draft = CampaignRunTests.campaign("draft")
            #expect(try await RecordedStop.find(draft, place.store) == nil)
        }
    }

    @Test("The ends of more campaigns than are looked up at a time are found, and none of those that go on")
    func many() async throws {
        try await Workplace.run { place in
            var campaigns = [CampaignRunTests.campaign("on", status: .active, launchedAt: 1)]
            for number in 0..<20 {
                campaigns.append(CampaignRunTests.campaign("c\(number)", status: .stopped, launchedAt: 1))
            }
            campaigns.append(CampaignRunTests.campaign("unlaunched", status: .archived))
            for campaign in campaigns { try await place.store.insertCampaign(campaign, by: .command) }
            let found = try await RecordedStop.find(among: campaigns, place.store)
            #expect(Set(found.keys) == Set((0..<20).map { CampaignID(rawValue: "c\($0)") }))
        }
    }

    @Test("The list, the report and the calendar say from when to when it ran")
    func pages() async throws {
        try await Workplace.run { place in
            _ = try await Self.stopped(place)
            let visitor = try await place.member(.viewer)
            let ran = "From 15 Jan 2027, 08:00 (UTC) until 15 Jan 2027, 09:00 (UTC)"
            let list = try await visitor.get("/dashboard/campaigns").text
            #expect(list.contains("title=\"\(ran)\">until 15 Jan 2027</span>"))
            let report = try await visitor.get("/dashboard/campaigns/sale").text
            #expect(report.contains("Stopped on 15 Jan 2027, 09:00 (UTC) by anna@example.com."))
            #expect(report.contains(ran))
            #expect(report.contains("The days end with the one on which the campaign was stopped."))
            var calendar = ""
            // Once the server has heard of what the test has put into the store.
            while !calendar.contains(">Stopped</span>") {
                await Task.yield()
                calendar = try await visitor.get("/dashboard/calendar").text
            }
            #expect(calendar.contains("From 15 Jan 2027, 08:00 until 15 Jan 2027, 09:00"))
        }
    }

    @Test("The list has the day until which a campaign ran by its schedule, and none for one that never began")
    func days() async throws {
        try await Workplace.run { place in
            let day = 86_400.0
            let over = Campaign.DeliveryMode.scheduled(start: nil, end: place.time.now + day)
            _ = try await Self.stopped(place, "over", over, after: 3 * day)
            let later = Campaign.DeliveryMode.scheduled(start: place.time.now + 30 * day, end: nil)
            _ = try await Self.stopped(place, "later", later)
            let list = try await place.member(.viewer).get("/dashboard/campaigns").text
            #expect(list.contains(">until 16 Jan 2027</span>") && !list.contains(">until 18 Jan 2027</span>"))
            #expect(list.contains("title=\"Never: it was stopped before it began.\">Stopped</span>"))
        }
    }

    @Test("The review of the next launch says when that will end, and not when the campaign was stopped")
    func review() async throws {
        try await Workplace.run { place in
            _ = try await Self.stopped(place)
            let editor = try await place.member(.editor)
            let review = try await editor.get("/dashboard/campaigns/sale/launch").text
            #expect(review.contains("<dt>End</dt><dd>No end date.</dd>"))
            #expect(!review.contains("Stopped on") && !review.contains("<dt>Ran</dt>"))
        }
    }

    @Test("A campaign that was stopped before its start never ran, and one whose schedule was over ran until then")
    func runs() {
        let launch = 1_800_000_000.0
        let later = CampaignRunTests.campaign(
            "a",
            .scheduled(start: launch + 60, end: launch + 120),
            status: .stopped,
            launchedAt: launch
        )
        #expect(
            RecordedStop(at: launch + 30, actor: nil).run(of: later, in: "UTC")
                == "Never: it was stopped before it began."
        )
        #expect(
            RecordedStop(at: launch + 9_000, actor: nil).run(of: later, in: "UTC")
                == "From 15 Jan 2027, 08:01 (UTC) until 15 Jan 2027, 08:02 (UTC)"
        )
    }
}
