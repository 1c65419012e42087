import CardModel
import Liquid
import Testing

@testable import CardServer

@Suite("Hostile hosts", .serialized, .timeLimit(.minutes(20)))
struct HostileHostTests {
    private static let long = String(repeating: "x", count: 70_000)

    /// What becomes of a fetch from a host that follows a script.
    ///
    /// - Parameters:
    ///   - script: What the host does.
    ///   - timeouts: How long it may take; the next one where that was too short to ask the host at all.
    /// - Returns: What came of it.
    /// - Throws: What keeps the host from being started.
    private func answer(_ script: RawHost.Script, timeouts: [Double] = [60]) async throws -> ContentAnswer {
        var result = ContentAnswer.failure("It was not asked.")
        for timeout in timeouts {
            var wasAsked = false
            try await RawHost.run(script) { host, port in
                let client = OutboundClient(allowsPrivateHosts: true)
                let fetcher = OutboundContentFetcher(client: client, timeout: timeout, logger: .silent)
                let url = "http://127.0.0.1:\(port)/"
                let request = ConnectedContentRequest(address: url, options: [:])
                let listed = try #require(ContentHost("127.0.0.1:\(port)"))
                result = await fetcher.fetch(try ContentFetch(request, hosts: [listed]))
                wasAsked = host.connections > 0
                guard wasAsked || timeout == timeouts.last else { return }
                // A host keeps no connection once its answer is known.
                await host.deserted()
                #expect(host.connections == 1)
            }
            if wasAsked { break }
        }
        return result
    }

    @Test(
        "A host that closes before its answer is complete has none",
        arguments: [
            "", "H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ]
    )
    func closing(answer: String) async throws {
        #expect(
            try await self.answer(.init(answer: answer, closes: true)) == .failure("The host could not be reached.")
        )
    }

    @Test(
        "An answer that breaks the protocol is none",
        arguments: [
            "SSH-2.0-OpenSSH_9.6\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX Y: 1\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\n: 1\r\n\r\nok",
        ]
    )
    func malformed(answer: String) async throws {
        #expect(
            try await self.answer(.init(answer: answer, closes: true)) == .failure("The host could not be reached.")
        )
    }

    @Test("What is compressed is not read, and so unpacks to nothing")
    func compression() async throws {
        for encoding in ["gzip", "GZIP", "deflate", "br", "identity, gzip", "identity\r\nContent-Encoding: gzip"] {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: 2\r\n\r\n"
            #expect(try await answer(.init(answer: head + "ok")) == .failure("The host could not be reached."))
            #expect(
                try await answer(.init(answer: head, refrain: Self.long)) == .failure("The host could not be reached.")
            )
        }
        let plain = "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nok"
        #expect(
            try await answer(.init(answer: plain)) == .response(ConnectedContentResponse(status: 200, body: "ok"))
        )
    }

    @Test(
        "An answer without end is left at a number of bytes, whatever part of it goes on",
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n", long), ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", long),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", long),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                "X: \(String(repeating: "x", count: 99))\r\n"
            ),
            ("HTTP/1.1 200 ", long), ("HTTP/1.1 200 OK\r\nX: ", long), ("HTTP/1.1 200 OK\r\n", "X: y\r\n"),
            ("HTTP/1.1 200 OK\r\n", long), ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("", "x"), ("", "\r\n"),
        ]
    )
    func endless(start: String, refrain: String) async throws {
        // By its size and not by the clock, which has a minute.
        let repeated = refrain.utf8.count < 100 ? String(repeating: refrain, count: 100) : refrain
        guard case .failure = try await answer(.init(answer: start, refrain: repeated)) else {
            Issue.record("It was taken for an answer.")
            return
        }
    }

    @Test(
        "A host that goes on slowly is left in time, and one that says nothing too",
        arguments: [
            ("HTTP/1.1 200 OK\r\nX: ", "x"), ("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", "x"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), ("", nil),
        ] as [(String, String?)]
    )
    func slow(start: String, refrain: String?) async throws {
        #expect(
            try await answer(.init(answer: start, refrain: refrain, pause: 10), timeouts: [0.2, 2, 20])
                == .failure("The host could not be reached.")
        )
    }

    @Test("A body that is too large is none, and one that fits exactly is one")
    func sizes() async throws {
        func reply(_ count: Int) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
        }
        #expect(try await answer(.init(answer: reply(65_537))) == .failure("The answer has more than 65536 bytes."))
        guard case .response(let response) = try await answer(.init(answer: reply(65_536))) else {
            Issue.record("It was not taken.")
            return
        }
        #expect(response.body.utf8.count == 65_536)
        // Without a length, the connection's end is that of the body.
        let open = RawHost.Script(answer: "HTTP/1.1 200 OK\r\n\r\nok", closes: true)
        #expect(try await answer(open) == .response(ConnectedContentResponse(status: 200, body: "ok")))
    }

    @Test(
        "A type of the content that is no header is refused before the host is asked",
        arguments: ["a\r\nX-Admin: 1", "a\nb", "a\0", "a\u{7F}"]
    )
    func contentType(_ type: String) throws {
        let host = try #require(ContentHost("a.example"))
        func fetch(_ type: String) throws -> ContentFetch {
            let request = ConnectedContentRequest(address: "https://a.example/", options: ["content_type": type])
            return try ContentFetch(request, hosts: [host])
        }
        #expect(throws: LiquidError.self) { try fetch(type) }
        #expect(try fetch("text/plain; charset=utf-8").headers["content-type"] == "text/plain; charset=utf-8")
    }

    @Test(
        "A template can't set the headers that frame a request",
        arguments: [
            "Host", "Content-Length", "transfer-encoding", "Connection", "Upgrade", "Expect", "TE", "Trailer",
            "Accept-Encoding", "a b", "a\u{1}", "ä", "",
        ]
    )
    func reserved(name: String) throws {
        let headers = #"{"\#(name)": "x"}"#
        let request = ConnectedContentRequest(address: "https://a.example/", options: ["headers": headers])
        let host = try #require(ContentHost("a.example"))
        #expect(throws: LiquidError.self) { try ContentFetch(request, hosts: [host]) }
    }
}
