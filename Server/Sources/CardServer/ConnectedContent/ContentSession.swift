import CardModel
import Liquid
import Synchronization

/// The requests of one feed's templates, and the answers to them.
///
/// Templates are rendered without waiting. So a feed is rehearsed first: what the templates ask for is noted here,
/// fetched, and asked again, until nothing is missing.
final class ContentSession: Sendable {
    /// The one that templates rendered by this task ask.
    @TaskLocal static var current: ContentSession?

    /// The maximum number of requests of a feed.
    private static let limit = 50

    private struct State {
        var answers: [ContentFetch: ContentAnswer] = [:]
        var missing: [ContentFetch] = []
    }

    private let state = Mutex(State())

    /// The answer to a request; throws where it failed, or where there is none yet.
    func response(to fetch: ContentFetch) throws(LiquidError) -> ConnectedContentResponse {
        let answer = state.withLock { state -> ContentAnswer? in
            if let answer = state.answers[fetch] { return answer }
            if !state.missing.contains(fetch), state.answers.count + state.missing.count < Self.limit {
                state.missing.append(fetch)
            }
            return nil
        }
        switch answer {
        case .response(let response): return response
        case .failure(let reason): throw ContentFetch.failure(reason)
        case nil: throw ContentFetch.failure("The answer did not come in time.")
        }
    }

    /// Hands over what is to be fetched.
    func takeMissing() -> [ContentFetch] {
        state.withLock { state in
            defer { state.missing = [] }
            return state.missing
        }
    }

    func keep(_ answer: ContentAnswer, to fetch: ContentFetch) {
        state.withLock { $0.answers[fetch] = answer }
    }
}

/// Answers templates from the session of the feed that is being made.
struct SessionContent: ConnectedContentProviding {
    let hosts: [ContentHost]

    func response(to request: ConnectedContentRequest) throws(LiquidError) -> ConnectedContentResponse {
        let fetch = try ContentFetch(request, hosts: hosts)
        guard let session = ContentSession.current else { throw ContentFetch.failure("Nothing is fetched here.") }
        return try session.response(to: fetch)
    }
}
