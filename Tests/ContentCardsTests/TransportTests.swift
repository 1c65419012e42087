import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Server-sent events")
struct ServerSentEventsTests {
    @Test("are the same in pieces of any size and with any line end", arguments: ["\n", "\r\n", "\r"])
    func pieces(end: String) {
        let text = [": heartbeat", "", "event: changed", "data: {}", "", "data:a", "data: b", "", "", "id: 1", "", ""]
            .joined(separator: end)
        let expected = [
            ServerSentEvents.Event(name: "changed", data: "{}"), ServerSentEvents.Event(name: "message", data: "a\nb"),
        ]
        for size in 1...text.utf8.count {
            var parser = ServerSentEvents()
            var events: [ServerSentEvents.Event] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += parser.read(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(events == expected)
        }
    }

    @Test("may not make the reader keep endless lines")
    func endless() {
        var parser = ServerSentEvents()
        #expect(parser.read(Array(repeating: UInt8(ascii: "x"), count: 100_000)).isEmpty)
        #expect(parser.isOverflown)
    }

    @Test("may not make the reader keep an endless event", arguments: ["data: x\n", "data\n"])
    func endlessEvent(line: String) {
        var parser = ServerSentEvents()
        for _ in 0..<100 { #expect(parser.read(String(repeating: line, count: 1_000).utf8).isEmpty) }
        #expect(parser.isOverflown)
        // Given events that end, there may be any number of them
        var long = ServerSentEvents()
        for _ in 0..<100 { #expect(long.read((String(repeating: line, count: 1_000) + "\n").utf8).count == 1) }
        #expect(!long.isOverflown)
    }
}

@Suite("URLSession", .timeLimit(.minutes(20)))
struct URLSessionTransportTests {
    @Test("says that a server is not there")
    func unreachable() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/v1/sync"))
        let transport = URLSessionTransport()
        await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(method: "POST", url: url, body: Data()))
        }
    }

    @Test("gives a client that has no server an error that says offline")
    func offline() async throws {
        let bed = TestBed()
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(bed.directory)
        configuration.log = { _ in }
        // However busy the machine is.
        configuration.refreshTimeout = 600
        configuration.requestTimeout = 300
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let client = ContentCardsClient(endpoint: url, key: "pk", configuration: configuration)
        await client.identify("a")
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .offline)
        await client.close()
    }

    @Test("gives up an answer beyond the limit that never ends, and one that announces so much by its head alone")
    func endless() async throws {
        let size = URLSessionTransport.bodyLimit
        for (length, pieces) in [("", size >> 20 + 1), ("Content-Length: \(size + 1)\r\n", 0)] {
            let head = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(length)\r\n".utf8)
            let piece = [UInt8](repeating: 32, count: 1 << 20)
            let server = try #require(
                ClosingServer(isEndless: true) { $0 == 0 ? head : $0 <= pieces ? piece : nil }
            )
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/sync"))
            let request = TransportRequest(method: "POST", url: url, body: Data("{}".utf8), timeout: 300)
            let answer = await Task { try await URLSessionTransport().send(request) }.result
            #expect(throws: TransportError.unreachable("the answer is too large")) { try answer.get() }
        }
    }

    @Test("takes an answer as large as the limit")
    func large() async throws {
        let size = URLSessionTransport.bodyLimit
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
        let piece = [UInt8](repeating: 32, count: 1 << 20)
        let server = try #require(
            ClosingServer(isEndless: true) { $0 == 0 ? head : $0 <= size >> 20 ? piece : nil }
        )
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/sync"))
        let request = TransportRequest(method: "POST", url: url, body: Data("{}".utf8), timeout: 300)
        #expect(try await URLSessionTransport().send(request).body.count == size)
    }

    @Test("follows a redirect for what carries no key, and never one for a request to the server")
    func redirect() async throws {
        let connections = Collected<Int>()
        let server = try #require(
            ClosingServer(isEndless: true) { piece in
                guard piece == 0 else { return nil }
                connections.add(piece)
                let first = "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                let second = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                return Array((connections.all.count == 2 ? second : first).utf8)
            }
        )
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a"))
        let request = TransportRequest(method: "GET", url: url, timeout: 300)
        let followed = try await BoundedRequests().send(request, limit: 10)
        #expect(followed.status == 200 && followed.body == Data("ok".utf8))
        #expect(try await URLSessionTransport().send(request).status == 302)
    }
}
