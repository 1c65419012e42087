import CardModel
import Foundation
import Testing
import WireJSON

@Suite("What names something is compared by its bytes")
struct IdentityTests {
    /// Texts that Swift's `==` takes for the same.
    static let pairs = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("a\u{301}\u{323}", "a\u{323}\u{301}"),
    ]

    private func expectDifferent<ID: Identifier>(_ first: ID, _ second: ID) {
        #expect(!(first == second))
        // `!=` has an overload of its own for types that are made of a raw value.
        #expect(first != second)
        #expect(Set([first, second]).count == 2)
        #expect((first < second) != (second < first))
    }

    @Test("Ids of every kind", arguments: pairs)
    func ids(_ first: String, _ second: String) {
        expectDifferent(UserID(rawValue: first), UserID(rawValue: second))
        expectDifferent(CampaignID(rawValue: first), CampaignID(rawValue: second))
        expectDifferent(VariantID(rawValue: first), VariantID(rawValue: second))
        expectDifferent(CardID(rawValue: first), CardID(rawValue: second))
        expectDifferent(SegmentID(rawValue: first), SegmentID(rawValue: second))
        expectDifferent(TriggerID(rawValue: first), TriggerID(rawValue: second))
        #expect(UserAlias(label: first, name: "n") != UserAlias(label: second, name: "n"))
        #expect(UserAlias(label: "l", name: first) != UserAlias(label: "l", name: second))
        #expect(UserID(rawValue: first) == UserID(rawValue: String(decoding: Array(first.utf8), as: UTF8.self)))
    }

    @Test("A concrete `!=` of two users agrees with `==`")
    func notEqual() {
        let (kate, kelvin) = (UserID(rawValue: "Kate"), UserID(rawValue: "\u{212A}ate"))
        #expect(kate != kelvin)
        #expect((kate != kelvin) == !(kate == kelvin))
    }

    @Test("A catalog has both of two campaigns, and a user both of their cards", arguments: pairs)
    func campaigns(_ first: String, _ second: String) throws {
        let campaigns = try [Sample.launched(first), Sample.launched(second)]
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        #expect(catalog.entries.count == 2)
        let decision = FeedDecision(for: Sample.user(), in: catalog, at: 10)
        #expect(decision.additions.map { Array($0.campaign.rawValue.utf8) } == sortedBytes(first, second))
    }

    @Test("Attributes of a user", arguments: pairs)
    func attributes(_ first: String, _ second: String) throws {
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        let update = UserUpdate(id: profile.id, custom: [first: 1, second: 2])
        let isNew = try profile.apply(update, within: UserLimits())
        #expect(isNew)
        #expect(profile.custom.count == 2)
        let renamed = UserUpdate(id: profile.id, custom: [first: .string(first), second: .null])
        let isRenamed = try profile.apply(renamed, within: UserLimits())
        #expect(isRenamed)
        // A value that changes its bytes and nothing else has changed.
        let isRespelt = try profile.apply(
            UserUpdate(id: profile.id, custom: [first: .string(second)]),
            within: UserLimits()
        )
        #expect(isRespelt)
        let matches = { (name: String) in
            AudienceMatcher(.attribute(AttributeClause(.custom(ByteString(name)), .exists)))
                .matches(Sample.facts(profile))
        }
        #expect(matches(first))
        #expect(!matches(second))
        let any = AttributeClause(.custom(ByteString(first)), .isAnyOf, [.string(first)])
        #expect(!AudienceMatcher(.attribute(any)).matches(Sample.facts(profile)))
    }

    @Test("Events, products and what they bring about", arguments: pairs)
    func events(_ first: String, _ second: String) throws {
        let id = EventID(high: 1, low: 1)
        let event = DeviceEvent(id: id, kind: .custom(name: ByteString(first)), at: 5)
        let purchase = DeviceEvent(
            id: id,
            kind: .purchase(.init(productID: first, currency: "EUR", price: 1)),
            at: 5
        )
        var user = Sample.user()
        user.history.add(event)
        user.history.add(purchase)
        let facts = UserFacts(user, at: 10)
        let did = { (subject: HistoryClause.HistorySubject) in
            AudienceMatcher(.history(HistoryClause(subject))).matches(facts)
        }
        #expect(did(.event(ByteString(first))))
        #expect(!did(.event(ByteString(second))))
        #expect(did(.purchase(product: ByteString(first))))
        #expect(!did(.purchase(product: ByteString(second))))

        let subjects: [EventCondition.ConditionSubject] = [
            .event(ByteString(second)), .purchase(product: ByteString(second)),
        ]
        for subject in subjects {
            let action = Campaign.ActionDelivery(trigger: EventCondition(subject))
            let rules = EventRules([try Sample.launched("c", delivery: .action(action))])
            #expect(rules.consequences(of: event, at: 6).isEmpty)
            #expect(rules.consequences(of: purchase, at: 6).isEmpty)
            let goal = Campaign.Conversion(id: "goal", goal: .event(EventCondition(subject)))
            var campaign = try Sample.launched("c")
            campaign.content.conversions = [goal]
            #expect(ConversionRules([campaign]).matches(event).isEmpty)
            #expect(ConversionRules([campaign]).matches(purchase).isEmpty)
        }
    }

    @Test("Tags of frequency caps", arguments: pairs)
    func tags(_ first: String, _ second: String) throws {
        var settings = Settings()
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1, tag: first)]
        let campaigns = try ["a", "b"].map { try Sample.launched($0, tags: [second]) }
        let catalog = Catalog(campaigns: campaigns, generation: 1, settings: settings)
        #expect(FeedDecision(for: Sample.user(), in: catalog, at: 10).additions.count == 2)
    }

    @Test("A campaign or segment of which only bytes were changed has changed", arguments: pairs)
    func contents(_ first: String, _ second: String) throws {
        let changes: [(inout Campaign.Content, String) -> Void] = [
            { $0.name = $1 }, { $0.tags = [$1] }, { $0.variants[0].card?.title = $1 },
            { $0.variants[0].card?.extras = ["key": $1] }, { $0.variants[0].card?.extras = [$1: "value"] },
            { $0.variants[0].card?.platformURLs = [.ios: ByteString($1)] }, { $0.variants[0].name = $1 },
        ]
        for change in changes {
            var campaign = try Sample.launched("c")
            change(&campaign.content, first)
            var content = campaign.content
            change(&content, second)
            #expect(try campaign.updating(content, at: 9).version == campaign.version + 1)
        }
        var old = try Sample.launched("c")
        old.content.variants[0].card?.extras = ["code": first]
        var new = old
        new.content.variants[0].card?.extras = ["code": second]
        #expect(new.differsOnDevices(from: old))
        let segment = Segment(
            id: SegmentID(rawValue: "s"),
            content: .init(name: first, audience: .everyone),
            createdAt: 0
        )
        #expect(segment.updating(.init(name: second, audience: .everyone), at: 1).version == 2)
    }

    @Test("A user without an id of their own is none, whatever follows the prefix")
    func prefixes() {
        #expect(!UserID(rawValue: "unidentified-\u{301}x").isIdentified)
        #expect(!UserID(rawValue: "anonymous-\u{20E3}").isIdentified)
        #expect(UserID(rawValue: "unidentified").isIdentified)
    }

    // MARK: What a name may be

    @Test(
        "Names have no control or directional characters",
        arguments: [
            0x00, 0x01, 0x09, 0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
            0x202E, 0x2066, 0x2069,
        ] as [UInt32]
    )
    func refused(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        for text in ["\(scalar)", "a\(scalar)", "\(scalar)a", "a long text before it \(scalar) and after it"] {
            #expect(!IdentityText.isValid(text))
            #expect(IdentityText.isValid(IdentityText.spacing(text)))
            #expect(UserID(checking: text) == nil)
            #expect(TriggerID(checking: text) == nil)
            #expect(CardID(checking: text) == nil)
            #expect(UserAlias(checkingLabel: text, name: "n") == nil)
            #expect(UserAlias(checkingLabel: "l", name: text) == nil)
        }
    }

    /// The characters that neither the server nor the SDK takes, whose tests read the same list.
    private static func refusedRanges() throws -> [ClosedRange<UInt32>] {
        let list = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/refused-in-ids.txt").standardized
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map { line in
            let ends = line.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            let (first, last) = (try #require(ends.first), try #require(ends.last))
            return first...last
        }
    }

    @Test("Names have any other scalar than those on the list that the SDK has too")
    func allowed() throws {
        let refused = try Self.refusedRanges()
        #expect(refused.count == 6)
        for value in (0...0x10FFFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isRefused = refused.contains { $0.contains(value) }
            if IdentityText.isValid(String(Character(scalar))) == isRefused {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("A text for people has spaces where names have nothing, and everything else as it is")
    func spacing() {
        #expect(IdentityText.spacing("a\u{1B}[2Jb\r\n\u{9B}\u{202E}c") == "a [2Jb    c")
        #expect(IdentityText.spacing("e\u{301} \u{E9} 👨‍👩‍👧 語") == "e\u{301} \u{E9} 👨‍👩‍👧 語")
        #expect(IdentityText.spacing("").isEmpty)
    }

    @Test("Names have a length")
    func lengths() {
        #expect(!IdentityText.isValid(""))
        #expect(IdentityText.isValid(String(repeating: "a", count: 255)))
        #expect(!IdentityText.isValid(String(repeating: "a", count: 256)))
        #expect(UserID(checking: String(repeating: "\u{E9}", count: 256)) != nil)
        #expect(UserID(checking: String(repeating: "\u{E9}", count: 257)) == nil)
    }
}

/// The bytes of texts, in the order of bytes.
private func sortedBytes(_ texts: String...) -> [[UInt8]] {
    texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
}
