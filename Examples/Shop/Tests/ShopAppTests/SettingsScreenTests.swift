import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ShopApp

@MainActor
@Suite("The settings")
struct SettingsScreenTests {
    private func open(_ cards: [ContentCard] = []) async throws -> RunningShop {
        let app = try await RunningShop(cards)
        app.page.tap("Settings")
        return app
    }

    /// The user whose row is marked.
    private func chosen(_ app: RunningShop) -> [String] {
        DemoUser.all.map(\.id).filter { app.page["user-\($0)"]?.attributes["aria-current"] == "true" }
    }

    /// What stands in the field for another user.
    private func other(_ app: RunningShop) -> String? {
        app.page["other-user"]?.attributes["data-value"]?.split(separator: ":", omittingEmptySubsequences: false)
            .dropFirst().joined(separator: ":")
    }

    @Test("say who uses the app, and let another of the demo's users do so, with cards of their own")
    func users() async throws {
        let app = try await open([RunningShop.card("a", ["class_type": "home_tile", "tile_title": "Anna's kettle"])])
        #expect(chosen(app) == ["anna"])
        app.shop.add(try #require(app.shop.tile(id: "tent")))
        app.answer([RunningShop.card("h", ["class_type": "home_tile", "tile_title": "Hugo's kettle"])])
        app.page.tap("user-hugo")
        try await app.settle { chosen(app) == ["hugo"] }
        #expect(app.client.userID == "hugo" && app.shop.cart.value.isEmpty)
        app.page.tap("Shop")
        try await app.shows("Hugo's kettle")
        #expect(!app.page.has("Anna's kettle"))
    }

    @Test(
        "let anybody else use the app, without the spaces that keyboards add",
        arguments: [("zoe", "zoe"), (" zoe  ", "zoe"), ("日本 太郎", "日本 太郎"), ("\"};", "\"};")]
    )
    func otherUser(_ typed: String, _ user: String) async throws {
        let app = try await open()
        try app.page.type(typed, into: "other-user")
        try await app.settle { app.client.userID == user && chosen(app).isEmpty }
        #expect(other(app) == user && app.shop.preferences.value.user == user)
    }

    @Test("mark a user of the demo who was typed, and clear the field")
    func typedDemoUser() async throws {
        let app = try await open()
        try app.page.type("dora ", into: "other-user")
        try await app.settle { chosen(app) == ["dora"] }
        #expect(other(app) == "")
        try app.page.type("dora", into: "other-user")
        #expect(other(app) == "" && chosen(app) == ["dora"])
    }

    @Test(
        "leave everything as it is where what was typed is no user's ID",
        arguments: ["", "  ", "a\u{7}b", "\u{202E}ann", String(repeating: "x", count: 513)]
    )
    func noUser(_ typed: String) async throws {
        let app = try await open()
        try app.page.type("zoe", into: "other-user")
        try await app.settle { app.shop.preferences.value.user == "zoe" }
        app.shop.add(try #require(app.shop.tile(id: "tent")))
        try app.page.type(typed, into: "other-user")
        try await app.settle { other(app) == "zoe" }
        #expect(app.client.userID == "zoe" && app.shop.preferences.value.user == "zoe")
        #expect(!app.shop.cart.value.isEmpty)
    }

    @Test("make the app light or dark, or as the system is")
    func theme() async throws {
        let app = try await open()
        #expect(app.page.scheme == nil)
        for (title, scheme) in [("Dark", "dark"), ("Light", "light"), ("System", nil)] {
            app.page.tap(title)
            #expect(app.page.scheme == scheme && app.page[title]?.attributes["aria-checked"] == "true")
        }
    }

    @Test("show a code for test cards")
    func testCode() async throws {
        let app = try await open()
        app.transport.answer("v1/test-codes") { _ in .json(#"{"code":"CODE-1","expires_in":600}"#, status: 201) }
        app.page.tap("test-code-row")
        try await app.shows("CODE-1")
    }

    @Test("let go of pages of the user before, whose messages and prices are not for another")
    func pages() async throws {
        let app = try await RunningShop([
            RunningShop.card("m", ["class_type": "message_full_page", "message_header": "For Anna"]),
            RunningShop.card("t", ["class_type": "home_tile", "tile_title": "Kettle", "tile_price": "1"]),
        ])
        try await app.shows("Kettle")
        app.page.tap("Kettle")
        app.page.tap("Messages, 1")
        app.page.tap("message")
        #expect(app.page.texts.contains("For Anna"))
        app.answer([])
        app.page.tap("Settings")
        app.page.tap("user-hugo")
        try await app.settle { chosen(app) == ["hugo"] }
        app.page.tap("Messages")
        #expect(!app.page.texts.contains("For Anna"))
        app.page.tap("Shop")
        #expect(!app.page.has("add-to-cart") && app.page.has("For days outside"))
    }

    @Test("are there again after a launch, without what can't be meant")
    func preferences() throws {
        let name = "ShopAppTests.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        #expect(Preferences(defaults) == Preferences())
        var kept = Preferences()
        (kept.theme, kept.user, kept.homePriority) = (.dark, "zoe", "camp, travel")
        kept.save(defaults)
        #expect(Preferences(defaults) == kept)
        defaults.set(7, forKey: "theme")
        #expect(Preferences(defaults).theme == .system && Preferences(defaults).user == "zoe")
    }
}
