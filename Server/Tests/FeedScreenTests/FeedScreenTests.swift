import ContentCards
import Foundation
import Terminal
import Testing

@testable import FeedScreen

@Suite("The feed on a terminal")
struct FeedScreenTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private func card(_ id: String, _ change: (inout ContentCard) -> Void = { _ in }) -> ContentCard {
        var card = ContentCard(id: id, title: "Title \(id)", description: "Text of \(id)")
        card.createdAt = Self.now
        change(&card)
        return card
    }

    private func screen(_ cards: [ContentCard], columns: Int = 60, rows: Int = 24) -> FeedScreen {
        var screen = FeedScreen(user: "anna", size: TerminalSize(columns: columns, rows: rows), now: Self.now)
        screen.show(CardFeed(userID: "anna", cards: cards, lastSync: Self.now, at: Self.now))
        return screen
    }

    @Test("shows title, text, link, expiry and marks of each card")
    func card() {
        // Given a pinned, unread card that leaves in an hour
        let shown = screen([
            card("a") { card in
                card.isPinned = true
                card.domain = "Look"
                card.urlString = "shop://a"
                card.expiresAt = Self.now.addingTimeInterval(3600)
                card.isDismissible = false
            }
        ])
        // Then its lines say so
        let lines = shown.lines.map(\.text)
        #expect(lines[0].contains("· 1 card, 1 unread"))
        #expect(lines[2].hasPrefix("  ● Title a"))
        #expect(lines[2].hasSuffix("pinned"))
        #expect(lines[3] == "    Text of a")
        #expect(lines[4] == "    → Look · leaves in 1 h · stays")
    }

    @Test("never has a line too many or too wide", arguments: [(20, 3), (24, 8), (60, 24), (200, 50), (12, 1)])
    func size(columns: Int, rows: Int) {
        let cards = (0..<9).map { card("\($0)") { $0.description = String(repeating: "長い text ", count: 20) } }
        let lines = screen(cards, columns: columns, rows: rows).lines
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { DisplayWidth.of($0.text) <= columns })
    }

    @Test("has no line too wide for marks, whatever the size", arguments: [1, 4, 9, 12, 20, 40])
    func marks(columns: Int) {
        let shown = screen(
            [
                card("a") { card in
                    (card.isPinned, card.isTest, card.isClicked) = (true, true, true)
                    card.expiresAt = Self.now.addingTimeInterval(1_000_000)
                }
            ],
            columns: columns
        )
        #expect(shown.lines.count == 24)
        #expect(shown.lines.allSatisfy { DisplayWidth.of($0.text) <= columns })
        #expect(columns < 40 || shown.lines[2].text.hasSuffix("pinned · test · clicked"))
    }

    @Test("has a line for each line, whatever names and messages have in them")
    func lineBreaks() {
        var shown = screen([
            card("c") {
                $0.kind = .control
                $0.campaignID = "spring\nsale\u{1B}[2J"
            }
        ])
        #expect(shown.lines[22].text == " control: spring sale[2J")
        shown.message = "It failed:\r\nagain"
        #expect(shown.lines[22].text == " It failed: again")
        let odd = FeedScreen(user: "an\nna", size: TerminalSize(columns: 60, rows: 5), now: Self.now)
        #expect(odd.lines[0].text.hasPrefix(" Placard · an na · 0 cards"))
        #expect(odd.lines.allSatisfy { !$0.text.contains { $0.isNewline } })
    }

    @Test("lets no control character of a card reach the terminal")
    func injection() {
        let shown = screen([
            card("a") {
                $0.title = "x\u{1B}[2Jy"
                $0.description = "\u{9B}31mz"
            }
        ])
        #expect(shown.lines.allSatisfy { !$0.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B } })
    }

    @Test("draws no control, and names its campaign at the bottom")
    func control() {
        let shown = screen([
            card("c") {
                $0.kind = .control
                $0.campaignID = "demo-coupon"
            }
        ])
        #expect(shown.lines[2].text.contains("no cards"))
        #expect(shown.lines[22].text == " control: demo-coupon")
    }

    @Test("keeps the selection with its card, and with its place when the card goes")
    func selection() {
        var shown = screen([card("a"), card("b"), card("c")])
        shown.moveSelection(by: 1)
        #expect(shown.selection == "b")
        // When a card comes before it
        shown.show(CardFeed(cards: [card("0") { $0.isPinned = true }, card("a"), card("b"), card("c")], at: Self.now))
        #expect(shown.selection == "b")
        // When it goes
        shown.show(CardFeed(cards: [card("a"), card("c")], at: Self.now))
        #expect(shown.selection == "c")
        shown.show(CardFeed(cards: [], at: Self.now))
        #expect(shown.selection == nil)
    }

    @Test("scrolls so that the selected card is on screen, whatever the size")
    func scrolling() {
        var shown = screen((0..<10).map { card("\($0)") }, rows: 10)
        for _ in 0..<9 { shown.moveSelection(by: 1) }
        #expect(shown.visibleCards.contains("9"))
        #expect(shown.lines.contains { $0.isSelected && $0.text.contains("Title 9") })
        shown.resize(to: TerminalSize(columns: 60, rows: 7))
        #expect(shown.visibleCards.contains("9"))
        shown.moveSelection(by: -100)
        #expect(shown.top == 0)
    }

    @Test("counts a card as visible from half of its lines on, and a control by its place")
    func visibility() {
        // Given two cards of two lines, an empty line between, and a control after the second
        let cards = [card("a"), card("b"), card("c") { $0.kind = .control }]
        // Then three lines show half of nothing of the second, four show half, six the place after it
        #expect(screen(cards, rows: 4 + 3).visibleCards == ["a"])
        #expect(screen(cards, rows: 4 + 4).visibleCards == ["a", "b"])
        #expect(screen(cards, rows: 4 + 7).visibleCards == ["a", "b", "c"])
    }

    @Test("says what a key did for a few seconds")
    func message() {
        var shown = screen([card("a")])
        shown.message = "Clicked."
        shown.now = Self.now.addingTimeInterval(4)
        #expect(shown.lines[22].text == " Clicked.")
        shown.now = Self.now.addingTimeInterval(6)
        #expect(shown.message.isEmpty)
    }

    @Test("is painted once, and then only where it changed")
    func painting() {
        var painter = ScreenPainter()
        var shown = screen([card("a"), card("b")])
        #expect(painter.paint(shown.lines).contains("Title a"))
        #expect(painter.paint(shown.lines).isEmpty)
        shown.connection = .live
        let change = painter.paint(shown.lines)
        #expect(change.contains("live"))
        #expect(!change.contains("Title a"))
        painter.forget()
        #expect(painter.paint(shown.lines).contains("Title a"))
    }
}

@Suite("Commands and changes as lines")
struct FeedLineTests {
    @Test("name a card by place or id")
    func commands() {
        #expect(FeedCommand("view 2") == .view(.place(2)))
        #expect(FeedCommand(" click  abc ") == .click(.id("abc")))
        #expect(FeedCommand("dismiss 1") == .dismiss(.place(1)))
        #expect(FeedCommand("refresh") == .refresh)
        #expect(FeedCommand("quit") == .quit)
        for wrong in ["", "view", "view 1 2", "quit now", "look 1"] { #expect(FeedCommand(wrong) == nil) }
    }

    @Test("find the card among those that are drawn, and a control by its id")
    func targets() {
        let control = ContentCard(id: "c", kind: .control, isPinned: true)
        let feed = CardFeed(cards: [control, ContentCard(id: "a")])
        #expect(FeedCommand.Target.place(1).card(in: feed)?.id == "a")
        #expect(FeedCommand.Target.place(2).card(in: feed) == nil)
        #expect(FeedCommand.Target.place(0).card(in: feed) == nil)
        #expect(FeedCommand.Target.id("c").card(in: feed) == control)
        #expect(FeedCommand.Target.id("").card(in: feed) == nil)
    }

    @Test("find no card at a place that no feed has, and end nothing", arguments: [Int.min, -1, 0, 2, .max])
    func absentPlaces(place: Int) {
        let feed = CardFeed(cards: [ContentCard(id: "a")])
        #expect(FeedCommand("view \(place)") == .view(.place(place)))
        #expect(FeedCommand.Target.place(place).card(in: feed) == nil)
        #expect(FeedCommand.Target.place(place).card(in: CardFeed(cards: [])) == nil)
        // More digits than a number has are the id of a card.
        let id = "9\(Int.max)"
        #expect(FeedCommand("view \(id)") == .view(.id(id)))
    }

    @Test("say what came, changed and left")
    func changes() {
        let old = [ContentCard(id: "a", title: "A"), ContentCard(id: "b", title: "B")]
        let new = [ContentCard(id: "a", title: "A", isViewed: true), ContentCard(id: "c", title: "C\nc")]
        #expect(
            FeedChanges.lines(from: old, to: new) == [
                "- b classic unread B", "~ a classic viewed A", "+ c classic unread C c",
            ]
        )
        #expect(FeedChanges.lines(from: new, to: new).isEmpty)
    }
}
