import Foundation
import LiveTesting
import Testing
import WireJSON

@testable import CardServer

/// Requests that are answered on the event loop, beside the same ones answered by the application.
@Suite("The shortcut for syncs")
struct ShortcutTests {
    private enum Framing {
        /// As every client sends it; may take the shortcut.
        case length
        /// Only the application reads it.
        case chunked
    }

    private static func request(
        _ workspace: Workspace,
        _ body: JSONValue,
        _ framing: Framing = .length,
        key: String? = nil,
        headers: String = ""
    ) -> String {
        let text = body.text
        let head = """
            POST /v1/sync HTTP/1.1\r
            Host: placard\r
            authorization: bearer \(key ?? workspace.publishable)\r
            \(headers)
            """
        switch framing {
        case .length: return head + "Content-Length: \(text.utf8.count)\r\n\r\n" + text
        case .chunked:
            let size = String(text.utf8.count, radix: 16)
            return head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(text)\r\n0\r\n\r\n"
        }
    }

    private static func body(_ user: String, cursor: String? = nil) -> JSONValue {
        guard let cursor else { return ["user_id": .string(user), "device_id": "phone"] }
        return ["user_id": .string(user), "device_id": "phone", "cursor": .string(cursor)]
    }

    @Test("Both ways give the same answer, byte for byte", arguments: [true, false])
    func sameAnswer(hasCursor: Bool) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let first = try await workspace.sync("ann", device: "phone")
            let body = Self.body("ann", cursor: hasCursor ? first.cursor : nil)
            let connection = RawConnection(to: try workspace.endpoint)

            let short = try await connection.exchange([Self.request(workspace, body)], count: 1)
            let long = try await connection.exchange([Self.request(workspace, body, .chunked)], count: 1)

            #expect(short.map(\.status) == [200])
            #expect(short.first?.body == long.first?.body)
            #expect(short.first?.body.contains("Hello") == !hasCursor)
            // Without an ID of the request, only the application makes one.
            let own: Set = ["date", "x-request-id"]
            let headers = [short, long].map { $0.first?.headers.filter { !own.contains($0.key) } }
            #expect(headers[0] == headers[1] && headers[0]?.isEmpty == false)
            #expect(short.first?.headers["date"]?.count == long.first?.headers["date"]?.count)
        }
    }

    @Test("An answer repeats the ID of its request, also where it is too large to be sent in one piece")
    func requestID() async throws {
        try await Workspace.run { workspace in
            let text = String(repeating: "World ", count: 100)
            let card: JSONValue = ["type": "classic", "title": "Hello", "description": .string(text)]
            for number in 0..<40 { try await workspace.launch("card-\(number)", card: card) }
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let connection = RawConnection(to: try workspace.endpoint)
            let requests: [(id: String, cursor: String?)] = [("first", cursor), ("second", nil), ("third", cursor)]
            for (id, cursor) in requests {
                let body = Self.body("ann", cursor: cursor)
                let request = Self.request(workspace, body, headers: "X-Request-ID: \(id)\r\n")
                let answer = try #require(try await connection.exchange([request], count: 1).first)
                #expect(answer.status == 200 && answer.headers["x-request-id"] == id)
                #expect(answer.headers["content-length"] == String(answer.body.utf8.count))
                #expect((answer.body.utf8.count > 16_384) == (cursor == nil), "\(answer.body.utf8.count) bytes")
            }
        }
    }

    @Test("Pipelined requests are answered in their order, whichever way each goes")
    func pipelining() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let known = Self.body("ann", cursor: cursor)
            let requests = [
                Self.request(workspace, known), Self.request(workspace, Self.body("new-user")),
                Self.request(workspace, known), Self.request(workspace, Self.body("another"), .chunked),
                Self.request(workspace, known),
            ]

            let answers = try await RawConnection(to: try workspace.endpoint)
                .exchange([requests.joined()], count: requests.count)

            #expect(answers.map(\.status) == [200, 200, 200, 200, 200])
            #expect(answers.map { $0.body.contains("Hello") } == [false, true, false, true, false])
        }
    }

    @Test("A request that arrives in pieces is answered like a whole one")
    func pieces() async throws {
        try await Workspace.run { workspace in
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let text = Array(Self.request(workspace, Self.body("ann", cursor: cursor)))
            let pieces = stride(from: 0, to: text.count, by: 37).map { String(text[$0..<min($0 + 37, text.count)]) }

            let answers = try await RawConnection(to: try workspace.endpoint).exchange(pieces, count: 1)

            #expect(answers.map(\.status) == [200])
            #expect(answers.first?.body.contains(cursor) == true)
        }
    }

    @Test("A refusal comes from the application, and the connection goes on")
    func refusals() async throws {
        try await Workspace.run { workspace in
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let good = Self.request(workspace, Self.body("ann", cursor: cursor))
            let wrongKey = Self.request(workspace, Self.body("ann", cursor: cursor), key: "pk_wrong")
            let noUser = Self.request(workspace, ["device_id": "phone"])

            let answers = try await RawConnection(to: try workspace.endpoint)
                .exchange([good, wrongKey, good, noUser, good], count: 5)

            #expect(answers.map(\.status) == [200, 401, 200, 400, 200])
            #expect(answers.count == 5 && answers[1].body.contains("key_invalid"))
            #expect(answers.count == 5 && answers[3].body.contains("field_missing"))
        }
    }

    @Test("A key that is revoked is refused on connections that used it before")
    func revokedKey() async throws {
        try await Workspace.run { workspace in
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let request = Self.request(workspace, Self.body("ann", cursor: cursor))
            let keys = try await workspace.manage(.get, "/v1/keys").json["keys"]?.array ?? []
            let id = try #require(keys.first { $0["kind"] == "publishable" }?["id"]?.string)
            let connection = RawConnection(to: try workspace.endpoint)

            let before = try await connection.exchange([request], count: 1)
            try await workspace.manage(.delete, "/v1/keys/\(id)")
            let after = try await connection.exchange([request], count: 1)

            #expect(before.map(\.status) == [200])
            #expect(after.map(\.status) == [401])
        }
    }

    @Test("Of two keys or two user tokens none counts, whichever comes last", arguments: [true, false])
    func repeatedHeaders(isGoodLast: Bool) async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            try await workspace.manage(.put, "/v1/settings", signers.settings("optional"))
            let token = try await signers.es256("ann", expires: workspace.time.now + 600)
            let body = Self.body("ann", cursor: try await workspace.sync("ann", device: "phone").cursor)
            let tokens = isGoodLast ? ["a.b.c", token] : [token, "a.b.c"]
            let keys = isGoodLast ? ["pk_wrong", workspace.publishable] : [workspace.publishable, "pk_wrong"]
            let once = Self.request(workspace, body, headers: "Placard-User-Token: \(token)\r\n")
            let twice = Self.request(
                workspace,
                body,
                headers: tokens.map { "Placard-User-Token: \($0)\r\n" }.joined()
            )
            let twoKeys = Self.request(workspace, body, key: keys[0], headers: "Authorization: Bearer \(keys[1])\r\n")

            let answers = try await RawConnection(to: try workspace.endpoint)
                .exchange([once, once, twice, twoKeys, once], count: 5)

            #expect(answers.map(\.status) == [200, 200, 401, 401, 200])
            #expect(answers.count == 5 && answers[2].body.contains("token_invalid"))
            #expect(answers.count == 5 && answers[3].body.contains("key_invalid"))
        }
    }

    @Test("Connection: close ends the connection after the answer")
    func close() async throws {
        try await Workspace.run { workspace in
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            let request = Self.request(
                workspace,
                Self.body("ann", cursor: cursor),
                headers: "Connection: close\r\n"
            )

            // Asks for more answers than there will be: only the end of the connection ends the wait.
            let answers = try await RawConnection(to: try workspace.endpoint).exchange([request], count: 2)

            #expect(answers.map(\.status) == [200])
        }
    }

    @Test("The metrics count requests that took the shortcut")
    func metrics() async throws {
        try await Workspace.run { workspace in
            let cursor = try await workspace.sync("ann", device: "phone").cursor
            for _ in 0..<3 { _ = try await workspace.sync("ann", device: "phone", cursor: cursor) }

            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text

            #expect(metrics.contains(#"placard_http_requests_total{route="/v1/sync",status="2xx"} 4"#))
        }
    }
}
