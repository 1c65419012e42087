import ContentCards
import FeedScreen
import Foundation
import Terminal

/// A feed as lines of changes, for pipes and logs; ends with SIGINT or SIGTERM.
struct FeedPlainSession {
    let client: FeedClient

    init(_ client: FeedClient) { self.client = client }

    func run() async {
        let happenings = client.start()
        let work = Task {
            var cards: [ContentCard] = []
            for await happening in happenings {
                switch happening {
                case .feed(let feed):
                    for line in FeedChanges.lines(from: cards, to: feed.cards) { Console.write(line) }
                    cards = feed.cards
                case .connection(let connection): Console.note("connection: \(connection.text)")
                case .diagnostic(let diagnostic): Console.note("\(diagnostic)".printableLine)
                }
            }
        }
        await EndSignal.wait()
        let pending = await client.close()
        work.cancel()
        if pending > 0 { Console.note(FeedClient.pendingText(pending)) }
    }
}
