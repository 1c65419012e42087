import ContentCards
import Testing

@testable import ShopApp

@MainActor
@Suite("The message centre")
struct MessageScreenTests {
    private nonisolated static let cards = [
        RunningShop.card("wool", ["class_type": "message_full_page", "message_header": "Our wool"]) {
            $0.title = "How we make our wool"
            $0.description = "On a farm."
        },
        RunningShop.card("hidden", ["class_type": "message_full_page"]) { $0.kind = .control },
        RunningShop.card(
            "hours",
            [
                "class_type": "message_webview", "message_header": "Hours", "message_title": "Opening",
                "html": "<b>10</b>",
            ]
        ) {
            $0.description = "All shops."
            $0.isDismissible = false
        },
    ]

    /// An app whose message centre is shown.
    private func open(_ cards: [ContentCard] = cards) async throws -> RunningShop {
        let app = try await RunningShop(cards)
        try await app.shows("Messages, 2")
        app.page.tap("Messages, 2")
        #expect(app.page.labels(of: "message").count == 2)
        return app
    }

    @Test("lists messages with what is unread, and no slots of control groups")
    func list() async throws {
        let app = try await open()
        let labels = app.page.labels(of: "message")
        #expect(labels[0].hasPrefix("How we make our wool, On a farm., ") && labels[0].hasSuffix(", Unread"))
        #expect(labels[1].hasPrefix("Opening, All shops., ") && labels[1].hasSuffix(", Unread"))
    }

    @Test("opens a message as a page, from where it can be deleted, and no longer counts it as unread")
    func page() async throws {
        let app = try await open()
        app.page.tap("How we make our wool")
        #expect(app.page.texts.contains("Our wool") && app.page.has("On a farm."))
        #expect(app.client.feed.card(id: "wool")?.isClicked == true)
        try await app.shows("Messages, 1")
        app.page.tap("Messages")
        #expect(!app.page.texts.contains("Our wool"))
        #expect(app.page.labels(of: "message").map { $0.hasSuffix("Unread") } == [false, true])
        app.page.tap("How we make our wool")
        app.page.tap("Delete")
        #expect(app.client.feed.card(id: "wool") == nil)
        try await app.settle { app.page.labels(of: "message").count == 1 }
    }

    @Test("shows a message of HTML in a frame that can do nothing, in the colours of the app")
    func html() async throws {
        let app = try await open()
        app.page.tap("Opening")
        let light = try #require(app.page.values(of: "srcdoc").first)
        #expect(light.hasSuffix("<b>10</b>") && light.contains("color-scheme: light"))
        #expect(app.page.values(of: "sandbox") == [""])
        app.page.change(#"{"dark":true}"#)
        let dark = try #require(app.page.values(of: "srcdoc").first)
        #expect(dark.hasSuffix("<b>10</b>") && dark.contains("color-scheme: dark"))
        // It can't be dismissed, so nothing offers that.
        #expect(!app.page.has("Delete"))
    }

    @Test(
        "says so where a message is empty or leads to what is no page",
        arguments: [nil, "javascript:alert(1)", "x:y"]
    )
    func nothing(_ address: String?) async throws {
        let card = RunningShop.card("web", ["class_type": "message_webview", "message_title": "Web"]) {
            $0.urlString = address
        }
        let app = try await RunningShop([card])
        try await app.shows("Messages, 1")
        app.page.tap("Messages, 1")
        app.page.tap("Web")
        #expect(app.page.has("Nothing to show") && app.page.values(of: "sandbox").isEmpty)
    }

    @Test("deletes rows that can be dismissed, and says when there are none left")
    func deletion() async throws {
        let app = try await open(
            Self.cards.map { card in
                var card = card
                if card.id == "hours" { card.isDismissible = true }
                return card
            }
        )
        app.page.tap("Delete")
        #expect(app.client.feed.card(id: "wool") == nil && app.client.feed.card(id: "hours") != nil)
        try await app.settle { app.page.labels(of: "message").count == 1 }
        #expect(app.page.has("Opening") && !app.page.has("No messages"))
        app.page.tap("Delete")
        try await app.shows("No messages")
        #expect(app.page.labels(of: "message").isEmpty && app.page.has("Messages"))
    }

    @Test("offers to delete only what can be dismissed")
    func fixed() async throws {
        let app = try await open()
        #expect(app.page.values(of: "data-swipe").count == 1)
        app.page.tap("Delete")
        try await app.settle { app.page.labels(of: "message").count == 1 }
        #expect(app.page.values(of: "data-swipe").isEmpty)
    }

    @Test("counts what is seen, and slots of control groups with the row in their place")
    func impressions() async throws {
        let app = try await open()
        let before = app.client.pendingEventCount
        app.look()
        app.look()
        try await app.settle { app.client.pendingEventCount >= before + 3 }
        #expect(app.client.pendingEventCount == before + 3)
    }

    @Test("shows what is cached when it is opened, and then what is new, where the last answer is over a minute old")
    func opening() async throws {
        let app = try await open()
        app.page.tap("Shop")
        app.answer(Self.cards + [RunningShop.card("new", ["class_type": "message_full_page"]) { $0.title = "New" }])
        app.clock.advance(by: 59)
        app.page.tap("Messages, 2")
        #expect(app.page.labels(of: "message").count == 2)
        app.page.tap("Shop")
        app.clock.advance(by: 2)
        app.page.tap("Messages, 2")
        #expect(app.page.labels(of: "message").count == 2)
        try await app.shows("Messages, 3")
        #expect(app.page.labels(of: "message").count == 3)
    }

    @Test("keeps its messages without a network, and ends turning")
    func offline() async throws {
        let app = try await open()
        app.answer(nil)
        try app.page.pull()
        #expect(app.page.values(of: "aria-busy") == ["true"])
        try await app.settle { app.page.values(of: "aria-busy") == ["false"] }
        #expect(app.page.labels(of: "message").count == 2)
    }
}
