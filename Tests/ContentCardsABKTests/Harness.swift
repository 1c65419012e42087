import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

/// Runs the shared instance over a scripted server, and counts its notifications.
@MainActor
final class Harness {
    let transport = ScriptedTransport()
    let clock = ManualClock()
    let appboy: Appboy
    private(set) var outcomes: [Bool?] = []
    private var observer: (any NSObjectProtocol)?

    init(_ cards: [ContentCard] = [], user: String? = "user") async {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .memory
        configuration.sessions = .manual
        configuration.isLiveEnabled = false
        configuration.transport = transport
        configuration.clock = clock
        configuration.ids = SequentialIDs()
        configuration.log = { _ in }
        transport.answer("v1/sync") { _ in .sync(cards) }
        let client = ContentCardsClient(
            endpoint: URL(string: "https://cards.example") ?? URL(fileURLWithPath: "/"),
            key: "pk_test",
            configuration: configuration
        )
        if let user { await client.identify(user) }
        appboy = Appboy.start(with: client)
        observer = NotificationCenter.default.addObserver(
            forName: .ABKContentCardsProcessed,
            object: appboy,
            queue: nil
        ) { [weak self] notification in
            let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool
            // This ends the process if the notification does not come on the main thread.
            MainActor.assumeIsolated {
                self?.outcomes.append(isSuccessful)
            }
        }
    }

    func stop() async {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        await appboy.client.close()
    }

    /// Asks for cards, and returns when the notification was posted.
    func refresh() async {
        let count = outcomes.count
        appboy.requestContentCardsRefresh()
        await settle { outcomes.count > count }
    }

    /// Lets tasks run until something holds, or it hasn't for a time that no busy machine needs.
    func settle(within seconds: TimeInterval = 60, until holds: () -> Bool) async {
        let end = Date() + seconds
        while !holds(), Date() < end { await Task.yield() }
    }

    /// Lets tasks run that may do what they should not.
    func settle() async {
        for _ in 0..<500 { await Task.yield() }
    }

    /// Puts a controller on a screen that is high enough for several cards.
    func show(_ controller: UIViewController) -> BrowserScreen {
        var environment = BrowserEnvironment()
        environment.height = 3_000
        let screen = BrowserScreen(environment: environment) { controller }
        screen.drawIfNeeded()
        return screen
    }

    /// Taps the button with a text, as a browser does.
    func tap(_ text: String, on screen: BrowserScreen) throws {
        var elements: [String: String] = [:]
        let previous = screen.send
        screen.send = { data in
            let message = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            let changes = (message?["diff"] as? [String: Any])?["p"] as? [[String: Any]] ?? []
            for change in changes { elements[change["t"] as? String ?? ""] = change["i"] as? String }
        }
        screen.sendAll()
        screen.send = previous
        let id = try #require(elements[text])
        #expect(screen.receive(Data(#"{"events":[{"i":"\#(id)","k":"tap"}]}"#.utf8)))
    }

    /// Delivers what was logged, and returns the types of all events but those of sessions, in order.
    func delivered() async -> [String] {
        await sent().map(\.type)
    }

    /// Delivers what was logged, and returns all events but those of sessions, in order.
    func sent() async -> [SentEvent] {
        try? await appboy.client.flush()
        var seen: Set<String> = []
        return transport.requests.flatMap(Self.events).filter {
            seen.insert($0.id).inserted && $0.type != "session_start"
        }
    }

    private static func events(in request: TransportRequest) -> [SentEvent] {
        guard let body = request.body, let sent = try? JSONDecoder().decode(JSONValue.self, from: body),
            case .object(let members) = sent, case .array(let events) = members["events"],
            case .string(let user) = members["user_id"]
        else { return [] }
        return events.compactMap { SentEvent(user: user, $0) }
    }
}

/// An event of a request.
struct SentEvent {
    let user: String
    let id: String
    let type: String
    let members: [String: JSONValue]

    init?(user: String, _ event: JSONValue) {
        guard case .object(let members) = event, case .string(let id) = members["id"],
            case .string(let type) = members["type"]
        else { return nil }
        (self.user, self.id, self.type, self.members) = (user, id, type, members)
    }
}
