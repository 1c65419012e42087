import CardModel
import Testing
import WireJSON

@Suite("Templates in cards")
struct TemplateTests {
    private let engine = TemplateEngine(
        contentBlocks: [
            ContentBlock(name: "sign", content: "— {{${first_name}}}", updatedAt: 0),
            ContentBlock(name: "a", content: "{{content_blocks.${b}}}", updatedAt: 0),
            ContentBlock(name: "b", content: "{{content_blocks.${a}}}", updatedAt: 0),
        ]
    )

    private func variant(_ card: JSONValue) throws -> Campaign.Variant {
        var members = card.object ?? [:]
        members["type"] = "classic"
        members["title"] = members["title"] ?? "T"
        members["description"] = members["description"] ?? "D"
        return Campaign.Variant(
            id: VariantID(rawValue: "a"),
            card: try CardTemplate(json: .object(members), at: "card")
        )
    }

    private func catalog(
        _ cards: [JSONValue],
        delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        rules: Campaign.Rules = .init()
    ) throws -> Catalog {
        let campaigns = try cards.enumerated().map { index, card in
            try Sample.launched("c\(index)", delivery: delivery, variants: [try variant(card)], rules: rules)
        }
        return Catalog(campaigns: campaigns, generation: 1, settings: Settings(), engine: engine)
    }

    /// What a user gets of a card who has a few attributes.
    private func shown(_ card: JSONValue, at now: UnixTime = 1_000) throws -> JSONValue {
        var user = person
        let catalog = try catalog([card])
        user.apply(FeedDecision(for: user, in: catalog, at: now), at: now)
        return try FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: now).cards().first?.json ?? .null
    }

    private var person: UserState {
        var user = Sample.user()
        user.profile.standard[.firstName] = "Ann"
        user.profile.custom["plan"] = "gold"
        user.profile.device.timeZone = "Asia/Tokyo"
        user.version = 1
        return user
    }

    @Test(
        "Every text, URL and value may be a template, and reads the user, the campaign and the time where the user is"
    )
    func renders() throws {
        let card = try shown(
            [
                "title": "Hi {{${first_name}}}{{content_blocks.${sign}}}", "description": "{{campaign.${name}}}",
                "url": "shop://{{custom_attribute.${plan}}}", "domain": "{{${last_name} | default: 'nobody'}}",
                "extras": ["id": "{{${user_id}}}", "plain": "x", "time": "{{ 'now' | date: '%Y-%m-%d %H:%M %z' }}"],
            ],
            at: 1_800_000_000
        )
        #expect(card["title"] == "Hi Ann— Ann" && card["description"] == "c0" && card["url"] == "shop://gold")
        #expect(card["domain"] == "nobody")
        #expect(card["extras"] == ["id": "u", "plain": "x", "time": "2027-01-15 17:00 +0900"])
    }

    @Test("A trigger's properties are the card's own, whatever is triggered later")
    func triggerProperties() throws {
        let catalog = try catalog(
            [["title": "{{api_trigger_properties.${tile}}}/{{event_properties.${tile}}}"]],
            delivery: .apiTriggered(.init())
        )
        var user = person
        user.triggers = [
            Sample.trigger("a", of: "c0", properties: ["tile": 1]),
            Sample.trigger("b", of: "c0", properties: ["tile": "x"]),
        ]
        user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
        let cards = try FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 6).cards()
        #expect(Set(cards.map { $0.json["title"]?.string }) == ["1/1", "x/x"])
    }

    @Test("A card follows its user until it is frozen")
    func freezes() throws {
        for freezes in [false, true] {
            let catalog = try catalog([["title": "{{custom_attribute.${plan}}}"]], rules: .init(freezes: freezes))
            var user = person
            user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
            let first = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 5)
            user.profile.custom["plan"] = "silver"
            user.version += 1
            let second = FeedReply(for: user, in: catalog, since: first.cursor, epoch: 1, at: 6)
            #expect(try second.cards().map { $0.json["title"]?.string } == (freezes ? ["gold"] : ["silver"]))
        }
    }

    @Test(
        "A frozen card leads each platform where it did when it was given, whichever device got it",
        arguments: [nil] + CardTemplate.Platform.allCases.map(Optional.some)
    )
    func freezesPlatforms(_ first: CardTemplate.Platform?) throws {
        let catalog = try catalog(
            [
                [
                    "title": "{{custom_attribute.${plan}}}", "url": "https://a.example/{{custom_attribute.${plan}}}",
                    "urls": ["ios": "app://{{custom_attribute.${plan}}}", "android": "droid://all"],
                ]
            ],
            rules: .init(freezes: true)
        )
        var user = person
        user.apply(FeedDecision(for: user, in: catalog, at: 5, platform: first), at: 5)
        user.profile.custom["plan"] = "silver"
        user.version += 1
        let expected: [(CardTemplate.Platform?, String)] = [
            (nil, "https://a.example/gold"), (.ios, "app://gold"), (.android, "droid://all"),
            (.web, "https://a.example/gold"),
        ]
        for (platform, url) in expected {
            let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 6, platform: platform)
            #expect(try reply.cards().map { $0.json["url"]?.string } == [url])
            #expect(try reply.cards().map { $0.json["title"]?.string } == ["gold"])
        }
    }

    @Test(
        "What fails or aborts is withheld with its reason, and the user's other cards are as they were",
        arguments: [
            (["title": "{% abort_message('no plan') %}"], "template_aborted", "no plan"),
            (["title": "{% if true %}{% abort_message %}{% endif %}"], "template_aborted", ""),
            (["title": "{{ 1 | divided_by: 0 }}"], "template_failed", "zero_division"),
            (["title": "{{content_blocks.${a}}}"], "template_failed", "cyclic_template"),
            (["title": "{{content_blocks.${gone}}}"], "template_failed", "missing_content_block"),
            (["title": "{% connected_content https://x.example %}"], "template_failed", "connected_content"),
            (["title": "{% for i in (1..1000000000) %}{% endfor %}"], "template_failed", "loop_limit"),
            (
                ["title": "{% for i in (1..9000) %}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}"],
                "template_failed", "output_limit"
            ),
            (["title": "{% for i in (1..500) %}0123456789{% endfor %}"], "card_too_large", "card_too_large"),
            (["url": "{{ 'java' }}script:alert(1)"], "template_failed", "url_forbidden"),
            (["extras": ["x": "{{ 'a' | nope }}"]], "template_failed", "unknown_filter"),
            (["title": .string(String(repeating: "{% if true %}", count: 60))], "template_failed", "nesting_limit"),
        ] as [(JSONValue, String, String)]
    )
    func withholds(card: JSONValue, code: String, detail: String) throws {
        let catalog = try catalog([card, ["title": "Fine {{${first_name}}}"], ["title": "Plain"]])
        var user = person
        let decision = FeedDecision(for: user, in: catalog, at: 5, explains: true)
        #expect(decision.additions.map(\.campaign.rawValue) == ["c1", "c2"])
        #expect(decision.reasons[CampaignID(rawValue: "c0")]?.code == code)
        #expect(decision.withheld.map(\.failure.reason) == [detail])
        user.apply(decision, at: 5)
        #expect(try FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 5).cards().count == 2)
    }

    @Test(
        "A costly card leaves the cheap ones of a feed what they need, and a moment's budget says that it was too small"
    )
    func budgets() throws {
        let costly: JSONValue = [
            "title": "{% for i in (1..9999) %}{% for j in (1..1) %}{{ i | times: 3 | size }}{% endfor %}{% endfor %}"
        ]
        let cheap: JSONValue = ["title": "{{${first_name}}}"]
        let catalog = try catalog(Array(repeating: costly, count: 40) + [cheap])
        let decision = FeedDecision(for: person, in: catalog, at: 5)
        #expect(decision.additions.map(\.campaign.rawValue).contains("c40"))
        #expect(!decision.withheld.isEmpty)
        #expect(
            decision.withheld.allSatisfy { ["work_limit", "loop_limit", "time_limit"].contains($0.failure.reason) }
        )

        let moment = RenderBudget.moment
        _ = FeedDecision(for: person, in: catalog, at: 5, budget: moment)
        #expect(moment.isSpent && moment.isCostly)
        let enough = RenderBudget.moment
        let many = try self.catalog(Array(repeating: cheap, count: 250))
        #expect(FeedDecision(for: person, in: many, at: 5, budget: enough).additions.count == 250)
        #expect(!enough.isSpent && !enough.isCostly)
    }

    @Test("What is kept of a reason has few bytes, be it a single character", arguments: ["e", "日", "\u{301}"])
    func reasons(_ scalar: String) throws {
        let title = "{% abort_message(custom_attribute.${why}) %}"
        var user = person
        user.profile.custom["why"] = .string("e" + String(repeating: scalar, count: 5_000))
        let withheld = FeedDecision(for: user, in: try catalog([["title": .string(title)]]), at: 5).withheld
        let failure = try #require(withheld.first?.failure)
        #expect((198...200).contains(failure.reason.utf8.count) && failure.message.utf8.count <= 1_000)
        #expect(failure.reason.unicodeScalars.allSatisfy { $0 == "e" || String($0) == scalar })
    }

    @Test("A delivered card whose template fails after an edit leaves, and is back when it is fixed")
    func edits() throws {
        var user = person
        let good = try catalog([["title": "{{${first_name}}}"]])
        user.apply(FeedDecision(for: user, in: good, at: 5), at: 5)
        let first = FeedReply(for: user, in: good, since: nil, epoch: 1, at: 5)
        let bad = Catalog(
            campaigns: try catalog([["title": "{% abort_message('stop') %}"]]).entries.values.map(\.campaign),
            generation: 2,
            settings: Settings(),
            engine: engine
        )
        let second = FeedReply(for: user, in: bad, since: first.cursor, epoch: 1, at: 6)
        #expect(second.cardCount == 0 && second.removed == user.deliveries.map(\.card))
        #expect(second.withheld.map(\.failure.kind) == [.aborted])
        #expect(bad.status(of: user.deliveries[0], of: user, at: 6).code == "template_aborted")
        let third = FeedReply(for: user, in: good, since: second.cursor, epoch: 1, at: 7)
        #expect(third.cardCount == 1)
    }

    @Test("An aborted card takes no room that a cap leaves to others")
    func capsComeAfter() throws {
        var settings = Settings()
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1)]
        let campaigns = try catalog([["title": "{% abort_message %}"], ["title": "x"]]).active.map(\.campaign)
        let catalog = Catalog(campaigns: campaigns, generation: 1, settings: settings, engine: engine)
        #expect(FeedDecision(for: person, in: catalog, at: 5).additions.map(\.campaign.rawValue) == ["c1"])
    }

    @Test("Problems are named with their place before anything is kept")
    func problems() throws {
        let card = try variant([
            "title": "Hi\n{% if x %}", "url": "{{ x | nope }}", "extras": ["k": "{{content_blocks.${nope}}}"],
            "description": "{% connected_content https://x.example %}{% include 'x' %}",
            "translations": ["ja": ["title": "{{ }"]],
        ])
        let content = Campaign.Content(name: "n", variants: [card])
        let problems = engine.problems(in: content)
        #expect(problems.map(\.path).contains("variants[0].card.title"))
        let first = try #require(problems.first { $0.path == "variants[0].card.title" })
        #expect(first.code == "unclosed_block" && first.line == 2 && first.column == 1)
        #expect(
            Set(problems.map(\.code))
                == [
                    "unclosed_block", "unknown_filter", "missing_content_block", "connected_content",
                    "missing_template", "syntax",
                ]
        )
        #expect(problems.contains { $0.path == "variants[0].card.translations.ja.title" })
        #expect(
            engine.problems(in: Campaign.Content(name: "n", variants: [try variant(["title": "{{ x }} {% y"])])).count
                == 1
        )
    }

    @Test("Blocks that blocks include are followed to the end, however many there are")
    func nestedBlocks() {
        func problems(_ blocks: [(String, String)], in text: String) -> [String] {
            let blocks = blocks.map { ContentBlock(name: $0.0, content: "{{content_blocks.${\($0.1)}}}", updatedAt: 0) }
            return TemplateEngine(contentBlocks: blocks).problems(in: text, at: "title").map(\.code)
        }
        let chain = (0..<2_000).map { ("b\($0)", "b\($0 + 1)") }
        let text = "{{content_blocks.${b0}}}"
        #expect(problems(chain, in: text) == ["missing_content_block"])
        #expect(problems(chain + [("b2000", "b1999")], in: text) == ["cyclic_template"])
        #expect(problems(chain + [("b2000", "b2000")], in: text) == ["cyclic_template"])
        let loop = [("b0", "b1"), ("b1", "b0"), ("c", "b0")]
        #expect(problems(loop, in: "{{content_blocks.${c}}}") == ["cyclic_template"])
        #expect(problems([("a", "a")], in: "no block").isEmpty)
    }

    @Test("A card that is no template is encoded once and passed on as it is")
    func plain() throws {
        let catalog = try catalog([["title": "Plain }} text"]])
        #expect(!catalog.rendersTemplates)
        #expect(try self.catalog([["title": "{{ x }}"]]).rendersTemplates)
    }
}
