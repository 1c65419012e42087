import BrowserUIKit
import Hummingbird

/// Holds the app of one browser tab, and the connection to its page while there is one.
@MainActor
final class Tab {
    let screen: BrowserScreen
    private var connection: Connection?
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

    var isConnected: Bool { connection != nil }

    /// Connects a page, which first gets everything.
    ///
    /// A page that was connected before is let go.
    func connect(_ environment: BrowserEnvironment, now: ContinuousClock.Instant) -> Connection {
        let number = (connection?.number ?? 0) + 1
        connection?.sink.finish()
        let (messages, sink) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingNewest(10_000))
        let new = Connection(messages: messages, sink: sink, number: number)
        connection = new
        lastContact = now
        screen.send = { sink.yield($0) }
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
    }

    func close() {
        connection?.sink.finish()
        screen.close()
    }
}
