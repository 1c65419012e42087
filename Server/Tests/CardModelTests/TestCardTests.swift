import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Test cards")
struct TestCardTests {
    private func card(
        _ id: String,
        campaign: String = "c",
        variant: String = "a",
        language: String? = nil,
        sentAt: UnixTime = 100,
        expiresAt: UnixTime = 1_000
    ) -> TestCard {
        TestCard(
            card: CardID(rawValue: id),
            campaign: CampaignID(rawValue: campaign),
            variant: VariantID(rawValue: variant),
            language: language,
            members: Array(#","type":"classic""#.utf8),
            isPinned: false,
            priority: 0,
            sentAt: sentAt,
            expiresAt: expiresAt
        )
    }

    private func replaced(by new: TestCard, among known: [TestCard], at now: UnixTime = 200) -> [String] {
        TestCard.replaced(by: new, among: known, at: now).map(\.rawValue)
    }

    @Test("A test card is shown until it expires, is dismissed or is replaced")
    func shown() {
        var card = card("t")
        #expect(card.isShown(at: 0) && card.isShown(at: 999.9))
        #expect(!card.isShown(at: 1_000) && !card.isShown(at: 1_001))
        card.marks.isViewed = true
        card.marks.isClicked = true
        #expect(card.isShown(at: 500))
        card.isReplaced = true
        #expect(!card.isShown(at: 500))
        card.isReplaced = false
        card.marks.isDismissed = true
        #expect(!card.isShown(at: 500))
    }

    @Test("A test card takes the place of those of the same campaign, variant and language, and of no other")
    func sameCard() {
        let known = [
            card("same"), card("campaign", campaign: "d"), card("variant", variant: "b"),
            card("language", language: "ja"), card("empty", language: ""),
        ]
        #expect(replaced(by: card("new"), among: known) == ["same"])
        #expect(replaced(by: card("new", language: "ja"), among: known) == ["language"])
        #expect(replaced(by: card("new", language: "JA"), among: known).isEmpty)
        #expect(replaced(by: card("new", variant: "c"), among: known).isEmpty)
        // Two spellings that look the same are two languages.
        let spelled = [card("one", language: "caf\u{E9}"), card("two", language: "cafe\u{301}")]
        #expect(replaced(by: card("new", language: "cafe\u{301}"), among: spelled) == ["two"])
    }

    @Test("What isn't shown any more isn't replaced again, and takes no room")
    func gone() {
        var (dismissed, old) = (card("dismissed"), card("old"))
        dismissed.marks.isDismissed = true
        old.isReplaced = true
        let expired = card("expired", expiresAt: 200)
        #expect(replaced(by: card("new"), among: [dismissed, old, expired]).isEmpty)
        #expect(replaced(by: card("new"), among: [expired], at: 199) == ["expired"])
    }

    @Test("Beyond ten the oldest make room, after those that the new one is a version of", arguments: 0..<40)
    func limit(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let known = (0..<Int.random(in: 0...16, using: &random)).map { number in
            card(
                "t\(number)",
                campaign: "c\(Int.random(in: 0...14, using: &random))",
                sentAt: Double(Int.random(in: 0...5, using: &random)),
                expiresAt: Bool.random(using: &random) ? 1_000 : 150
            )
        }
        let new = card("new", campaign: "c0", sentAt: 200)
        let gone = Set(replaced(by: new, among: known))
        let shown = known.filter { $0.isShown(at: 200) }
        #expect(gone.isSubset(of: shown.map(\.card.rawValue)))
        #expect(shown.allSatisfy { $0.campaign != new.campaign || gone.contains($0.card.rawValue) })
        let left = shown.filter { !gone.contains($0.card.rawValue) }
        let others = shown.filter { $0.campaign != new.campaign }
        #expect(left.count == min(others.count, TestCard.limit - 1))
        // None that is left is older than one that made room.
        let oldest = left.map(\.sentAt).min() ?? .infinity
        #expect(others.filter { gone.contains($0.card.rawValue) }.allSatisfy { $0.sentAt <= oldest })
    }

    @Test("Each mark is news once, and other events mark nothing")
    func marks() {
        var card = card("t")
        let id = card.card
        for kind in [DeviceEvent.EventKind.impression(id), .click(id), .dismissal(id)] {
            let (isNews, isNewsAgain) = (card.add(kind), card.add(kind))
            #expect(isNews && !isNewsAgain)
        }
        #expect(card.marks == TestCard.Marks(isViewed: true, isClicked: true, isDismissed: true))
        let before = card
        let problem = DeviceEvent.ContentError(card: id, classType: nil, field: nil, message: "m")
        let purchase = DeviceEvent.Purchase(productID: "p", currency: "EUR", price: 1)
        let others: [DeviceEvent.EventKind] = [
            .contentError(problem), .custom(name: "x"), .purchase(purchase), .sessionStart,
            .attributes(AttributeChanges()),
        ]
        for kind in others {
            let isNews = card.add(kind)
            #expect(!isNews, "\(kind.name)")
        }
        #expect(card == before)
    }

    @Test("A device sees a test card as a delivery with its marks")
    func delivery() {
        var card = card("t", sentAt: 123)
        card.marks = TestCard.Marks(isViewed: true, isClicked: false, isDismissed: true)
        card.changedAt = 7
        let delivery = card.delivery
        #expect(delivery.card == card.card && delivery.campaign == card.campaign && delivery.variant == card.variant)
        #expect(delivery.deliveredAt == 123 && delivery.changedAt == 7 && delivery.ordinal == 0)
        #expect(delivery.isViewed && !delivery.isClicked && delivery.isDismissed)
        #expect(delivery.origin == nil && delivery.end == nil)
    }
}

@Suite("What a device is told of test cards")
struct TestCardChangesTests {
    private func card(_ id: String, changedAt: UserVersion, expiresAt: UnixTime = 1_000) -> TestCard {
        var card = TestCard(
            card: CardID(rawValue: id),
            campaign: CampaignID(rawValue: "c"),
            variant: VariantID(rawValue: "a"),
            language: nil,
            members: Array(#","type":"classic""#.utf8),
            isPinned: false,
            priority: 0,
            sentAt: 0,
            expiresAt: expiresAt
        )
        card.changedAt = changedAt
        return card
    }

    private func cursor(version: UserVersion = 5, issuedAt: UnixTime = 100) -> FeedCursor {
        FeedCursor(epoch: 1, generation: 1, version: version, issuedAt: issuedAt, recheckAt: nil)
    }

    @Test("Without a cursor it is told all that are shown, and none that have gone")
    func afresh() {
        var replaced = card("replaced", changedAt: 9)
        replaced.isReplaced = true
        let cards = [card("one", changedAt: 1), replaced, card("two", changedAt: 9, expiresAt: 500)]
        let changes = TestCardChanges(cards, since: nil, at: 200)
        #expect(changes.shown.map(\.card.rawValue) == ["one", "two"])
        #expect(changes.removed.isEmpty && changes.recheckAt == 500)
    }

    @Test("With a cursor it is told those that have changed since, and asks again when one expires")
    func since() {
        let cards = [card("old", changedAt: 5, expiresAt: 400), card("new", changedAt: 6)]
        let changes = TestCardChanges(cards, since: cursor(), at: 200)
        #expect(changes.shown.map(\.card.rawValue) == ["new"])
        #expect(changes.removed.isEmpty && changes.recheckAt == 400)
        #expect(TestCardChanges([], since: cursor(), at: 200).recheckAt == .infinity)
    }

    @Test(
        "One that expired since the cursor was given is removed, and one that had expired before isn't",
        arguments: [(99, false), (100, true), (150, true), (200, true), (201, nil)] as [(UnixTime, Bool?)]
    )
    func expiry(expiresAt: UnixTime, isRemoved: Bool?) {
        let changes = TestCardChanges([card("t", changedAt: 1, expiresAt: expiresAt)], since: cursor(), at: 200)
        #expect(changes.removed.isEmpty == (isRemoved != true))
        #expect(changes.shown.isEmpty)
        #expect((changes.recheckAt == .infinity) == (isRemoved != nil))
    }

    @Test("One that was dismissed or replaced is removed by the version, whenever it expires", arguments: [4, 5, 6, 7])
    func left(version: UserVersion) {
        var (dismissed, replaced) = (card("dismissed", changedAt: 6), card("replaced", changedAt: 6))
        dismissed.marks.isDismissed = true
        replaced.isReplaced = true
        let changes = TestCardChanges([dismissed, replaced], since: cursor(version: version), at: 200)
        #expect(changes.removed.map(\.rawValue) == (version < 6 ? ["dismissed", "replaced"] : []))
        #expect(changes.recheckAt == .infinity)
    }
}

@Suite("Test users and their groups")
struct TestUserTests {
    private let id = UserID(rawValue: "u")

    @Test("Joining a group twice is joining it once, and groups keep their order")
    func joining() {
        let user = TestUser(id).joining("qa").joining("beta").joining("qa")
        #expect(user.groups == ["qa", "beta"] && user.id == id && user.name == nil)
        #expect(user.isIn("qa") && !user.isIn("QA") && !user.isIn(""))
        #expect(user == TestUser(id, groups: ["qa", "beta"]))
    }

    @Test("A user without a name is a test user as long as they are in a group")
    func leaving() {
        let user = TestUser(id, groups: ["qa", "beta"])
        #expect(user.leaving("other") == user)
        #expect(user.leaving("qa") == TestUser(id, groups: ["beta"]))
        #expect(user.leaving("qa")?.leaving("beta") == nil)
        let named = TestUser(id, name: "Ann", groups: ["qa"])
        #expect(named.leaving("qa") == TestUser(id, name: "Ann"))
        #expect(TestUser(id, name: "Ann").leaving("qa") == TestUser(id, name: "Ann"))
    }

    @Test("Groups whose names look the same and are not are two groups")
    func spellings() {
        let user = TestUser(id, groups: ["caf\u{E9}"]).joining("cafe\u{301}")
        #expect(user.groups.count == 2)
        #expect(user.leaving("caf\u{E9}").map { Array($0.groups[0].utf8) } == Array("cafe\u{301}".utf8))
        #expect(TestGroup.all(of: [user]).count == 2)
        #expect(TestUser(id, groups: ["caf\u{E9}"]) != TestUser(id, groups: ["cafe\u{301}"]))
    }

    @Test("Groups come in the order in which they are first named, each with its users")
    func groups() {
        let users = [
            TestUser(UserID(rawValue: "1"), groups: ["b", "a"]), TestUser(UserID(rawValue: "2"), name: "Two"),
            TestUser(UserID(rawValue: "3"), groups: ["a", "c"]),
        ]
        let groups = TestGroup.all(of: users)
        #expect(groups.map(\.name) == ["b", "a", "c"])
        #expect(groups.map { $0.users.map(\.rawValue) } == [["1"], ["1", "3"], ["3"]])
        #expect(TestGroup.all(of: []).isEmpty)
    }

    @Test("A name has 1 to 120 bytes without control characters")
    func names() {
        #expect(TestUser.isName("A") && TestUser.isName(String(repeating: "x", count: 120)))
        #expect(TestUser.isName(String(repeating: "\u{E9}", count: 60)))
        #expect(!TestUser.isName("") && !TestUser.isName(String(repeating: "x", count: 121)))
        #expect(!TestUser.isName(String(repeating: "\u{E9}", count: 61)) && !TestUser.isName("a\nb"))
    }
}
