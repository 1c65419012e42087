import CardModel
import Statistics
import Testing
import WireJSON

/// Compares audiences on times with what obviously simple functions say of all that happened.
@Suite("Audiences while time passes")
struct TimedAudienceModelTests {
    private static let day = 86_400.0

    /// Everything that happened to a user, as plain lists.
    private struct Past {
        var events: [UnixTime] = []
        var sessions: [UnixTime] = []
        var purchases: [(time: UnixTime, amount: Int64)] = []
        var viewed: [UnixTime] = []
        var renewal: UnixTime?
        var zone = "UTC"

        func facts(at now: UnixTime) -> UserFacts {
            var history = UserHistory()
            history.events["e"] = Self.occurrences(events, now)
            history.sessions = Self.occurrences(sessions, now)
            if let first = purchases.first {
                var record = PurchaseRecord(of: Amount(first.amount), at: first.time)
                for more in purchases.dropFirst() { record.add(Amount(more.amount), at: more.time, now: now) }
                history.purchases[UserHistory.Product(id: "p", currency: "EUR")] = record
            }
            var user = UserState(profile: UserProfile(id: UserID(rawValue: "u"), createdAt: 0), history: history)
            user.profile.device.timeZone = zone
            if let renewal { user.profile.custom["renewal"] = .number(renewal) }
            for (number, time) in viewed.enumerated() {
                var delivery = Delivery(
                    card: CardID(rawValue: "card\(number)"),
                    campaign: CampaignID(rawValue: "c"),
                    ordinal: number,
                    variant: VariantID(rawValue: "a"),
                    deliveredAt: 0
                )
                delivery.isViewed = true
                delivery.lastViewedAt = time
                user.deliveries.append(delivery)
            }
            return UserFacts(user, at: now)
        }

        private static func occurrences(_ times: [UnixTime], _ now: UnixTime) -> Occurrences? {
            guard let first = times.first else { return nil }
            var occurrences = Occurrences(at: first)
            for time in times.dropFirst() { occurrences.add(time, now: now) }
            return occurrences
        }
    }

    /// A condition, and the same said in another way.
    private struct Condition {
        let audience: Audience
        let holds: (Past, UnixTime) -> Bool
    }

    private static let comparisons: [AttributeClause.Comparison] = [
        .equals, .notEqual, .greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual,
    ]

    private static func compare(_ left: Int64, _ comparison: AttributeClause.Comparison, _ right: Int64) -> Bool {
        switch comparison {
        case .equals: left == right
        case .notEqual: left != right
        case .greaterThan: left > right
        case .greaterThanOrEqual: left >= right
        case .lessThan: left < right
        default: left <= right
        }
    }

    private static func isWithin(_ time: UnixTime, _ seconds: Double, _ now: UnixTime) -> Bool {
        time <= now && now < time + seconds
    }

    // MARK: Conditions

    private func counted(_ random: inout SplitMix) -> Condition {
        let comparison = Self.comparisons[Int.random(in: 0...5, using: &random)]
        let value = Int64.random(in: 0...4, using: &random)
        if Bool.random(using: &random) {
            let days = Int.random(in: 1...4, using: &random)
            let clause = HistoryClause(.event("e"), .count, comparison, Double(value), within: .calendarDays(days))
            return Condition(audience: .history(clause)) { past, now in
                guard let clock = TimeZoneClock(named: past.zone) else { return false }
                func number(_ time: UnixTime) -> Int { Int((clock.local(at: time).seconds / Self.day).rounded(.down)) }
                let found = past.events.filter { $0 <= now && number($0) > number(now) - days }
                return Self.compare(Int64(found.count), comparison, value)
            }
        }
        let days = Double(Int.random(in: 0...10, using: &random)) / 2
        let clause = HistoryClause(.event("e"), .count, comparison, Double(value), within: .days(days))
        return Condition(audience: .history(clause)) { past, now in
            let found = past.events.filter { Self.isWithin($0, days * Self.day, now) }
            return Self.compare(Int64(found.count), comparison, value)
        }
    }

    private func paid(_ random: inout SplitMix) -> Condition {
        let comparison = Self.comparisons[Int.random(in: 0...5, using: &random)]
        let value = Int64.random(in: 0...9, using: &random)
        let days = Double(Int.random(in: 0...10, using: &random)) / 2
        let clause = HistoryClause(
            .purchase(product: nil),
            .revenue(currency: "EUR"),
            comparison,
            Double(value),
            within: .days(days)
        )
        return Condition(audience: .history(clause)) { past, now in
            let found = past.purchases.filter { Self.isWithin($0.time, days * Self.day, now) }
            return Self.compare(found.reduce(0) { $0 + $1.amount }, comparison, value)
        }
    }

    private func seen(_ random: inout SplitMix) -> Condition {
        let days = Double(Int.random(in: 0...10, using: &random)) / 2
        if Bool.random(using: &random) {
            let clause = ContactClause(.viewed, CampaignID(rawValue: "c"), within: .days(days))
            return Condition(audience: .contact(clause)) { past, now in
                past.viewed.max().map { Self.isWithin($0, days * Self.day, now) } ?? false
            }
        }
        let isLast = Bool.random(using: &random)
        let isRecent = Bool.random(using: &random)
        let comparison: AttributeClause.Comparison = isRecent ? .lessThanDaysAgo : .greaterThanDaysAgo
        return Condition(audience: .history(HistoryClause(.session, isLast ? .last : .first, comparison, days))) {
            past,
            now in
            guard let time = isLast ? past.sessions.max() : past.sessions.min() else { return false }
            return isRecent ? Self.isWithin(time, days * Self.day, now) : time + days * Self.day <= now
        }
    }

    private func renewed(_ random: inout SplitMix) -> Condition {
        let days = Double(Int.random(in: 0...10, using: &random)) / 2
        let isNear = Bool.random(using: &random)
        let comparison: AttributeClause.Comparison = isNear ? .lessThanDaysAhead : .greaterThanDaysAhead
        let clause = AttributeClause(.custom("renewal"), comparison, .number(days))
        return Condition(audience: .attribute(clause)) { past, now in
            guard let time = past.renewal else { return false }
            return isNear ? time > now && time - days * Self.day <= now : time - days * Self.day > now
        }
    }

    private func tree(_ depth: Int, _ random: inout SplitMix) -> Condition {
        guard depth > 0 else {
            switch Int.random(in: 0...4, using: &random) {
            case 0, 1: return counted(&random)
            case 2: return paid(&random)
            case 3: return seen(&random)
            default: return renewed(&random)
            }
        }
        var branches: [Condition] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { branches.append(tree(depth - 1, &random)) }
        let (audiences, all) = (branches.map(\.audience), branches)
        switch Int.random(in: 0...2, using: &random) {
        case 0: return Condition(audience: .all(audiences)) { past, now in all.allSatisfy { $0.holds(past, now) } }
        case 1: return Condition(audience: .any(audiences)) { past, now in all.contains { $0.holds(past, now) } }
        default: return Condition(audience: .none(audiences)) { past, now in !all.contains { $0.holds(past, now) } }
        }
    }

    // MARK: Users

    /// Times of half hours, on either side of the hour that clocks in New York show twice, so that many are at a limit.
    private func time(_ random: inout SplitMix) -> UnixTime {
        1_793_512_800 + Double(Int.random(in: -300...300, using: &random)) * 1_800
    }

    private func times(_ random: inout SplitMix) -> [UnixTime] {
        var times: [UnixTime] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) { times.append(time(&random)) }
        return times
    }

    private func past(_ random: inout SplitMix) -> Past {
        let zones = ["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Auckland"]
        var past = Past()
        past.events = times(&random)
        past.sessions = times(&random)
        past.viewed = times(&random)
        for time in times(&random) { past.purchases.append((time, Int64.random(in: 1...4, using: &random))) }
        past.renewal = Bool.random(using: &random) ? time(&random) : nil
        past.zone = zones[Int.random(in: 0...3, using: &random)]
        return past
    }

    @Test("An answer is the one of the model, and stays so until the moment that it names", arguments: 0...2)
    func answers(depth: Int) {
        var random = SplitMix(seed: 100 + UInt64(depth))
        for _ in 0..<150 {
            let condition = tree(depth, &random)
            let matcher = AudienceMatcher(condition.audience)
            let past = past(&random)
            for _ in 0..<8 {
                let now = time(&random)
                let answer = matcher.answer(of: past.facts(at: now))
                #expect(answer.matches == condition.holds(past, now), "\(condition.audience.json.text) at \(now)")
                let end = answer.until ?? now + 40 * Self.day
                #expect(end > now)
                let later = (1...6).map { now + (end - now) * Double($0) / 7 } + [end - 1]
                for moment in later where moment > now {
                    let holds = condition.holds(past, moment)
                    #expect(holds == answer.matches, "\(condition.audience.json.text) from \(now) to \(moment)")
                }
            }
        }
    }

    @Test("Whoever follows the moments that answers name misses no change")
    func changes() {
        var random = SplitMix(seed: 200)
        for _ in 0..<25 {
            let condition = tree(2, &random)
            let matcher = AudienceMatcher(condition.audience)
            let past = past(&random)
            var now = 1_793_512_800 - 14 * Self.day
            let end = now + 30 * Self.day
            var changes: [UnixTime: Bool] = [:]
            for _ in 0..<1_000 {
                let answer = matcher.answer(of: past.facts(at: now))
                changes[now] = answer.matches
                guard let until = answer.until, until < end else { break }
                now = until
            }
            var known = false
            for step in 0..<1_440 {
                let moment = end - 30 * Self.day + Double(step) * 1_800
                known = changes[moment] ?? known
                #expect(known == condition.holds(past, moment), "\(condition.audience.json.text) at \(moment)")
            }
        }
    }
}
