import BrowserUIKit
import Hummingbird

/// Holds the app of one browser tab, and the connection to its page while there is one.
@MainActor
final class Tab {
    let screen: BrowserScreen
    private var connection: Connection?
    private var connectionCount = 0
    /// The name of the page that was connected last, where it has one.
    private var page: String?
    private(set) var lastContact: ContinuousClock.Instant

    /// Carries messages to one page.
    struct Connection: Sendable {
        let messages: AsyncStream<Data>
        let sink: AsyncStream<Data>.Continuation
        let number: Int
    }

    init(environment: BrowserEnvironment, now: ContinuousClock.Instant, root: () -> UIViewController) {
        screen = BrowserScreen(environment: environment, root: root)
        lastContact = now
    }

    /// Says that another page has taken over.
    ///
    /// A duplicated browser tab brings the same id: without this, the two pages
    /// would take the app from each other for ever.
    static let displaced = Data(#"{"displaced":true}"#.utf8)

    var isConnected: Bool { connection != nil }

    /// Connects a page, which first gets everything.
    ///
    /// A page that was connected before is let go.
    func connect(
        _ environment: BrowserEnvironment,
        page: String? = nil,
        now: ContinuousClock.Instant
    ) -> Connection {
        connectionCount += 1
        self.page = page
        connection?.sink.yield(Self.displaced)
        connection?.sink.finish()
        let (messages, sink) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingOldest(1_000))
        let new = Connection(messages: messages, sink: sink, number: connectionCount)
        connection = new
        lastContact = now
        // A page that has fallen so far behind is let go: it comes back, and gets everything at once.
        screen.send = { if case .dropped = sink.yield($0) { sink.finish() } }
        screen.change(to: environment)
        screen.sendAll()
        return new
    }

    func disconnect(_ number: Int, now: ContinuousClock.Instant) {
        guard connection?.number == number else { return }
        connection?.sink.finish()
        connection = nil
        screen.send = nil
        lastContact = now
        var gone = screen.environment
        gone.isHidden = true
        screen.change(to: gone)
    }

    /// Hands the report of a page to the app, and returns whether it was understood.
    ///
    /// A page that has lost the app to another one reports that it is hidden as the user leaves it, perhaps after the
    /// other one was connected: that is passed over.
    func receive(_ data: Data, from page: String?) -> Bool {
        if let page, page != self.page { return true }
        return screen.receive(data)
    }

    func close() {
        connection?.sink.finish()
        screen.close()
    }
}
