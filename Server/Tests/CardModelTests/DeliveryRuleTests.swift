import CardModel
import Testing
import WireJSON

@Suite("The rules that bound what users are given")
struct DeliveryRuleTests {
    private static let day = 86_400.0

    private func codes(_ user: UserState, _ catalog: Catalog, at now: UnixTime) -> [String: String] {
        let reasons = FeedDecision(for: user, in: catalog, at: now, explains: true).reasons
        return Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value.code) })
    }

    // MARK: The schedule by the user's clock

    @Test("A schedule in local time opens and closes where the user is, wherever they go")
    func localSchedule() throws {
        let start = try #require(LocalTime("2027-03-14T09:00:00"))
        let end = try #require(LocalTime("2027-03-14T18:00:00"))
        let campaign = try Sample.launched("c", delivery: .scheduledLocally(start: start, end: end))
        let catalog = Catalog(campaigns: [campaign], generation: 1)
        var user = Sample.user()
        // Nine o'clock on the day on which daylight saving begins: 13:00 UTC, not 14:00.
        user.profile.device.timeZone = "America/New_York"
        let nine = start.seconds + 4 * 3_600
        let early = FeedDecision(for: user, in: catalog, at: nine - 0.5)
        #expect(early.isEmpty && early.recheckAt == nine)
        #expect(FeedDecision(for: user, in: catalog, at: nine).additions.count == 1)
        user.profile.device.timeZone = "Asia/Tokyo"
        #expect(codes(user, catalog, at: nine) == ["c": "outside_schedule"])
        user.profile.device.timeZone = "America/Los_Angeles"
        #expect(FeedDecision(for: user, in: catalog, at: nine).recheckAt == start.seconds + 7 * 3_600)
        #expect(catalog.nextStart(after: 0) == nil)
    }

    @Test("A card that expires in local time leaves by the clock of wherever the user is, and comes back with it")
    func localExpiry() throws {
        let midnight = try #require(LocalTime("2027-12-25T00:00:00"))
        let campaign = try Sample.launched("c", variants: [Sample.variant("a", expiry: .atLocal(midnight))])
        let catalog = Catalog(campaigns: [campaign], generation: 1)
        var user = Sample.user()
        user.profile.device.timeZone = "Asia/Tokyo"
        user.version = 1
        user.apply(FeedDecision(for: user, in: catalog, at: 1_000), at: 1_000)
        let first = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 1_000)
        let inTokyo = midnight.seconds - 9 * 3_600
        #expect(try first.cards().map(\.expiresAt) == [inTokyo] && first.cursor.recheckAt == Int64(inTokyo))
        let second = FeedReply(for: user, in: catalog, since: first.cursor, epoch: 1, at: inTokyo)
        #expect(second.removed == user.deliveries.map(\.card) && second.cardCount == 0)
        user.profile.device.timeZone = "America/New_York"
        user.version += 1
        let third = FeedReply(for: user, in: catalog, since: second.cursor, epoch: 1, at: inTokyo + 60)
        #expect(try third.cards().map(\.expiresAt) == [midnight.seconds + 5 * 3_600])
    }

    // MARK: Re-eligibility

    @Test("A scheduled card comes again once it has gone and its time has passed, and not before")
    func reeligible() throws {
        let rules = Campaign.Rules(reeligibility: .after(seconds: 7 * Self.day))
        let catalog = Catalog(campaigns: [try Sample.launched("c", rules: rules)], generation: 1)
        var user = Sample.user()
        let given = FeedDecision(for: user, in: catalog, at: 0)
        #expect(given.recheckAt == 7 * Self.day)
        user.apply(given, at: 0)
        #expect(codes(user, catalog, at: 8 * Self.day) == ["c": "not_reeligible"])
        user.deliveries[0].isDismissed = true
        let early = FeedDecision(for: user, in: catalog, at: 7 * Self.day - 0.5)
        #expect(early.isEmpty && early.recheckAt == 7 * Self.day)
        let again = FeedDecision(for: user, in: catalog, at: 7 * Self.day)
        #expect(again.additions.map(\.ordinal) == [1])
        user.apply(again, at: 7 * Self.day)
        #expect(FeedDecision(for: user, in: catalog, at: 8 * Self.day).isEmpty)
    }

    @Test("Cards that may come again settle at the limit, however often a device asks")
    func settlesAtLimit() throws {
        let rules = Campaign.Rules(reeligibility: .after(seconds: 0))
        let campaigns = try (0..<4).map { try Sample.launched("c\($0)", at: Double($0), rules: rules) }
        let catalog = Catalog(campaigns: campaigns, generation: 1, cardLimit: 3)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 10), at: 10)
        #expect(user.deliveries.count == 3)
        for poll in 1...200 {
            let decision = FeedDecision(for: user, in: catalog, at: 10 + Double(poll) * 3_600)
            #expect(decision.isEmpty)
            user.apply(decision, at: 10 + Double(poll) * 3_600)
        }
    }

    @Test("The limit keeps pinned cards and those of high priority, whenever they came")
    func limitKeepsWhatMatters() throws {
        var (pinned, important) = (Sample.variant("a"), Sample.variant("a"))
        pinned.card?.isPinned = true
        important.card?.priority = 9
        let old = try [
            Sample.launched("pinned", at: 0, variants: [pinned]), Sample.launched("high", at: 1, variants: [important]),
            Sample.launched("plain", at: 2),
        ]
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: Catalog(campaigns: old, generation: 1, cardLimit: 3), at: 3), at: 3)
        let new = try old + [Sample.launched("new", at: 4)]
        let decision = FeedDecision(for: user, in: Catalog(campaigns: new, generation: 2, cardLimit: 3), at: 5)
        #expect(decision.additions.map(\.campaign.rawValue) == ["new"])
        #expect(decision.endings.keys.map(\.rawValue) == ["plain-card"])
        // Of a full feed of such cards, nothing goes for a plain one.
        let full = Catalog(campaigns: new, generation: 3, cardLimit: 2)
        var few = Sample.user()
        few.apply(FeedDecision(for: few, in: full, at: 5), at: 5)
        #expect(few.deliveries.map(\.campaign.rawValue).sorted() == ["high", "pinned"])
        #expect(FeedDecision(for: few, in: full, at: 6).isEmpty)
    }

    // MARK: Caps

    private func capped(_ caps: [FrequencyCap], _ campaigns: [Campaign]) -> Catalog {
        var settings = Settings()
        settings.frequencyCaps = caps
        return Catalog(campaigns: campaigns, generation: 1, settings: settings)
    }

    @Test("A further card is of the variant that the user had, unless that was ended")
    func keepsVariant() throws {
        let rules = Campaign.Rules(reeligibility: .after(seconds: Self.day))
        let variants = [Sample.variant("a", expiry: .afterDelivery(seconds: 60)), Sample.variant("b")]
        for (weight, expected) in [(1, "a"), (0, "b")] {
            var campaign = try Sample.launched("c", variants: variants, rules: rules)
            campaign.content.variants[0].weight = 1
            campaign.content.variants[1].weight = 0
            var user = Sample.user()
            user.apply(FeedDecision(for: user, in: Catalog(campaigns: [campaign], generation: 1), at: 0), at: 0)
            #expect(user.deliveries.map(\.variant.rawValue) == ["a"])

            campaign.content.variants[0].weight = weight
            campaign.content.variants[1].weight = 1_000_000
            let later = FeedDecision(for: user, in: Catalog(campaigns: [campaign], generation: 2), at: 2 * Self.day)

            #expect(later.additions.map(\.variant.rawValue) == [expected])
        }
    }

    @Test("A cap gives the most important cards first, and the rest when its days are over")
    func caps() throws {
        var important = Sample.variant("a")
        important.card?.priority = 5
        let campaigns = try [
            Sample.launched("first", at: 1), Sample.launched("second", at: 2),
            Sample.launched("important", at: 3, variants: [important]),
        ]
        let catalog = capped([FrequencyCap(cards: 2, days: 1)], campaigns)
        var user = Sample.user()
        let monday = FeedDecision(for: user, in: catalog, at: 10)
        #expect(monday.additions.map(\.campaign.rawValue) == ["first", "important"])
        #expect(monday.recheckAt == 10 + Self.day)
        user.apply(monday, at: 10)
        #expect(codes(user, catalog, at: 11)["second"] == "frequency_capped")
        #expect(FeedDecision(for: user, in: catalog, at: 9.5 + Self.day).isEmpty)
        #expect(
            FeedDecision(for: user, in: catalog, at: 10 + Self.day).additions.map(\.campaign.rawValue) == ["second"]
        )
        // Set back, the clock makes nobody eligible.
        #expect(FeedDecision(for: user, in: catalog, at: 5).isEmpty)
    }

    @Test(
        "A cap with a tag holds back only that tag, exempt campaigns neither count nor wait, and a control never counts"
    )
    func capsByTag() throws {
        let control = [Campaign.Variant(id: VariantID(rawValue: "control"), card: nil)]
        let campaigns = try [
            Sample.launched("held-out", at: 0, variants: control, tags: ["promo"]),
            Sample.launched("promo-1", at: 1, tags: ["promo"]), Sample.launched("promo-2", at: 2, tags: ["promo"]),
            Sample.launched("news", at: 3),
            Sample.launched("receipt", at: 4, rules: .init(ignoresFrequencyCaps: true), tags: ["promo"]),
        ]
        let catalog = capped([FrequencyCap(cards: 1, days: 7, tag: "promo")], campaigns)
        let decision = FeedDecision(for: Sample.user(), in: catalog, at: 10)
        #expect(decision.additions.map(\.campaign.rawValue) == ["held-out", "promo-1", "news", "receipt"])
    }

    @Test("A card that the limit has no room for takes nothing of a frequency cap")
    func capsWithinLimit() throws {
        var pinned = Sample.variant("a")
        pinned.card?.isPinned = true
        let given = try Sample.launched("given", at: 1, variants: [pinned], rules: .init(ignoresFrequencyCaps: true))
        let waiting = try Sample.launched("waiting", at: 2)
        let important = try Sample.launched("important", at: 3, variants: [pinned])
        var settings = Settings()
        settings.cardLimit = 1
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)]
        func catalog(_ campaigns: [Campaign]) -> Catalog {
            Catalog(campaigns: campaigns, generation: 1, settings: settings)
        }
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog([given]), at: 1), at: 1)

        let decision = FeedDecision(for: user, in: catalog([given, waiting, important]), at: 10)
        #expect(decision.additions.map(\.campaign.rawValue) == ["important"])
        #expect(decision.endings == [user.deliveries[0].card: .limit])
    }

    // MARK: Quiet hours

    @Test("In quiet hours nobody gets a new card, by their own clock and on the days when it changes")
    func quiet() throws {
        var settings = Settings()
        settings.quietHours = QuietHours(from: 22 * 60, to: 7 * 60)
        let loud = Campaign.Rules(ignoresQuietHours: true)
        let campaigns = try [Sample.launched("c"), Sample.launched("loud", rules: loud)]
        let catalog = Catalog(campaigns: campaigns, generation: 1, settings: settings)
        var user = Sample.user()
        user.profile.device.timeZone = "Europe/Paris"
        // The night in which the clocks go forward: seven o'clock is at 5:00 UTC.
        let evening = try #require(Timestamp.unixTime(of: "2027-03-27T21:00:00Z"))
        let morning = try #require(Timestamp.unixTime(of: "2027-03-28T05:00:00Z"))
        #expect(FeedDecision(for: user, in: catalog, at: evening - 0.5).additions.count == 2)
        let night = FeedDecision(for: user, in: catalog, at: evening)
        #expect(night.additions.map(\.campaign.rawValue) == ["loud"] && night.recheckAt == morning)
        #expect(codes(user, catalog, at: morning - 0.5) == ["c": "quiet_hours"])
        #expect(FeedDecision(for: user, in: catalog, at: morning).additions.count == 2)
        let autumn = try #require(Timestamp.unixTime(of: "2027-10-30T23:00:00Z"))
        let later = try #require(Timestamp.unixTime(of: "2027-10-31T06:00:00Z"))
        #expect(FeedDecision(for: user, in: catalog, at: autumn).recheckAt == later)
        user.profile.device.timeZone = "America/New_York"
        #expect(FeedDecision(for: user, in: catalog, at: evening).additions.count == 2)
    }

    @Test("Quiet hours may lie within one day")
    func quietByDay() {
        let siesta = QuietHours(from: 13 * 60, to: 15 * 60)
        let quiet = (0..<24).filter { siesta.end(at: Double($0) * 3_600, in: .utc) != nil }
        #expect(quiet == [13, 14])
        #expect(siesta.end(at: 14 * 3_600, in: .utc) == 54_000.0)
    }

    @Test(
        "Quiet hours end at the first minute that isn't quiet, also where the clock shows it twice or never",
        arguments: [
            ("Europe/London", "2027-10-31T00:00:00Z"), ("Europe/London", "2027-03-27T23:00:00Z"),
            ("America/New_York", "2027-11-07T04:30:00Z"), ("Africa/Cairo", "2027-10-28T19:00:00Z"),
            ("Australia/Lord_Howe", "2027-04-03T13:00:00Z"), ("Asia/Tokyo", "2027-04-03T13:00:00Z"),
        ]
    )
    func quietByChangedClocks(zone: String, evening: String) throws {
        let clock = try #require(TimeZoneClock(named: zone))
        let start = try #require(Timestamp.unixTime(of: evening))
        for (from, to) in [(1_410, 90), (435, 75), (495, 90), (60, 90), (450, 1_425), (1_380, 1_410), (0, 1_439)] {
            let quiet = QuietHours(from: from, to: to)
            // From the last minute on, backwards: the end is the next minute that isn't quiet.
            var next: UnixTime?
            for minute in stride(from: 60 * 40, through: 0, by: -1) {
                let time = start + Double(minute) * 60
                let end = quiet.end(at: time, in: clock)
                if end == nil { next = time }
                if let next, let end, end != next { Issue.record("\(from) to \(to), minute \(minute): \(end - next)") }
            }
            #expect(quiet.end(at: start + 0.3, in: clock) == quiet.end(at: start, in: clock))
        }
    }

    @Test("Quiet hours that end in the hour which the clock shows twice are over on that day")
    func quietInTheHourShownTwice() throws {
        let clock = try #require(TimeZoneClock(named: "Europe/London"))
        let quiet = QuietHours(from: 23 * 60 + 30, to: 90)
        let second = try #require(Timestamp.unixTime(of: "2027-10-31T01:06:40Z"))
        #expect(quiet.end(at: second, in: clock) == Timestamp.unixTime(of: "2027-10-31T01:30:00Z"))
    }

    // MARK: Following the audience

    @Test("A card that follows its audience leaves with it and comes back, and another stays")
    func follows() throws {
        let gold = Audience.attribute(AttributeClause(.custom("plan"), .equals, "gold"))
        let campaigns = try [
            Sample.launched("follows", audience: gold, rules: .init(followsAudience: true)),
            Sample.launched("stays", audience: gold),
        ]
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        var user = Sample.user()
        user.profile.custom["plan"] = "gold"
        user.apply(FeedDecision(for: user, in: catalog, at: 1), at: 1)
        let first = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 1)
        #expect(first.cardCount == 2)
        user.profile.custom["plan"] = "free"
        user.version += 1
        let second = FeedReply(for: user, in: catalog, since: first.cursor, epoch: 1, at: 2)
        #expect(second.removed.map(\.rawValue) == ["follows-card"] && second.cardCount == 0)
        #expect(FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 2).cardCount == 1)
        user.profile.custom["plan"] = "gold"
        user.version += 1
        let third = FeedReply(for: user, in: catalog, since: second.cursor, epoch: 1, at: 3)
        #expect(try third.cards().map(\.id) == ["follows-card"] && third.removed.isEmpty)
    }

    // MARK: Languages and platforms

    @Test("Each user reads a card in the language that suits them best, with the URL of their platform")
    func languages() throws {
        let template: JSONValue = [
            "type": "classic", "title": "Hello", "description": "World", "language": "en",
            "url": "https://shop.example",
            "urls": ["ios": "shop://ios"], "extras": ["a": "1", "b": "2"],
            "translations": [
                "ja": ["title": "こんにちは", "extras": ["b": "二"]], "pt-BR": ["title": "Olá", "url": "https://br.example"],
            ],
        ]
        let card = try CardTemplate(json: template, at: "card")
        #expect(try CardTemplate(json: card.json, at: "card") == card)
        #expect(card.json["translations"] == template["translations"] && card.json["urls"] == template["urls"])
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let catalog = Catalog(campaigns: [try Sample.launched("c", variants: [variant])], generation: 1)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 1), at: 1)
        func shown(_ locale: String?, _ platform: CardTemplate.Platform? = nil) throws -> [String?] {
            user.profile.device.locale = locale
            let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 1, platform: platform)
            let json = try #require(try reply.cards().first).json
            return [json["language"]?.string, json["title"]?.string, json["url"]?.string, json["extras"]?["b"]?.string]
        }
        #expect(try shown("ja-JP") == ["ja", "こんにちは", "https://shop.example", "二"])
        #expect(try shown("pt-PT", .android) == ["pt-BR", "Olá", "https://br.example", "2"])
        #expect(try shown("de", .ios) == ["en", "Hello", "shop://ios", "2"])
        #expect(try shown(nil) == ["en", "Hello", "https://shop.example", "2"])
        // A device whose user changes the language is told of it.
        let cursor = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 1).cursor
        user.profile.device.locale = "ja"
        user.version += 1
        #expect(FeedReply(for: user, in: catalog, since: cursor, epoch: 1, at: 2).cardCount == 1)
    }
}
