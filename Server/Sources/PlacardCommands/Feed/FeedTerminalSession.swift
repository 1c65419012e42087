import ContentCards
import Dispatch
import FeedScreen
import Foundation
import Terminal

/// A feed on a terminal, with keys.
struct FeedTerminalSession {
    private enum Step: Sendable {
        case happening(FeedClient.Happening)
        case key(Key)
        case refreshed(String)
        case resized
        case tick
    }

    private let client: FeedClient
    private let actions: FeedActions
    private let steps: AsyncStream<Step>
    private let continuation: AsyncStream<Step>.Continuation
    private var screen: FeedScreen
    private var painter = ScreenPainter()
    private var tracker = ImpressionTracker()
    private var resumptions = 0

    /// Takes over the terminal, or returns `nil` where there is none.
    init?(_ client: FeedClient) {
        guard TerminalMode.isInteractive, let size = TerminalSize.current(), TerminalMode.enterScreen() else {
            return nil
        }
        self.client = client
        (steps, continuation) = AsyncStream.makeStream(of: Step.self)
        actions = FeedActions(cards: client.cards)
        screen = FeedScreen(user: client.user, size: size, now: Date())
    }

    /// Shows the feed until the user quits.
    func run() async {
        let sources = listen()
        var session = self
        session.paint()
        for await step in steps where !session.take(step) { break }
        for source in sources { source.cancel() }
        TerminalMode.leave()
        let pending = await client.close()
        if pending > 0 { Console.note(FeedClient.pendingText(pending)) }
    }

    private func listen() -> [any DispatchSourceProtocol] {
        let happenings = client.start()
        let continuation = continuation
        Task { for await happening in happenings { continuation.yield(.happening(happening)) } }
        InputKeys.read { continuation.yield(.key($0)) }
        let resizes = DispatchSource.makeSignalSource(signal: SIGWINCH)
        resizes.setEventHandler { continuation.yield(.resized) }
        resizes.resume()
        let ticks = DispatchSource.makeTimerSource()
        let interval = ImpressionTracker.minimumTime
        ticks.schedule(deadline: .now() + interval, repeating: interval)
        ticks.setEventHandler { continuation.yield(.tick) }
        ticks.resume()
        return [resizes, ticks]
    }

    /// Takes a step and returns whether to go on.
    private mutating func take(_ step: Step) -> Bool {
        switch step {
        case .happening(.feed(let feed)): screen.show(feed)
        case .happening(.connection(let connection)): screen.connection = connection
        case .happening(.diagnostic(let diagnostic)): screen.message = diagnostic.description
        case .refreshed(let text): screen.message = text
        case .resized: resize()
        case .tick: tick()
        case .key(let key): if !press(key) { return false }
        }
        noteImpressions()
        paint()
        return true
    }

    private mutating func tick() {
        screen.now = Date()
        if resumptions != TerminalMode.resumptionCount {
            resumptions = TerminalMode.resumptionCount
            resize()
        }
    }

    private mutating func resize() {
        guard let size = TerminalSize.current() else { return }
        screen.resize(to: size)
        painter.forget()
    }

    private mutating func noteImpressions() {
        for card in tracker.update(visible: screen.visibleCards.sorted(), at: ProcessInfo.processInfo.systemUptime) {
            client.cards.logImpression(cardID: card)
        }
    }

    private mutating func paint() {
        let output = painter.paint(screen.lines)
        if !output.isEmpty { try? FileHandle.standardOutput.write(contentsOf: Data(output.utf8)) }
    }

    /// Does what a key says and returns whether to go on.
    private mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character("q"), .control("c"), .control("d"): return false
        case .up, .character("k"): screen.moveSelection(by: -1)
        case .down, .character("j"): screen.moveSelection(by: 1)
        case .pageUp: screen.moveSelection(by: -5)
        case .pageDown: screen.moveSelection(by: 5)
        case .home, .character("g"): screen.moveSelection(by: -1_000_000)
        case .end, .character("G"): screen.moveSelection(by: 1_000_000)
        case .enter, .character("c"): act(actions.click)
        case .character("v"): act(actions.view)
        case .character("d"): act(actions.dismiss)
        case .character("r"): refresh()
        case .control("z"): kill(getpid(), SIGTSTP)
        case .control("l"): painter.forget()
        default: break
        }
        return true
    }

    private mutating func act(_ action: (ContentCard) -> FeedActions.Outcome) {
        guard let card = screen.selectedCard else { return }
        screen.message = action(card).text
    }

    private mutating func refresh() {
        screen.message = "Refreshing …"
        Task { [actions, continuation] in continuation.yield(.refreshed(await actions.refresh())) }
    }
}
