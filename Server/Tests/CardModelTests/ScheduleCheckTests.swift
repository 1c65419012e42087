import Testing

@testable import CardModel

@Suite("Checks of a schedule before a launch")
struct ScheduleCheckTests {
    private static let now = 1_800_000_000.0
    private static let day = 86_400.0

    private func checks(
        _ delivery: Campaign.DeliveryMode,
        quiet: QuietHours? = nil,
        _ rules: Campaign.Rules = .init()
    ) -> [String] {
        var content = Sample.campaign("c").content
        (content.delivery, content.rules) = (delivery, rules)
        return content.checks(types: [], at: Self.now, quietHours: quiet).map { "\($0.severity.rawValue) \($0.code)" }
    }

    @Test("An end that has passed everywhere is an error, and one that some clocks still await isn't")
    func ended() {
        #expect(checks(.scheduled(start: nil, end: Self.now)) == ["error schedule_over"])
        #expect(checks(.scheduled(start: nil, end: Self.now + 1)).isEmpty)
        #expect(checks(.apiTriggered(.init(end: Self.now - 1))) == ["error schedule_over"])
        let passed = LocalTime(seconds: Self.now - PlannedTime.furthestBehind)
        #expect(checks(.scheduledLocally(start: nil, end: passed)) == ["error schedule_over"])
        let nearly = LocalTime(seconds: Self.now - PlannedTime.furthestBehind + 1)
        #expect(checks(.scheduledLocally(start: nil, end: nearly)).isEmpty)
    }

    @Test("A delay that leads beyond the end gives nobody a card")
    func delay() {
        func found(_ delay: Double, start: Double?, end: Double) -> [String] {
            let trigger = EventCondition(.event("x"))
            let action = Campaign.ActionDelivery(
                trigger: trigger,
                delay: delay,
                start: start.map { Self.now + $0 },
                end: Self.now + end
            )
            return checks(.action(action))
        }
        #expect(found(Self.day, start: Self.day, end: 2 * Self.day) == ["error schedule_never_opens"])
        #expect(found(Self.day - 1, start: Self.day, end: 2 * Self.day).isEmpty)
        #expect(found(Self.day, start: nil, end: Self.day) == ["warning schedule_nearly_over"])
        #expect(found(Self.day, start: -9 * Self.day, end: Self.day) == ["warning schedule_nearly_over"])
        #expect(found(Self.day, start: nil, end: Self.day + 1).isEmpty)
    }

    @Test("A schedule in users' local time that lies in quiet hours gives nobody a card, unless it ignores them")
    func quiet() throws {
        let quiet = QuietHours(from: 22 * 60, to: 7 * 60)
        func local(_ start: String, _ end: String) -> Campaign.DeliveryMode {
            .scheduledLocally(start: LocalTime(start), end: LocalTime(end))
        }
        let night = local("2027-02-01T22:00:00", "2027-02-02T07:00:00")
        #expect(checks(night, quiet: quiet) == ["error schedule_never_opens"])
        #expect(checks(night).isEmpty)
        #expect(checks(night, quiet: quiet, .init(ignoresQuietHours: true)).isEmpty)
        let morning = local("2027-02-01T22:00:00", "2027-02-02T07:00:01")
        #expect(checks(morning, quiet: quiet).isEmpty)
        let evening = local("2027-02-01T21:59:59", "2027-02-02T06:00:00")
        #expect(checks(evening, quiet: quiet).isEmpty)
        let week = local("2027-02-01T23:00:00", "2027-02-08T06:00:00")
        #expect(checks(week, quiet: quiet).isEmpty)
        // Whose zones differ, some users' hours aren't quiet.
        #expect(checks(.scheduled(start: Self.now, end: Self.now + 60), quiet: quiet).isEmpty)
    }
}
