import ContentCards
import FeedScreen
import Foundation
import WireJSON

/// A feed for programs: states and outcomes as lines of JSON, commands from standard input.
struct FeedJSONSession {
    private enum Step: Sendable {
        case happening(FeedClient.Happening)
        case line(String)
        case end
    }

    private let client: FeedClient
    private let actions: FeedActions

    init(_ client: FeedClient) {
        self.client = client
        actions = FeedActions(cards: client.cards)
    }

    func run() async {
        let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
        let happenings = client.start()
        let relay = Task {
            for await happening in happenings { continuation.yield(.happening(happening)) }
        }
        InputLines.read { line in continuation.yield(line.map(Step.line) ?? .end) }
        for await step in steps where await !take(step) { break }
        relay.cancel()
        let pending = await client.close()
        Console.write(["event": "closed", "pending_events": .integer(Int64(pending))])
    }

    /// Does one step and returns whether to go on.
    private func take(_ step: Step) async -> Bool {
        switch step {
        case .happening(.feed(let feed)): Console.write(feed.snapshotJSON)
        case .happening(.connection(let connection)):
            Console.write(["event": "connection", "state": .string(connection.text)])
        case .happening(.diagnostic(let diagnostic)):
            Console.write(["event": "diagnostic", "message": .string(diagnostic.description)])
        case .end: return false
        case .line(let line):
            guard let command = FeedCommand(line) else {
                Console.write(["event": "error", "message": "Known: view N, click N, dismiss N, refresh, quit."])
                return true
            }
            return await perform(command)
        }
        return true
    }

    private func perform(_ command: FeedCommand) async -> Bool {
        switch command {
        case .quit: return false
        case .refresh:
            let text = await actions.refresh()
            Console.write(["event": "done", "command": "refresh", "message": .string(text)])
        case .view(let target): perform("view", target, actions.view)
        case .click(let target): perform("click", target, actions.click)
        case .dismiss(let target): perform("dismiss", target, actions.dismiss)
        }
        return true
    }

    private func perform(
        _ name: String,
        _ target: FeedCommand.Target,
        _ action: (ContentCard) -> FeedActions.Outcome
    ) {
        guard let card = target.card(in: client.cards.feed) else {
            return Console.write(["event": "error", "message": "There is no such card in the feed."])
        }
        let outcome = action(card)
        Console.write([
            "event": "done", "command": .string(name), "card_id": .string(outcome.card),
            "logged": .bool(outcome.isLogged), "message": .string(outcome.text),
        ])
    }
}

extension CardFeed {
    /// The state as one object.
    var snapshotJSON: WireJSON.JSONValue {
        [
            "event": "feed", "user_id": userID.map(WireJSON.JSONValue.string) ?? .null,
            "last_sync": lastSync.map { .number($0.timeIntervalSince1970) } ?? .null,
            "unviewed": .integer(Int64(unviewedCount)), "cards": .array(cards.map(\.snapshotJSON)),
        ]
    }
}

extension ContentCard {
    fileprivate var snapshotJSON: WireJSON.JSONValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = (try? encoder.encode(self)) ?? Data()
        return (try? WireJSON.JSONValue(parsing: data)) ?? ["id": .string(id)]
    }
}
