import Testing
import WireJSON

@testable import CardModel

@Suite("Cards that stay as they were given")
struct FrozenCardTests {
    private static func catalog(
        _ expiry: CardTemplate.CardExpiry,
        isPinned: Bool = false,
        priority: Int = 0,
        limit: Int = 250,
        others: [Campaign] = []
    ) throws -> Catalog {
        var variant = Sample.variant("a", expiry: expiry)
        variant.card?.isPinned = isPinned
        variant.card?.priority = priority
        let campaign = try Sample.launched("kept", variants: [variant], rules: .init(freezes: true))
        return Catalog(campaigns: [campaign] + others, generation: 1, cardLimit: limit)
    }

    @Test("An edit moves neither the expiry of a frozen card nor its place, and the limit goes by those")
    func edits() throws {
        let old = try Self.catalog(.afterDelivery(seconds: 500), isPinned: true, priority: 3)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: old, at: 5), at: 5)
        let other = try Sample.launched("other", at: 1, variants: [Sample.variant("a")])
        let new = try Self.catalog(.afterDelivery(seconds: 50), limit: 1, others: [other])
        let card = try #require(FeedReply(for: user, in: new, since: nil, epoch: 1, at: 100).cards().first)
        #expect(card.expiresAt == 505 && card.json["pinned"] == true && card.json["priority"] == 3)
        #expect(new.status(of: user.deliveries[0], of: user, at: 504) == .shown(until: 505))
        #expect(new.status(of: user.deliveries[0], of: user, at: 505) == .expired(505))
        #expect(FeedDecision(for: user, in: new, at: 100).isEmpty)
        // Of a card that isn't frozen, all of it would have been another.
        let unpinned = try Self.catalog(.never, limit: 1, others: [other])
        var late = Sample.user()
        late.apply(FeedDecision(for: late, in: try Self.catalog(.never), at: 5), at: 5)
        #expect(try FeedReply(for: late, in: new, since: nil, epoch: 1, at: 100).cards().map(\.expiresAt) == [nil])
        #expect(unpinned.status(of: late.deliveries[0], of: late, at: 1e9) == .shown(until: nil))
    }

    @Test(
        "A frozen card that a damaged database has made unreadable is left out, counted, and taken from the device",
        arguments: [
            #","type":"cl"#, "", "{}", #","type":"classic"},{"x":1"#, #","title":"no type""#, #""type":"classic""#,
        ]
    )
    func unreadable(members: String) throws {
        let catalog = try Self.catalog(.never)
        var user = Sample.user()
        user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
        let whole = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 10)
        #expect(try whole.cards().count == 1)
        user.deliveries[0].origin = DeliveryOrigin(trigger: nil, rendered: Array(members.utf8))
        user.deliveries[0].changedAt = user.version + 1
        user.version += 1

        let reply = FeedReply(for: user, in: catalog, since: whole.cursor, epoch: 1, at: 20)

        #expect(try reply.cards().isEmpty && reply.removed == [user.deliveries[0].card])
        #expect(reply.withheld.map(\.failure.isDamage) == [true])
        #expect(!FrozenCard.isReadable(Array(members.utf8)))
    }

    @Test("A frozen card is whole only where the members of every platform are, and bytes of no text are none")
    func wholeness() {
        let members = Array(#","type":"classic","title":"é""#.utf8)
        let place = FrozenCard.Place(isPinned: false, priority: 0, expiresAt: nil)
        #expect(FrozenCard.isReadable(FrozenCard.text(members, [(.ios, members)], place)))
        #expect(!FrozenCard.isReadable(FrozenCard.text(members, [(.ios, Array(#","type":7,"#.utf8))], place)))
        #expect(!FrozenCard.isReadable(members: Array(#","type":""#.utf8) + [0xFF, UInt8(ascii: "\"")]))
    }

    @Test("A card that was frozen without its place has that of its campaign")
    func withoutPlace() throws {
        let members = Array(#","type":"classic","pinned":true"#.utf8)
        #expect(FrozenCard.place(in: members) == nil)
        #expect(FrozenCard.place(in: members + Array("\nios,\"x\":1".utf8)) == nil)
        let place = FrozenCard.Place(isPinned: true, priority: -7, expiresAt: 1_800_000_000.125)
        let text = FrozenCard.text(members, [(.ios, Array(#","x":1"#.utf8))], place)
        #expect(FrozenCard.place(in: text) == place)
        #expect(FrozenCard.members(in: text, on: nil) == members)
        #expect(FrozenCard.members(in: text, on: .ios) == Array(#","x":1"#.utf8))
        for broken in ["=", "=1", "=1,2", "=1,x,", "=1,2,3,4"] {
            #expect(FrozenCard.place(in: members + Array("\n\(broken)".utf8)) == nil)
        }
    }
}
