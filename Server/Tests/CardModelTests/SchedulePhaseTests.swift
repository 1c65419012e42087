import CardModel
import Testing

@Suite("A schedule is ahead, running or over")
struct SchedulePhaseTests {
    private static let condition = EventCondition(.event("bought"))

    @Test(
        "From the start on, up to the end and without it, whatever gives the card",
        arguments: [
            (.scheduled(start: 100, end: 200), [.ahead, .ahead, .running, .running, .over, .over]),
            (.scheduled(start: nil, end: 200), [.running, .running, .running, .running, .over, .over]),
            (.scheduled(start: 100, end: nil), [.ahead, .ahead, .running, .running, .running, .running]),
            (.scheduled(start: nil, end: nil), [.running, .running, .running, .running, .running, .running]),
            (
                .action(Campaign.ActionDelivery(trigger: condition, start: 100, end: 200)),
                [.ahead, .ahead, .running, .running, .over, .over]
            ),
            (.action(Campaign.ActionDelivery(trigger: condition)), Array(repeating: .running, count: 6)),
            (
                .apiTriggered(Campaign.APIDelivery(start: 100, end: 200)),
                [.ahead, .ahead, .running, .running, .over, .over]
            ),
            (.apiTriggered(Campaign.APIDelivery(end: 100)), [.running, .running, .over, .over, .over, .over]),
        ] as [(Campaign.DeliveryMode, [Campaign.DeliveryMode.Phase])]
    )
    func moments(_ delivery: Campaign.DeliveryMode, _ phases: [Campaign.DeliveryMode.Phase]) {
        let times = [-1, 99.999, 100, 199.999, 200, 1e12]
        #expect(times.map { delivery.phase(at: $0) } == phases)
    }

    @Test("By the clocks of users it begins with the first zone that reaches it, and ends with the last")
    func localTimes() throws {
        let start = try #require(LocalTime("2027-01-01T09:00:00"))
        let end = try #require(LocalTime("2027-01-02T09:00:00"))
        let delivery = Campaign.DeliveryMode.scheduledLocally(start: start, end: end)
        // 14 hours ahead in Kiritimati, 12 behind on Baker Island.
        let (first, last) = (start.seconds - 14 * 3_600, end.seconds + 12 * 3_600)
        #expect(delivery.phase(at: first - 0.5) == .ahead)
        #expect(delivery.phase(at: first) == .running)
        #expect(delivery.phase(at: last - 0.5) == .running)
        #expect(delivery.phase(at: last) == .over)
        #expect(Campaign.DeliveryMode.scheduledLocally(start: nil, end: end).phase(at: 0) == .running)
        #expect(Campaign.DeliveryMode.scheduledLocally(start: start, end: nil).phase(at: 1e12) == .running)
    }

    @Test("A user in the first zone and one in the last are given the card while it runs, and not before or after")
    func farthest() throws {
        let start = try #require(LocalTime("2027-01-01T09:00:00"))
        let end = try #require(LocalTime("2027-01-02T09:00:00"))
        let campaign = try Sample.launched("c", delivery: .scheduledLocally(start: start, end: end))
        let catalog = Catalog(campaigns: [campaign], generation: 1)
        func gives(_ zone: String, at time: UnixTime) -> Bool {
            var user = Sample.user()
            user.profile.device.timeZone = zone
            return !FeedDecision(for: user, in: catalog, at: time).additions.isEmpty
        }
        let (first, last) = (start.seconds - 14 * 3_600, end.seconds + 12 * 3_600)
        #expect(!gives("Pacific/Kiritimati", at: first - 0.5) && gives("Pacific/Kiritimati", at: first))
        #expect(gives("Etc/GMT+12", at: last - 0.5) && !gives("Etc/GMT+12", at: last))
        #expect(!gives("Etc/GMT+12", at: first) && !gives("Pacific/Kiritimati", at: last - 0.5))
    }

    @Test("Only cards of schedules are given without a trigger")
    func triggers() {
        #expect(!Campaign.DeliveryMode.scheduled(start: nil, end: nil).isTriggered)
        #expect(!Campaign.DeliveryMode.scheduledLocally(start: nil, end: nil).isTriggered)
        #expect(Campaign.DeliveryMode.action(Campaign.ActionDelivery(trigger: Self.condition)).isTriggered)
        #expect(Campaign.DeliveryMode.apiTriggered(Campaign.APIDelivery()).isTriggered)
    }
}
