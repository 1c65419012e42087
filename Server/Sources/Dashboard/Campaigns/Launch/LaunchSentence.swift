import CardModel

/// A campaign in one sentence: when which users see what, and how many see nothing.
struct LaunchSentence {
    let text: String

    /// Creates the sentence.
    ///
    /// - Parameters:
    ///   - content: The campaign.
    ///   - audience: The users in words.
    ///   - now: The moment of the launch; a start before it is the launch.
    ///   - timeZone: The workspace's time zone.
    init(_ content: Campaign.Content, audience: String, at now: UnixTime, timeZone: String) {
        let period = Self.period(content.delivery, now, timeZone)
        let card = Self.card(content)
        let control = Self.control(content)
        switch content.delivery {
        case .scheduled, .scheduledLocally: text = Self.scheduled(period, audience, card, control)
        case .action(let action): text = Self.after(action.trigger.displayName, period, audience, card, control)
        case .apiTriggered: text = Self.triggered(period, audience, card, control)
        }
    }

    private static func scheduled(_ period: String, _ users: String, _ card: String, _ control: String?) -> String {
        guard let control else { return localized("\(period), \(users) see \(card).") }
        return localized("\(period), \(users) see \(card); \(control) of them see nothing, for comparison.")
    }

    private static func after(
        _ event: String,
        _ period: String,
        _ users: String,
        _ card: String,
        _ control: String?
    ) -> String {
        guard let control else { return localized("\(period), \(users) see \(card) after “\(event)”.") }
        return localized(
            "\(period), \(users) see \(card) after “\(event)”; \(control) of them see nothing, for comparison."
        )
    }

    private static func triggered(_ period: String, _ users: String, _ card: String, _ control: String?) -> String {
        guard let control else { return localized("\(period), \(users) see \(card) when your backend triggers it.") }
        return localized(
            "\(period), \(users) see \(card) when your backend triggers it; \(control) see nothing, for comparison."
        )
    }

    private static func period(_ delivery: Campaign.DeliveryMode, _ now: UnixTime, _ timeZone: String) -> String {
        let schedule = delivery.schedule
        let start = schedule.start.flatMap { $0.latest > now ? ScheduleText.text($0, timeZone) : nil }
        let end = schedule.end.map { ScheduleText.text($0, timeZone) }
        return switch (start, end) {
        case (let start?, let end?): localized("From \(start) until \(end)")
        case (let start?, nil): localized("From \(start) on")
        case (nil, let end?): localized("From the launch until \(end)")
        case (nil, nil): localized("From the launch on")
        }
    }

    private static func card(_ content: Campaign.Content) -> String {
        let shown = content.variants.filter { !$0.isControl && $0.weight > 0 }.count
        return shown > 1 ? localized("one of \(shown) cards") : localized("the card")
    }

    /// The share of the control group, or `nil` for none.
    private static func control(_ content: Campaign.Content) -> String? {
        // Sums as numbers with a fraction: two weights may be more than an integer holds.
        let total = content.variants.reduce(0.0) { $0 + Double($1.weight) }
        let control = content.variants.filter(\.isControl).reduce(0.0) { $0 + Double($1.weight) }
        // safe: numbers with a fraction, and a total that isn't 0
        return total > 0 && control > 0 ? PageFormatter.percent(control / total) : nil
    }
}

extension PageContext {
    /// Returns the sentence of a campaign; a single segment is called by its name.
    func sentence(of campaign: Campaign) async throws -> String {
        LaunchSentence(
            campaign.content,
            audience: try await users(of: campaign.content.audience),
            at: campaign.launchedAt ?? now,
            timeZone: timeZone
        ).text
    }

    private func users(of audience: Audience) async throws -> String {
        switch audience {
        case .everyone, .all([]), .none([]): return localized("all users", in: "sentence")
        case .all(let branches) where branches.count == 1: return try await users(of: branches[0])
        case .segment(let id):
            if let segment = try await store.segment(id) {
                return localized("all users of the segment “\(segment.content.name)”")
            }
        default: break
        }
        let summary = try await summary(of: audience)
        return localized("all users who match “\(summary)”")
    }
}
