import Foundation
import Testing

@testable import ShopApp

@Suite("Messages")
struct MessageTests {
    private func metaData(_ extras: [String: String], _ more: [ContentCardKey: Any] = [:]) -> [ContentCardKey: Any] {
        let base: [ContentCardKey: Any] = [.idString: "m", .created: 1.0, .dismissible: true, .extras: extras]
        return base.merging(more) { $1 }
    }

    private func web(_ extras: [String: String], url: String? = nil) -> WebViewMessage? {
        var more: [ContentCardKey: Any] = [.title: "Title"]
        more[.urlString] = url
        return WebViewMessage(metaData: metaData(extras, more), classType: .message(.webView))
    }

    @Test("show the page of their address, else their HTML, else nothing")
    func content() throws {
        let address = "https://shop.example/a"
        #expect(web(["html": "<p>"], url: address)?.content == .url(try #require(URL(string: address))))
        #expect(web(["html": "<p>"])?.content == .html("<p>"))
        #expect(web(["html": "<p>"], url: "javascript:alert(1)")?.content == .html("<p>"))
        #expect(web([:])?.content == .nothing)
    }

    @Test("take their title from the pairs, else from the card")
    func title() {
        #expect(web(["message_title": "Pairs", "message_header": "HTML"])?.messageTitle == "Pairs")
        #expect(web([:])?.messageTitle == "Title")
        #expect(web(["message_header": "HTML"])?.messageHeader == "HTML")
    }

    @Test("are unread until they were opened")
    func unread() {
        func message(_ clicked: Bool) -> FullPageMessage? {
            FullPageMessage(
                metaData: metaData([:], [.clicked: clicked, .viewed: true]),
                classType: .message(.fullPage)
            )
        }
        let list = MessageList([message(false), message(true)].compactMap { $0 })
        #expect(list.unreadCount == 1)
    }

    @Test("of control groups are hidden, and seen with the row in their place, or alone")
    func control() {
        func message(_ id: String, isControl: Bool = false) -> FullPageMessage? {
            FullPageMessage(
                metaData: metaData([:], [.idString: id, .isControl: isControl]),
                classType: .message(.fullPage)
            )
        }
        func ids(_ messages: [any Message]) -> [String] { messages.map(\.id) }
        var list = MessageList([message("a"), message("b"), message("last", isControl: true)].compactMap { $0 })
        #expect(ids(list.messages) == ["a", "b"])
        #expect(ids(list.seen(at: [0])) == ["a"])
        #expect(ids(list.seen(at: [0, 1])) == ["a", "b", "last"])
        _ = list.remove(at: 0)
        #expect(ids(list.seen(at: [0])) == ["b", "last"])
        let alone = MessageList([message("only", isControl: true)].compactMap { $0 })
        #expect(alone.messages.isEmpty)
        #expect(ids(alone.seen(at: [])) == ["only"])
    }

    private func date(_ text: String) throws -> Date {
        try #require(ISO8601DateFormatter().date(from: text))
    }

    @Test(
        "say when they came as shortly as it can be understood",
        arguments: [
            ("2026-11-21T08:05:00Z", "08:05"), ("2026-11-20T23:00:00Z", "Yesterday"), ("2026-03-01T12:00:00Z", "1 Mar"),
            ("2024-12-31T12:00:00Z", "31/12/24"),
        ]
    )
    func dates(came: String, text: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let written = MessageDate(calendar: calendar).text(try date(came), now: try date("2026-11-21T09:41:00Z"))
        #expect(written == text)
    }
}
