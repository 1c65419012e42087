import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: when campaigns run")
struct CampaignRunTests {
    private static let now = 1_800_000_000.0
    private static let day = 86_400.0

    static func campaign(
        _ id: String,
        _ delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        status: Campaign.Status = .draft,
        launchedAt: UnixTime? = nil,
        audience: Audience = .everyone,
        tags: [String] = []
    ) -> Campaign {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("T", "D")
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let content = Campaign.Content(
            name: "Name \(id)",
            tags: tags,
            delivery: delivery,
            audience: audience,
            variants: [variant]
        )
        var campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: now - 90 * day)
        (campaign.status, campaign.launchedAt) = (status, launchedAt)
        return campaign
    }

    @Test("A draft without a start is open to that side, and begins no sooner than now")
    func draft() throws {
        let run = try #require(CampaignRun(Self.campaign("a"), at: Self.now))
        #expect(run.isOpenAtStart && run.end == nil && run.state == .draft)
        #expect(!run.runs(from: Self.now - Self.day, to: Self.now))
        #expect(run.runs(from: Self.now, to: Self.now + 1) && run.runs(from: Self.now + 1e9, to: Self.now + 1.1e9))
    }

    @Test("A campaign that was launched late starts with its launch, and one that was stopped ends then")
    func launched() throws {
        let schedule = Campaign.DeliveryMode.scheduled(start: Self.now - 9 * Self.day, end: Self.now + 9 * Self.day)
        let late = Self.campaign("a", schedule, status: .active, launchedAt: Self.now - Self.day)
        let run = try #require(CampaignRun(late, at: Self.now))
        #expect(run.start.lowerBound == Self.now - Self.day && run.start.upperBound == Self.now - Self.day)
        #expect(run.end?.upperBound == Self.now + 9 * Self.day && run.state == .active)
        var stopped = late
        (stopped.status, stopped.updatedAt) = (.stopped, Self.now)
        #expect(CampaignRun(stopped, at: Self.now)?.end?.upperBound == Self.now)
        // It was changed once more since.
        #expect(CampaignRun(stopped, at: Self.now, stoppedAt: Self.now - 60)?.end?.upperBound == Self.now - 60)
        // It was stopped before it began.
        stopped.updatedAt = Self.now - 20 * Self.day
        #expect(CampaignRun(stopped, at: Self.now) == nil)
    }

    @Test("A start in users' local time spreads over 26 hours, in both directions from the workspace's")
    func local() throws {
        let (start, end) = (LocalTime(seconds: Self.now), LocalTime(seconds: Self.now + 7 * Self.day))
        let run = try #require(
            CampaignRun(Self.campaign("a", .scheduledLocally(start: start, end: end)), at: Self.now)
        )
        #expect(run.start == (Self.now - 14 * 3_600)...(Self.now + 12 * 3_600))
        #expect(run.end == (run.start.lowerBound + 7 * Self.day)...(run.start.upperBound + 7 * Self.day))
        #expect(run.isLocal && run.runs(from: Self.now - 14 * 3_600, to: Self.now - 13 * 3_600))
        let range = CalendarRange(.month, around: Day(of: Self.now), clock: .utc)
        let bar = CalendarDrawing(range: range).bar(of: run)
        #expect(bar.matches(of: /cal-faint/).count == 2 && bar.matches(of: /<rect/).count == 3)
        let text = CalendarDates(zone: "Asia/Tokyo").text(of: run)
        #expect(
            text == "From 15 Jan 2027, 08:00 in the user’s local time until 22 Jan 2027, 08:00 in the user’s local time"
        )
    }

    @Test("Of more campaigns than fit, active ones are kept first, and all are counted")
    func list() throws {
        var list = CampaignRunList(limit: 3)
        for number in 0..<6 {
            let start = Self.now + Double(9 - number)
            list.add(
                try #require(CampaignRun(Self.campaign("d\(number)", .scheduled(start: start, end: nil)), at: Self.now))
            )
        }
        let active = Self.campaign("a", status: .active, launchedAt: Self.now - 1)
        list.add(try #require(CampaignRun(active, at: Self.now)))
        #expect(list.count == 7 && list.runs.map(\.campaign.id.rawValue) == ["a", "d5", "d4"])
        #expect(list.byStart.map(\.campaign.id.rawValue) == ["a", "d5", "d4"])
    }

    // MARK: Overlap

    /// Four users: 1 is in all audiences, 2 in two of them, 3 and 4 in one.
    private static let overlap = AudienceOverlap(
        users: [0b111: 1, 0b011: 1, 0b100: 2],
        asked: 4,
        total: 4,
        isExact: true
    )

    private func findings(_ campaigns: [Campaign], _ settings: Settings) throws -> OverlapFindings {
        let runs = try campaigns.map { try #require(CampaignRun($0, at: Self.now)) }
        let range = CalendarRange(.month, around: Day(of: Self.now), clock: .utc)
        return OverlapFindings(runs, Self.overlap, in: range, settings, at: Self.now)
    }

    private func starting(_ days: [Double], tags: [String] = []) -> [Campaign] {
        days.enumerated().map { index, day in
            let start = Self.now + day * Self.day
            return Self.campaign("\(index)", .scheduled(start: start, end: start + 2 * Self.day), tags: tags)
        }
    }

    @Test("Pairs are of campaigns that run at the same time, those with most users first")
    func pairs() throws {
        let all = try findings(starting([1, 1, 1]), Settings()).pairs
        #expect(all.map { [$0.first, $0.second] } == [[0, 1], [0, 2], [1, 2]])
        #expect(all.map(\.common.users) == [2, 1, 1] && all.map(\.share) == [1, 0.5, 0.5])
        // The third begins after the others have ended.
        #expect(try findings(starting([1, 1, 4]), Settings()).pairs.map { [$0.first, $0.second] } == [[0, 1]])
    }

    @Test("A cap collides where more campaigns begin within its days than it lets through")
    func caps() throws {
        var settings = Settings()
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)]
        let found = try findings(starting([1, 1.5, 4]), settings).collisions
        #expect(found.map(\.places) == [[0, 1]] && found.map(\.users.users) == [2])
        #expect(found.first?.moment == Self.now + Self.day)
        settings.frequencyCaps = [FrequencyCap(cards: 2, days: 7)]
        #expect(try findings(starting([1, 1.5, 4]), settings).collisions.map(\.users.users) == [1])
        settings.frequencyCaps = [FrequencyCap(cards: 3, days: 7)]
        #expect(try findings(starting([1, 1.5, 4]), settings).collisions.isEmpty)
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 7, tag: "promo")]
        #expect(try findings(starting([1, 1, 1]), settings).collisions.isEmpty)
        #expect(try findings(starting([1, 1, 1], tags: ["promo"]), settings).collisions.count == 1)
    }

    @Test("What began before its cap's days counts no more, unless it is triggered")
    func past() throws {
        var settings = Settings()
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 2)]
        func old(_ delivery: Campaign.DeliveryMode) throws -> [OverlapFindings.Collision] {
            let campaigns = (0..<3).map {
                Self.campaign("\($0)", delivery, status: .active, launchedAt: Self.now - 30 * Self.day)
            }
            return try findings(campaigns, settings).collisions
        }
        #expect(try old(.scheduled(start: nil, end: nil)).isEmpty)
        #expect(try old(.apiTriggered(.init())).map(\.users.users) == [2])
    }

    @Test("A feed collides where more campaigns run at once than it has room for")
    func feed() throws {
        var settings = Settings()
        settings.cardLimit = 2
        let found = try findings(starting([1, 2, 2.5]), settings).collisions
        #expect(found.map(\.places) == [[0, 1, 2]] && found.map(\.users.users) == [1])
        #expect(try findings(starting([1, 2, 3.5]), settings).collisions.isEmpty)
    }
}
