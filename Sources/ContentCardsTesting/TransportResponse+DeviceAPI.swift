import ContentCards
import Foundation

extension TransportResponse {
    /// Returns the answer to a sync.
    /// - Parameters:
    ///   - cards: the cards that are new or changed, or all cards.
    ///   - replaces: whether `cards` is the whole feed; true by default.
    ///   - removed: the ids of cards that are gone.
    ///   - cursor: where the next sync continues.
    /// - Returns: the answer.
    public static func sync(
        _ cards: [ContentCard] = [],
        replaces: Bool = true,
        removed: [String] = [],
        cursor: String = "1"
    ) -> TransportResponse {
        let body = SyncBody(cursor: cursor, replace: replaces, cards: cards, removed: removed)
        return TransportResponse(status: 200, body: (try? JSONEncoder().encode(body)) ?? Data())
    }

    /// Returns an answer with JSON that the test wrote.
    public static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> TransportResponse {
        TransportResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Returns the answer to events, all of which were taken.
    public static func events() -> TransportResponse {
        .json(#"{"events":{"accepted":0,"duplicate":0,"rejected":[]}}"#)
    }

    /// Returns a refusal.
    public static func failure(_ status: Int, code: String, retryAfter: String? = nil) -> TransportResponse {
        .json(
            #"{"error":{"code":"\#(code)","message":"scripted"}}"#,
            status: status,
            headers: retryAfter.map { ["Retry-After": $0] } ?? [:]
        )
    }

    private struct SyncBody: Encodable {
        /// The server's receipt for the events of the request: all of them were taken.
        struct Events: Encodable {
            var accepted = 0
            var duplicate = 0
            var rejected: [String] = []
        }

        var cursor: String
        var replace: Bool
        var cards: [ContentCard]
        var removed: [String]
        var events = Events()
    }
}
