import ContentCardsTesting
import Foundation

@testable import ContentCards

/// A device for tests: a directory, a clock that stands still, and a transport that answers as told.
///
/// The directory is removed with the value.
final class TestBed: Sendable {
    let directory: URL
    let clock = ManualClock()
    let transport = ScriptedTransport()

    init() {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Starts the app.
    ///
    /// Without `live`, no stream is opened; a session begins by itself only if `sessions` says so.
    func launch(
        sessions: ContentCardsClient.Sessions = .manual,
        live: Bool = false,
        _ change: (inout ContentCardsClient.Configuration) -> Void = { _ in }
    ) -> ContentCardsClient {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(directory)
        configuration.transport = transport
        configuration.clock = clock
        configuration.ids = UUIDv7Source(clock: clock)
        configuration.random = { 1 }
        configuration.sessions = sessions
        configuration.isLiveEnabled = live
        configuration.log = { _ in }
        configuration.imageCache = images
        change(&configuration)
        return ContentCardsClient(endpoint: Self.endpoint, key: "pk_test", configuration: configuration)
    }

    /// Where images of cards would be.
    var images: URL { directory.appendingPathComponent("images") }

    static let endpoint = URL(string: "https://cards.example") ?? URL(fileURLWithPath: "/")

    /// The files whose name begins with a text, anywhere below the directory.
    func files(named prefix: String) -> [URL] {
        let all = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
        return (all?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent.hasPrefix(prefix) }
    }

    /// Answers every sync with these cards.
    func serve(_ cards: [ContentCard], cursor: String = "1") {
        transport.answer("v1/sync") { _ in .sync(cards, cursor: cursor) }
    }

    /// All events that requests carried, in order.
    var sentEvents: [SentEvent] {
        transport.requests.flatMap { SentBody($0).events }
    }
}

/// What a request says.
struct SentBody: Decodable {
    var user = ""
    var device = ""
    var cursor: String?
    var generation: Int64?
    var sentAt = 0.0
    var events: [SentEvent] = []

    private enum CodingKeys: String, CodingKey {
        case user = "user_id"
        case device = "device_id"
        case cursor
        case generation
        case sentAt = "sent_at"
        case events
    }

    init(_ request: TransportRequest) {
        guard let body = request.body, let sent = try? JSONDecoder().decode(SentBody.self, from: body) else { return }
        self = sent
    }
}

struct SentEvent: Decodable, Equatable {
    var id: String
    var type: String
    var card: String?
    var at: Double
    var name: String?
    var message: String?
    var field: String?

    private enum CodingKeys: String, CodingKey {
        case id, type, at, name, message, field
        case card = "card_id"
    }
}

/// A door that is shut until a test opens it: an answer can wait behind it.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals = 0
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        arrivals += 1
        for watcher in watchers { watcher.resume() }
        watchers = []
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    /// Waits until a caller stands before the door.
    func arrival() async {
        if arrivals > 0 { return }
        await withCheckedContinuation { watchers.append($0) }
    }
}

/// Collects what closures are called with.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}
