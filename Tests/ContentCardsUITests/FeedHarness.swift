import ContentCards
import ContentCardsTesting
import Foundation

@testable import BrowserUIKit
@testable import ContentCardsUI

/// Passes everything on to a client, and remembers what was logged.
final class RecordingSource: CardFeedSource {
    struct Log: Equatable {
        var impressions: [String] = []
        var clicks: [String] = []
        var customClicks: [String] = []
        var dismissals: [String] = []
        var refreshes: [SyncReason] = []
    }

    private let client: ContentCardsClient
    private let state = Guarded(Log())

    init(_ client: ContentCardsClient) {
        self.client = client
    }

    var log: Log { state.value }
    var feed: CardFeed { client.feed }
    var updates: AsyncStream<CardFeed> { client.updates }

    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {
        state.change { $0.refreshes.append(reason) }
        try await client.refresh(reason)
    }

    func logImpression(_ card: ContentCard) -> Bool {
        state.change { $0.impressions.append(card.id) }
        return client.logImpression(card)
    }

    func logClick(_ card: ContentCard, customAction: Bool) -> Bool {
        state.change {
            $0.clicks.append(card.id)
            if customAction { $0.customClicks.append(card.id) }
        }
        return client.logClick(card, customAction: customAction)
    }

    func logDismissal(_ card: ContentCard) -> Bool {
        state.change { $0.dismissals.append(card.id) }
        return client.logDismissal(card)
    }
}

/// Guards a value with a lock.
final class Guarded<Value: Sendable>: @unchecked Sendable {  // `lock` guards `stored`.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value { lock.withLock { stored } }

    func change(_ change: (inout Value) -> Void) {
        lock.withLock { change(&stored) }
    }
}

/// Runs a feed on a screen without a browser, over a client whose server is scripted and whose clock stands still.
@MainActor
final class FeedHarness {
    /// A card of each kind that a feed treats in its own way, in the order of the feed.
    static let mixedCards: [ContentCard] = [
        .fixture("pinned") {
            $0.isPinned = true
            $0.isDismissible = false
        },
        .fixture("control") {
            $0.kind = .control
            $0.priority = 3
        },
        .fixture("fresh") { $0.priority = 2 },
        .fixture("old") {
            $0.priority = 1
            $0.isViewed = true
        },
    ]

    let clock = ManualClock()
    let transport = ScriptedTransport()
    let answer: Guarded<TransportResponse?>
    let source: RecordingSource
    let client: ContentCardsClient
    private(set) var screen: BrowserScreen?
    private(set) var opened: [String] = []

    init(_ cards: [ContentCard]?) async throws {
        let answer = Guarded<TransportResponse?>(cards.map { .sync($0) })
        self.answer = answer
        transport.answer("v1/sync") { _ in
            guard let reply = answer.value else { throw TransportError.unreachable("scripted") }
            return reply
        }
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.transport = transport
        configuration.clock = clock
        configuration.isLiveEnabled = false
        configuration.sessions = .manual
        configuration.log = { _ in }
        let endpoint = URL(fileURLWithPath: "/")
        client = ContentCardsClient(
            endpoint: URL(string: "https://cards.example") ?? endpoint,
            key: "pk_test",
            configuration: configuration
        )
        source = RecordingSource(client)
        await client.identify("user")
        try? await client.refresh()
    }

    /// Creates a feed over the client, with its clock.
    func makeFeed() -> ContentCardsTableViewController {
        ContentCardsTableViewController(source: source, clock: clock)
    }

    func show(_ controller: UIViewController) {
        let screen = BrowserScreen { controller }
        screen.shouldOpen = { [weak self] in
            self?.opened.append($0.absoluteString)
            return true
        }
        self.screen = screen
        draw()
    }

    func draw() {
        screen?.drawIfNeeded()
    }

    /// Reports which part of the feed is on screen, all rows being so high.
    func scroll(_ feed: ContentCardsTableViewController, to offset: CGFloat, height: CGFloat = 800, rows: CGFloat = 200)
    {
        guard let table = feed.tableView else { return }
        let heights = table.live.values.map { #""\#($0.nodeID)":\#(rows)"# }.joined(separator: ",")
        let event =
            #"{"i":"\#(table.nodeID).scroll","k":"scroll","y":\#(offset),"w":390,"#
            + #""h":\#(height),"c":0,"r":{\#(heights)}}"#
        screen?.receive(Data(#"{"events":[\#(event)]}"#.utf8))
    }

    /// Taps an element, where a finger met another one in it.
    func tap(_ id: String, touching element: String? = nil) {
        let touch = element.map { BrowserEvent.Touch(element: $0, point: .zero) }
        screen?.handle(BrowserEvent(id, .tap, touch: touch))
        draw()
    }

    /// Lets tasks run until something holds; false when it doesn't within a time that no busy machine needs.
    func settle(within seconds: TimeInterval = 60, until holds: () -> Bool) async -> Bool {
        let end = Date() + seconds
        while !holds() {
            if Date() > end { return false }
            await Task.yield()
        }
        return true
    }

    /// Moves the clock once something sleeps until then.
    func pass(_ seconds: TimeInterval) async {
        _ = await settle(within: 10) { clock.sleepers.contains { $0 <= seconds + 0.001 } }
        clock.advance(by: seconds)
        // Who has slept goes on on another thread before it comes here, and that may be busy.
        for _ in 0..<50 { await Task.detached {}.value }
        for _ in 0..<200 { await Task.yield() }
        draw()
    }

    func cell(_ feed: ContentCardsTableViewController, _ row: Int) -> ContentCardCell? {
        feed.tableView.cellForRow(at: IndexPath(row: row, section: 0)) as? ContentCardCell
    }
}
