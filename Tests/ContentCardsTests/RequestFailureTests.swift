import Foundation
import Testing

@testable import ContentCards

@Suite("A request that failed")
struct RequestFailureTests {
    private struct OtherError: Error {}

    private func status(_ status: Int, _ code: String? = nil, retryAfter: TimeInterval? = nil) -> RequestFailure {
        .status(status, code: code, message: nil, retryAfter: retryAfter)
    }

    @Test("asks for another token where the server refused that, and nowhere else")
    func tokens() {
        let refusals = [status(401, "token_expired"), status(401, "token_missing"), status(401, "token_")]
        let others = [
            status(401), status(401, "key_unknown"), status(401, "Token_expired"), status(403, "token_expired"),
            status(500, "token_expired"), .invalidReply, .timedOut, .unreachable("token_"), .connectionLost("token_"),
        ]
        #expect(refusals.allSatisfy(\.isTokenRefusal) && !others.contains(where: \.isTokenRefusal))
    }

    @Test("may come of an event where the server failed by itself, not where it could not be asked or has to rest")
    func events() {
        let suspicious = [status(500), status(502, "internal"), status(503), status(599), .connectionLost("x")]
        let others = [
            status(503, retryAfter: 0), status(500, retryAfter: 30), status(400), status(413), status(429), status(200),
            status(511), .unreachable("x"), .timedOut, .invalidReply,
        ]
        #expect(suspicious.allSatisfy(\.mayComeOfEvents) && !others.contains(where: \.mayComeOfEvents))
    }

    @Test("is of too many events for three codes of two statuses")
    func oversize() {
        let codes = ["body_too_large", "too_many_events", "json_invalid"]
        for code in codes {
            #expect(status(400, code).oversizeCode == code && status(413, code).oversizeCode == code)
            #expect(status(500, code).oversizeCode == nil && status(403, code).oversizeCode == nil)
        }
        let others = [status(413), status(400, "user_id_invalid"), status(400, ""), .invalidReply, .timedOut]
        #expect(others.allSatisfy { $0.oversizeCode == nil })
    }

    @Test("is of a server with too much to do where it says so, or says when to come back")
    func overload() {
        let busy = [status(429), status(503), status(500, retryAfter: 1), status(599, retryAfter: 0)]
        let others = [status(500), status(502), status(403, retryAfter: 9), status(301, retryAfter: 9), .timedOut]
        #expect(busy.allSatisfy(\.isOverload) && !others.contains(where: \.isOverload))
        #expect(busy.map(\.retryAfter) == [nil, nil, 1, 0] && others.allSatisfy { $0.retryAfter == nil })
    }

    @Test("is what the transport says, and a cancelled connection where it says nothing that is known")
    func errors() {
        let known: [(any Error, RequestFailure)] = [
            (TransportError.timedOut, .timedOut), (TransportError.unreachable("a"), .unreachable("a")),
            (TransportError.connectionLost("b"), .connectionLost("b")), (status(418), status(418)),
        ]
        for (error, failure) in known { #expect(RequestFailure(error) == failure) }
        let others: [any Error] = [TransportError.cancelled, CancellationError(), OtherError()]
        #expect(others.map { RequestFailure($0).error.code } == [.offline, .offline, .offline])
        #expect(others.allSatisfy { !RequestFailure($0).mayComeOfEvents && !RequestFailure($0).isOverload })
    }

    @Test("tells the app what the server said, and when to come back, without a text that a user was sent")
    func told() {
        let failure = RequestFailure.status(429, code: "rate_limited", message: "Later.", retryAfter: 7)
        #expect(
            failure.error
                == ContentCardsError(
                    .rateLimited,
                    "The server answered 429: Later.",
                    retryAfter: 7,
                    serverCode: "rate_limited"
                )
        )
        #expect(status(500).error.message == "The server answered 500.")
        #expect(RequestFailure.unreachable("no route").error.description.contains("no route"))
        #expect(RequestFailure.timedOut.error.code == .timeout)
    }
}
