import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

/// What is known of a feed, in the plainest way: by the bytes of ids.
private struct PlainFeed {
    var cards: [[UInt8]: ContentCard] = [:]
    var dismissed: Set<[UInt8]> = []
    var cursor: String?
    var lastSync: Date?

    mutating func merge(_ reply: SyncReply, at date: Date) {
        let known = cards
        if reply.replaces { cards = [:] }
        for card in reply.cards {
            let id = Array(card.id.utf8)
            var merged = card
            if known[id]?.isViewed == true { merged.isViewed = true }
            if known[id]?.isClicked == true { merged.isClicked = true }
            if known[id]?.isDismissed == true || dismissed.contains(id) { merged.isDismissed = true }
            cards[id] = merged
        }
        for id in reply.removed { cards[Array(id.utf8)] = nil }
        cards = cards.filter { entry in entry.value.expiresAt.map { $0 > date } ?? true }
        let wasAhead = lastSync.map { $0.timeIntervalSince(date) > 60 } ?? false
        cursor = wasAhead && !reply.replaces ? nil : reply.cursor
        lastSync = date
    }

    mutating func mark(_ action: CardAction, _ id: String) -> Bool {
        let id = Array(id.utf8)
        guard let card = cards[id], !card[keyPath: action.flag] else { return false }
        cards[id]?[keyPath: action.flag] = true
        if action == .dismissal { dismissed.insert(id) }
        return true
    }

    func visible(at date: Date) -> Set<[UInt8]> {
        Set(cards.filter { !$0.value.isDismissed && $0.value.expiresAt.map { $0 > date } ?? true }.keys)
    }
}

extension PlainFeed {
    func cursor(at date: Date) -> String? {
        guard let lastSync, lastSync.timeIntervalSince(date) <= 60 else { return nil }
        return cursor
    }
}

@Suite("The state of a feed in random use")
struct FeedModelTests {
    private static let ids = ["a", "b", "c", "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K"]

    private func card(using dice: inout Dice, at now: Date) -> ContentCard {
        .fixture(Self.ids[Int.random(in: 0..<Self.ids.count, using: &dice)]) { card in
            card.title = "\(Int.random(in: 0..<3, using: &dice))"
            card.isPinned = Bool.random(using: &dice)
            card.priority = [Int.min, -1, 0, 1, .max][Int.random(in: 0..<5, using: &dice)]
            card.createdAt = now - Double(Int.random(in: 0..<3, using: &dice))
            if Bool.random(using: &dice) { card.expiresAt = now + Double(Int.random(in: -50..<500, using: &dice)) }
            card.isViewed = Int.random(in: 0..<4, using: &dice) == 0
            card.isClicked = Int.random(in: 0..<4, using: &dice) == 0
            card.isDismissed = Int.random(in: 0..<9, using: &dice) == 0
        }
    }

    private func reply(using dice: inout Dice, at now: Date) -> SyncReply {
        var reply = SyncReply(cursor: nil, replaces: Int.random(in: 0..<3, using: &dice) == 0, cards: [])
        reply.cursor = [nil, "1", "caf\u{E9}"][Int.random(in: 0..<3, using: &dice)]
        for _ in 0..<Int.random(in: 0..<6, using: &dice) { reply.cards.append(card(using: &dice, at: now)) }
        for _ in 0..<Int.random(in: 0..<2, using: &dice) {
            reply.removed.append(Self.ids[Int.random(in: 0..<Self.ids.count, using: &dice)])
        }
        return reply
    }

    /// Returns whether one card is before another, as the documentation orders them.
    private func isBefore(_ left: ContentCard, _ right: ContentCard) -> Bool {
        if left.isPinned != right.isPinned { return left.isPinned }
        if left.priority != right.priority { return left.priority > right.priority }
        if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }

    @Test("shows what a plain dictionary would, through replies, marks, clocks and launches", arguments: 1...20)
    func sequences(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var (state, plain) = (FeedState(), PlainFeed())
        var now = Date(timeIntervalSince1970: 1_790_000_000)
        for _ in 0..<200 {
            let id = Self.ids[Int.random(in: 0..<Self.ids.count, using: &dice)]
            let action = [CardAction.impression, .click, .dismissal][Int.random(in: 0..<3, using: &dice)]
            switch Int.random(in: 0..<8, using: &dice) {
            case 0..<2:
                let reply = reply(using: &dice, at: now)
                state.merge(reply, at: now)
                plain.merge(reply, at: now)
            case 2..<4:
                let isNews = state.mark(action, id: id)
                #expect(isNews == plain.mark(action, id))
            case 4:
                // What the event log has of a card that isn't known yet.
                state.replay(action, id: id)
                if !plain.mark(action, id), action == .dismissal { plain.dismissed.insert(Array(id.utf8)) }
            case 5:
                let cached = CachedFeed(user: "u", state: state)
                let read = try #require(Envelope.open(Envelope.seal(cached.bytes), CachedFeed.init))
                #expect(read.state == state)
                state = read.state
            default: now += Double([-500, -61, -60, 1, 30, 400][Int.random(in: 0..<6, using: &dice)])
            }
            check(state, plain, at: now)
        }
    }

    private func check(_ state: FeedState, _ plain: PlainFeed, at now: Date) {
        let visible = state.visible(at: now)
        #expect(Set(visible.map { Array($0.id.utf8) }) == plain.visible(at: now))
        #expect(visible.count == plain.visible(at: now).count)
        #expect(visible.allSatisfy { plain.cards[Array($0.id.utf8)] == $0 })
        #expect(zip(visible, visible.dropFirst()).allSatisfy { isBefore($0, $1) })
        #expect(state.cursor(at: now).hasSameBytes(as: plain.cursor(at: now)) && state.lastSync == plain.lastSync)
        let expiries = plain.cards.values.filter { !$0.isDismissed }.compactMap(\.expiresAt).filter { $0 > now }
        #expect(state.nextExpiry(after: now) == expiries.min())
    }

    @Test("remembers the newest thousand dismissals, and no card that was dismissed longer ago")
    func manyDismissals() {
        var state = FeedState()
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        for number in 0...1_000 { state.replay(.dismissal, id: "\(number)") }
        state.replay(.dismissal, id: "1000")
        #expect(state.dismissals.count == 1_000 && state.dismissals.first == "1" && state.dismissals.last == "1000")
        let reply = SyncReply(cursor: nil, replaces: true, cards: [.fixture("0"), .fixture("1"), .fixture("1000")])
        state.merge(reply, at: now)
        #expect(state.visible(at: now).map(\.id) == ["0"])
    }

    @Test("notes a version of a card's extras once, also when it comes back, and forgets cards that are gone")
    func reports() {
        var state = FeedState()
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let card = ContentCard.fixture("a") { $0.extras = ["k": "1"] }
        #expect(state.noteReported(card) == false)
        state.merge(SyncReply(cursor: nil, replaces: true, cards: [card]), at: now)
        #expect(state.noteReported(card) == true)
        #expect(state.noteReported(card) == false)
        let changed = ContentCard.fixture("a") { $0.extras = ["k": "2"] }
        #expect(state.noteReported(changed) == true)
        let retitled = ContentCard.fixture("a") { ($0.extras, $0.title) = (["k": "2"], "other") }
        #expect(state.noteReported(retitled) == false)
        state.merge(SyncReply(cursor: nil, replaces: true, cards: []), at: now)
        #expect(state.reported.isEmpty)
    }
}
