import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the review before a launch")
struct LaunchReviewTests {
    private static let now = 1_800_000_000.0

    private func content(
        _ delivery: Campaign.DeliveryMode,
        weights: [Int] = [9],
        control: Int? = nil
    ) -> Campaign.Content {
        var variants = weights.enumerated().map { index, weight in
            Campaign.Variant(id: VariantID(rawValue: "v\(index)"), weight: weight, card: CardTemplate(layout: .classic))
        }
        if let control {
            variants.append(Campaign.Variant(id: VariantID(rawValue: "control"), weight: control, card: nil))
        }
        return Campaign.Content(name: "x", delivery: delivery, variants: variants)
    }

    private func sentence(_ content: Campaign.Content, in catalog: TextCatalog = .english) -> String {
        TextCatalog.$current.withValue(catalog) {
            LaunchSentence(
                content,
                audience: localized("all users", in: "sentence"),
                at: Self.now,
                timeZone: "Europe/Berlin"
            ).text
        }
    }

    @Test("One sentence says when which users see what, and how many see nothing")
    func sentences() throws {
        let planned = content(.scheduled(start: Self.now + 3_600, end: Self.now + 7_200), control: 1)
        let times = "From 15 Jan 2027, 10:00 (Europe/Berlin) until 15 Jan 2027, 11:00 (Europe/Berlin)"
        #expect(
            sentence(planned) == "\(times), all users see the card; 10.0% of them see nothing, for comparison."
        )
        #expect(
            sentence(content(.scheduled(start: Self.now, end: nil), weights: [1, 1, 0]))
                == "From the launch on, all users see one of 2 cards."
        )
        let local = try #require(LocalTime("2027-01-20T09:00:00"))
        #expect(
            sentence(content(.scheduledLocally(start: local, end: nil)))
                == "From 20 Jan 2027, 09:00 in the user’s local time on, all users see the card."
        )
        let trigger = EventCondition(.event("left_cart"))
        #expect(
            sentence(content(.action(.init(trigger: trigger, end: Self.now + 3_600)), control: 9))
                == "From the launch until 15 Jan 2027, 10:00 (Europe/Berlin), all users see the card after "
                + "“left_cart”; 50.0% of them see nothing, for comparison."
        )
        #expect(
            sentence(content(.apiTriggered(.init())))
                == "From the launch on, all users see the card when your backend triggers it."
        )
        let japanese = sentence(planned, in: .japanese)
        #expect(japanese.contains("すべてのユーザーにカードが表示されます（比較のため、10.0%には何も表示されません）。"))
    }

    @Test("A warning of an image names its variant, its language and its address")
    func images() throws {
        var card = CardTemplate(layout: .captionedImage)
        card.image = "https://a.example/en.png"
        var translation = CardTemplate.Translation()
        translation.image = "https://a.example/ja.png"
        card.translations = ["ja": translation]
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), name: "Card", card: card)
        let campaign = Campaign(
            id: CampaignID(rawValue: "x"),
            content: Campaign.Content(name: "x", variants: [variant]),
            createdAt: Self.now
        )
        func found(_ path: String, _ catalog: TextCatalog) -> [LaunchChecks.LaunchCheck] {
            TextCatalog.$current.withValue(catalog) {
                let check = CampaignCheck(.warning, "image_not_loaded", at: path, "Not an image.")
                return LaunchChecks.list(campaign, checks: [check], reach: 1, at: Self.now, timeZone: "UTC")
            }
        }
        let own = try #require(found("variants[0].card.image", .english).last)
        #expect(own.text == "“Card”: Not an image." && own.detail == "https://a.example/en.png")
        let translated = try #require(found("variants[0].card.translations.ja.image", .english).last)
        #expect(translated.text == "“Card”, Japanese: Not an image." && translated.detail == "https://a.example/ja.png")
        let japanese = try #require(found("variants[0].card.translations.ja.image", .japanese).last)
        #expect(japanese.text == "「Card」、日本語：Not an image.")
    }

    /// Creates a campaign and returns its review.
    private func review(_ visitor: Visitor, _ id: String, _ more: [String: String]) async throws -> String {
        let fields = [
            "base": "{}", "c.id": id, "c.name": "Sale", "c.delivery.kind": "scheduled", "c.audience.kind": "all",
            "c.variants[0].id": "a", "c.variants[0].name": "Card", "c.variants[0].weight": "1",
            "c.variants[0].card.type": "classic", "c.variants[0].card.title": "Hello",
            "c.variants[0].card.description": "You",
        ].merging(more) { $1 }
        let saved = try await visitor.post("/dashboard/campaigns/new", from: "/dashboard/campaigns/new", fields)
        guard saved.status == 303 else { throw UnexpectedPage(answer: saved) }
        return try await visitor.get("/dashboard/campaigns/\(id)/launch").text
    }

    @Test("The review expects the users who were there in the last seven days, and says when it can't know")
    func week() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let none = try await review(visitor, "none", [:])
            #expect(none.contains("From the launch on, all users see the card."))
            #expect(none.contains("Unknown: none of them opened an app in the last seven days."))
            let seen = [
                "c.audience.items[0].kind": "attribute", "c.audience.items[0].name": "last_seen_at",
                "c.audience.items[0].comparison": "greater_than_x_days_ago", "c.audience.items[0].value": "30",
            ]
            let lapsed = try await review(visitor, "lapsed", seen)
            #expect(lapsed.contains("Can’t be estimated: the audience depends on when users were first or last there."))
        }
    }

    @Test("The review counts the users of the last seven days, new ones apart")
    func users() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            // One user, whose device syncs.
            try await EvilData.fill(place, by: admin)
            let told = "About 1 user: as many opened an app in the last seven days, 1 for the first time."
            #expect(try await review(admin, "sale", [:]).contains(told))
            place.time.advance(by: 7.5 * 86_400)
            let again = try await place.member(.editor)
            let later = try await again.get("/dashboard/campaigns/sale/launch").text
            #expect(later.contains("Unknown: none of them opened an app in the last seven days."))
        }
    }

    private func notes(_ delivery: Campaign.DeliveryMode, in catalog: TextCatalog = .english) -> [String] {
        TextCatalog.$current.withValue(catalog) {
            WeekReach.notes(delivery, at: Self.now, timeZone: "Europe/Berlin")
        }
    }

    @Test("What the delivery asks for besides is said beside the number of the next seven days")
    func weekNotes() throws {
        let day = 86_400.0
        #expect(notes(.scheduled(start: nil, end: nil)).isEmpty)
        #expect(notes(.scheduled(start: Self.now - 1, end: Self.now + 7 * day)).isEmpty)
        let end = "The campaign ends before the seven days are over, so fewer users get the card."
        #expect(notes(.scheduled(start: nil, end: Self.now + 7 * day - 1)) == [end])
        let later = Self.now + 30 * day
        let start = "These are the first seven days after the start, 14 Feb 2027, 09:00 (Europe/Berlin)."
        #expect(notes(.scheduled(start: later, end: later + 7 * day)) == [start])
        let local = try #require(LocalTime("2027-01-20T09:00:00"))
        #expect(
            notes(.scheduledLocally(start: local, end: nil)) == [
                "These are the first seven days after the start, 20 Jan 2027, 09:00 in the user’s local time.",
                "Each user’s seven days begin at that time where the user is.",
            ]
        )
        let trigger = EventCondition(.event("left_cart"))
        #expect(
            notes(.action(.init(trigger: trigger))) == [
                "Only those of them who do “left_cart” get the card: how many will isn’t known before."
            ]
        )
        let triggered = "Only those of them that your backend triggers it for get the card."
        #expect(notes(.apiTriggered(.init())) == [triggered])
        #expect(notes(.apiTriggered(.init()), in: .japanese).first?.contains("バックエンド") == true)
    }

    @Test("The button names users only where they get the card without a trigger")
    func buttons() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let button = "<button class=\"go\">Launch"
            #expect(try await review(visitor, "plain", [:]).contains("\(button) to 0 of 0 users</button>"))
            let triggered = try await review(visitor, "api", ["c.delivery.kind": "api_triggered"])
            #expect(triggered.contains("\(button)</button>"))
        }
    }

    @Test("An end that has passed is an error that says what to do")
    func passedEnd() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let page = try await review(visitor, "over", ["c.delivery.end": "2027-01-01T00:00"])
            #expect(page.contains("The end has passed, so no one would receive the card. Set a later end, or "))
            // Nothing says beside it that it starts, and nothing launches it.
            let checks = try #require(page.firstRange(of: "checks-title").map { page[$0.upperBound...] })
            #expect(!checks.contains("Starts immediately.") && !checks.contains("class=\"go\""))
        }
    }

    @Test("The review warns of a picture that isn't there")
    func warnings() async throws {
        try await Workplace.run(mail: true) { place in
            let visitor = try await place.member(.editor)
            let id = String(repeating: "0", count: 32)
            let page = try await review(
                visitor,
                "dead",
                ["c.variants[0].card.image": "https://cards.example.com/media/\(id)/a.png"]
            )
            #expect(page.contains("t in the media library."))
            #expect(page.contains("href=\"/dashboard/campaigns/dead/edit#f-c-variants-0--card-image\""))
        }
    }
}
