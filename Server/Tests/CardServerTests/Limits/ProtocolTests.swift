import Foundation
import LiveTesting
import Testing
import WireJSON

@testable import CardServer

/// Requests as no library sends them, over a connection on which a test says each byte.
@Suite("HTTP as it comes", .timeLimit(.minutes(20)))
struct ProtocolTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let status: Int

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ status: Int = 400) {
            (self.name, self.text, self.status) = (name, text, status)
        }
    }

    private static func get(_ headers: String, _ path: String = "/healthz") -> String {
        "GET \(path) HTTP/1.1\r\n\(headers)\r\n"
    }

    private static func post(_ headers: String, _ body: String = "", key: String = "KEY") -> String {
        "POST /v1/sync HTTP/1.1\r\nHost: placard\r\nAuthorization: Bearer \(key)\r\n\(headers)\r\n\(body)"
    }

    /// What is refused, and closes the connection.
    static let refused: [Case] = [
        Case("no Host", get("")), Case("two Hosts", get("Host: a\r\nHost: b\r\n")),
        Case("length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
        Case("chunks and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n")),
        Case("two lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{} ")),
        Case("one length twice", post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}")),
        Case("a list of lengths", post("Content-Length: 2, 2\r\n", "{}")),
        Case("a length with a sign", post("Content-Length: +2\r\n", "{}")),
        Case("a negative length", post("Content-Length: -2\r\n", "{}")),
        Case("a length in hexadecimal", post("Content-Length: 0x2\r\n", "{}")),
        Case("a length beyond 64 bits", post("Content-Length: 99999999999999999999\r\n", "{}")),
        Case("an empty length", post("Content-Length: \r\n", "{}")),
        Case("another coding", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
        Case("chunks that are none", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
        Case("chunks twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
        Case("identity", post("Transfer-Encoding: identity\r\n", "")),
        Case("chunks in HTTP/1.0", "POST /v1/sync HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("a chunk that is no number", post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n")),
        Case("a chunk beyond 64 bits", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n")),
        Case("a chunk without its end", post("Transfer-Encoding: chunked\r\n", "2\r\n{}x\r\n0\r\n\r\n")),
        Case("a folded header", get("Host: a\r\nX-A: b\r\n c\r\n")),
        Case("a blank before the colon", get("Host: a\r\nX-A : b\r\n")),
        Case("a bare CR in a header", get("Host: a\r\nX-A: b\rc\r\n")),
        Case("a NUL in a header", get("Host: a\r\nX-A: b\u{0}c\r\n")),
        Case("a header without a name", get("Host: a\r\n: b\r\n")),
        Case("a header without a colon", get("Host: a\r\nx\r\n")),
        Case("an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target that is no path", "GET a.example HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("a target of another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Case("HTTP/0.9", "GET /healthz\r\n\r\n"),
        Case("HTTP/2 without a beginning", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("HTTP/1.2", "GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n"),
        Case("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n"),
        Case("a proxy's request", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", 405),
        Case("a header of 20 KB", get("Host: a\r\nX-A: \(String(repeating: "x", count: 20_000))\r\n"), 431),
        Case(
            "headers of 40 KB",
            get("Host: a\r\n" + (0..<4).map { "X-\($0): \(String(repeating: "x", count: 10_000))\r\n" }.joined()),
            431
        ),
        Case("200 headers", get("Host: a\r\n" + (0..<200).map { "X-\($0): a\r\n" }.joined()), 431),
        Case("a path of 10 KB", get("Host: a\r\n", "/" + String(repeating: "x", count: 10_000)), 414),
        Case("another expectation", post("Expect: magic\r\nContent-Length: 2\r\n", "{}"), 417),
        Case("a compressed body", post("Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"), 415),
        Case("a body of 2 GB", post("Content-Length: 2000000000\r\n"), 413),
        Case("a body that ends early", post("Content-Length: 5\r\n", "{}") + "END"),
    ]

    @Test("What is not clearly one request is refused, and the connection closes")
    func refuses() async throws {
        try await Workspace.run { workspace in
            for item in Self.refused {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                var text = item.text
                let ends = text.hasSuffix("END")
                if ends { text.removeLast(3) }
                // What follows on the connection is never taken for a request.
                text = text.replacing("KEY", with: workspace.publishable)
                await connection.send(text + (ends ? "" : "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"))
                if ends { await connection.finishSending() }
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 \(item.status) "), "\(item.name): \(answer.prefix(200))")
                #expect(answer.components(separatedBy: "Content-Length: ").count == 2, "\(item.name)")
                #expect(answer.lowercased().contains("connection: close"), "\(item.name)")
                #expect(answer.contains(#"{"error":{"code":""#), "\(item.name)")
                // The server goes on.
                let health = try await workspace.send(.get, "/healthz", raw: nil, key: nil)
                #expect(health.status == 200, "\(item.name)")
            }
        }
    }

    @Test("What is unusual and clear is answered")
    func accepts() async throws {
        try await Workspace.run { workspace in
            let connection = RawConnection(to: try workspace.endpoint)
            let requests = [
                "GET http://a.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n",
                "\r\nGET /healthz HTTP/1.1\r\nhOST:a\r\n\r\n",
                "GET /healthz?x=%00 HTTP/1.1\r\nHost: a\r\nX-A:\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
                "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                    + "Chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nX-T: a\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
            ]
            let answers = try await connection.exchange([requests.joined()], count: requests.count)
            #expect(answers.map(\.status) == [200, 200, 200, 200, 200, 404, 200])
        }
    }

    @Test("HEAD is answered as GET, without a body, and the connection stays in step")
    func head() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send(
                "HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + "HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "HEAD /v1/sync HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["200", "404", "405", "200"])
            for answer in answers.dropLast() { #expect(answer.hasSuffix("\r\n\r\n")) }
            let body = answers.last?.components(separatedBy: "\r\n\r\n").last ?? ""
            #expect(answers.first?.lowercased().contains("content-length: \(body.utf8.count)\r") == true)
            #expect(try JSONValue(parsing: body)["status"] == "ok")

            // A live stream would be the last of its connection, and so is its head.
            let live = try await OpenConnection.open(to: workspace.endpoint)
            let key = "Authorization: Bearer \(workspace.publishable)\r\n"
            await live.send("HEAD /v1/live?user_id=ann HTTP/1.1\r\nHost: a\r\n\(key)\r\n")
            let head = await live.readToEnd()
            #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
            #expect(!head.lowercased().contains("content-length"))
        }
    }

    @Test(
        "HEAD of what is streamed names no length, as GET doesn't",
        arguments: ["/v1/events/export", "/v1/audit/export"]
    )
    func headOfStreams(_ path: String) async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            let key = "Authorization: Bearer \(workspace.secret)\r\n"
            await connection.send(
                "HEAD \(path) HTTP/1.1\r\nHost: a\r\n\(key)\r\n"
                    + "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["200", "200"])
            let head = try #require(answers.first).lowercased()
            #expect(head.hasSuffix("\r\n\r\n") && head.contains("transfer-encoding: chunked"))
            #expect(!head.contains("content-length"))
            #expect(answers.last?.contains(#""status":"ok""#) == true)
        }
    }

    @Test("A client of HTTP/1.0 gets an answer that it can read, and the end of the connection")
    func oldClients() async throws {
        try await Workspace.run { workspace in
            for header in ["", "Connection: keep-alive\r\n"] {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send("GET /healthz HTTP/1.0\r\n\(header)\r\n")
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.0 200"))
                #expect(answer.contains(#""status":"ok""#) && answer.hasSuffix("}"))
                #expect(!answer.lowercased().contains("chunked"))
            }
        }
    }

    @Test("A client that asks whether to send its body is told to")
    func expectation() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            let body = #"{"user_id":"ann","device_id":"d"}"#
            let key = workspace.publishable
            await connection.send(Self.post("Expect: 100-Continue\r\nContent-Length: \(body.utf8.count)\r\n", key: key))
            #expect(await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
            await connection.send(body)
            #expect(await connection.read(until: "refresh").hasPrefix("HTTP/1.1 200"))
            // One that is too large is refused before it is sent.
            await connection.send(Self.post("Expect: 100-continue\r\nContent-Length: 10000000\r\n", key: key))
            #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test("A request for another protocol is answered in this one, and is the last of its connection")
    func upgrade() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
            let answer = await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test(
        "Ten megabytes from a client that writes before it reads end in a refusal that it can read",
        arguments: ["", "Connection: close\r\n", "Transfer-Encoding: chunked\r\n"]
    )
    func writesFirst(_ header: String) async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint, reads: false)
            let size = 10 << 20
            let key = workspace.publishable
            let isChunked = header.contains("chunked")
            await connection.send(Self.post(header + (isChunked ? "" : "Content-Length: \(size)\r\n"), key: key))
            let piece = [UInt8](repeating: 0x20, count: 1 << 16)
            for _ in 0..<(size / piece.count) {
                if isChunked { await connection.send("10000\r\n") }
                await connection.send(piece)
                if isChunked { await connection.send("\r\n") }
            }
            await connection.startReading()
            let answer = await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(answer.contains("body_too_large"))
        }
    }

    @Test("A form that is too large for every page is refused by a page, and everything else by JSON")
    func refusedForm() async throws {
        try await Workspace.run { workspace in
            for (path, isPage) in [("/dashboard/campaigns/new", true), ("/dashboard", true), ("/v1/campaigns", false)] {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 413"), "\(path)")
                #expect(answer.contains("text/html") == isPage && answer.contains("attachment") != isPage, "\(path)")
                #expect(answer.contains("This form is too large") == isPage, "\(path)")
            }
        }
    }

    @Test("Some requests may be sent ahead and are answered in order; too many end the connection")
    func pipelining() async throws {
        try await Workspace.run { workspace in
            let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
            let some = try await RawConnection(to: workspace.endpoint)
                .exchange(
                    [String(repeating: request, count: ConnectionHandler.pipelineDepth)],
                    count: ConnectionHandler.pipelineDepth
                )
            #expect(some.map(\.status) == Array(repeating: 200, count: ConnectionHandler.pipelineDepth))

            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send(String(repeating: request, count: 20_000))
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.last?.hasPrefix("400 ") == true)
            #expect(answers.dropLast().allSatisfy { $0.hasPrefix("200 ") })
            #expect(answers.count < 20_000)
        }
    }

    @Test("A client that is done sending still gets its answer")
    func halfClosed() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send(String(repeating: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
            await connection.finishSending()
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 200").dropFirst()
            #expect(answers.count == 3)
        }
    }

    @Test("A client that sends nothing more, and reads late, gets the last of many answers as a whole")
    func readsLate() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint, reads: false)
            // More than the buffers of both sides hold.
            let request = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
            await connection.send(String(repeating: request, count: 40))
            await connection.finishSending()
            try await connection.beginReading()
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 200").dropFirst()
            #expect(answers.count == 40)
            let last = try #require(answers.last?.components(separatedBy: "\r\n\r\n").last)
            #expect((try? JSONValue(parsing: last.utf8))?["openapi"] != nil)
        }
    }

    @Test("A client that sends nothing more has no live stream, whenever the server hears of it")
    func streamsOnlyWhereClientsMaySend() async throws {
        try await Workspace.run(realTime: true) { workspace in
            let key = "Authorization: Bearer \(workspace.publishable)"
            for number in 0..<20 {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                let head = "GET /v1/live?user_id=user-\(number) HTTP/1.1\r\nHost: a\r\n\(key)\r\n\r\n"
                await connection.send(head)
                await connection.finishSending()
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200"))
            }
        }
    }
}
