import Foundation
import NIOSSL
import Synchronization
import Testing

@testable import CardServer

@Suite("Hosts that others name")
struct OutboundTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func send(
        _ address: String,
        by client: OutboundClient,
        timeout: Double = 60,
        bodyLimit: Int = 1_000
    ) async throws -> OutboundResponse {
        let url = try #require(OutboundURL(address))
        return try await client.send(OutboundRequest(url: url), timeout: timeout, bodyLimit: bodyLimit)
    }

    /// The failure of a request, `nil` where it has an answer.
    private func failure(
        _ address: String,
        by client: OutboundClient,
        timeout: Double = 60
    ) async throws -> OutboundError? {
        do {
            _ = try await send(address, by: client, timeout: timeout)
            return nil
        } catch let error as OutboundError {
            return error
        }
    }

    @Test("A name that leads to this machine once it was checked leads nowhere: it is resolved once, and asked there")
    func rebinding() async throws {
        try await RawHost.run(sending: Self.ok) { host, port in
            let resolver = ScriptedResolver([
                ["2000::1"], ["127.0.0.1"], ["2000::1", "127.0.0.1"], ["127.0.0.1", "2000::1"],
            ])
            let client = OutboundClient(allowsPrivateHosts: false, resolver: resolver)
            for asked in 1...4 {
                let failure = try await failure("http://rebind.example:\(port)/", by: client, timeout: 2)
                guard case .unreachable = failure else {
                    Issue.record("It was answered.")
                    return
                }
                #expect(resolver.count == asked)
            }
            #expect(host.connections == 0)
        }
    }

    @Test("The connection goes to the address that was checked, the request and the certificate are those of the name")
    func pinning() async throws {
        try await RawHost.run(sending: Self.ok) { host, port in
            let resolver = ScriptedResolver([["127.0.0.1"]])
            let client = OutboundClient(allowsPrivateHosts: true, resolver: resolver)
            let answer = try await send("http://Shop.Example:\(port)/a b?c=é#d", by: client)
            #expect(answer == OutboundResponse(status: 200, retryAfter: nil, body: Array("ok".utf8), contentLength: 2))
            #expect(resolver.count == 1 && host.connections == 1)
            #expect(host.received.hasPrefix("GET /a%20b?c=%C3%A9 HTTP/1.1\r\nHost: shop.example:\(port)\r\n"))
            #expect(
                host.received.contains("Accept-Encoding: identity\r\n")
                    && host.received.contains("Connection: close\r\n")
            )
        }
        let identity = try TestIdentity("shop.example")
        try await RawHost.run(sending: Self.ok, identity: identity) { host, port in
            var client = OutboundClient(allowsPrivateHosts: true, resolver: ScriptedResolver([["127.0.0.1"]]))
            client.trust = OutboundTrust(.certificates([identity.certificate]))
            let answer = try await send("https://shop.example:\(port)/", by: client)
            #expect(answer.status == 200)
            #expect(host.received.contains("Host: shop.example:\(port)\r\n"))
            let received = host.received
            for other in ["https://other.example:\(port)/", "https://127.0.0.1:\(port)/"] {
                let failed = try await failure(other, by: client)
                #expect(failed != nil)
            }
            client.trust = OutboundTrust()
            let untrusted = try await failure("https://shop.example:\(port)/", by: client)
            #expect(untrusted != nil)
            #expect(host.received == received, "Nothing is sent to a host whose certificate is another's.")
        }
    }

    @Test("A redirect is an answer like any other, and a pause has to be a number of seconds")
    func redirects() async throws {
        let answer =
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nRetry-After: nan\r\nContent-Length: 0\r\n\r\n"
        try await RawHost.run(sending: answer) { host, port in
            let client = OutboundClient(allowsPrivateHosts: true)
            let response = try await send("http://127.0.0.1:\(port)/", by: client)
            #expect(response.status == 302 && response.retryAfter == nil && host.connections == 1)
        }
    }

    @Test("A host is tried at its next address where one does not answer")
    func nextAddress() async throws {
        try await RawHost.run(sending: Self.ok) { _, port in
            let resolver = ScriptedResolver([["::1", "127.0.0.1"]])
            let client = OutboundClient(allowsPrivateHosts: true, resolver: resolver)
            let answer = try await send("http://two.example:\(port)/", by: client)
            #expect(answer.status == 200)
        }
    }

    @Test("A webhook says the same of whatever keeps a receiver from being reached")
    func oneMessage() async throws {
        func reason(
            _ url: String,
            allowsPrivateHosts: Bool = true,
            timeout: Double = 60
        ) async -> WebhookAnswer {
            let client = OutboundClient(allowsPrivateHosts: allowsPrivateHosts, resolver: ScriptedResolver([[]]))
            let sender = OutboundWebhookSender(client: client, timeout: timeout, logger: .silent)
            return await sender.send(WebhookRequest(url: url, body: [1], headers: [:]))
        }
        let expected = WebhookAnswer.failed("The receiver could not be reached", retryAfter: nil)
        let closed = try await RawHost.closedPort()
        #expect(await reason("http://127.0.0.1:\(closed)/") == expected)
        #expect(await reason("http://nobody.example/") == expected)
        #expect(await reason("http://user@example.com/") == expected)
        for answer in ["SSH-2.0-OpenSSH_9.6\r\n", ""] {
            try await RawHost.run(sending: answer) { _, port in
                #expect(await reason("http://127.0.0.1:\(port)/", timeout: 0.3) == expected)
                #expect(await reason("https://127.0.0.1:\(port)/", timeout: 0.3) == expected)
            }
        }
        try await RawHost.run(sending: Self.ok) { host, port in
            #expect(await reason("http://127.0.0.1:\(port)/", allowsPrivateHosts: false) == expected)
            #expect(host.connections == 0)
            #expect(await reason("http://127.0.0.1:\(port)/") == .taken)
        }
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 900000\r\n\r\n"
        try await RawHost.run(sending: busy) { _, port in
            #expect(await reason("http://127.0.0.1:\(port)/") == .failed("HTTP 503", retryAfter: 7))
        }
    }

    @Test("More requests than may be in flight fail at once, and those that ended make room")
    func load() async throws {
        try await RawHost.run(sending: "") { host, port in
            var client = OutboundClient(allowsPrivateHosts: true)
            client.load = WorkLimit(1)
            let waiting = Task { [client] in try await failure("http://127.0.0.1:\(port)/", by: client) }
            await host.heard()
            let refused = try await failure("http://127.0.0.1:\(port)/", by: client)
            #expect(refused == .busy("Too many requests are in flight") && host.connections == 1)
            waiting.cancel()
            let cancelled = try await waiting.value
            #expect(cancelled == .unreachable("It was cancelled"))
            let late = try await failure("http://127.0.0.1:\(port)/", by: client, timeout: 0.1)
            #expect(late == .unreachable("It took too long"))
        }
    }
}
