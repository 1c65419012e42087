import Foundation
import Testing
import WireJSON

@testable import CardServer

/// Clients that hold what they do not use, against a server whose patience is short.
///
/// Each test ends when the server has closed the connection; the suite's time limit says that it has not.
@Suite("Slow clients", .timeLimit(.minutes(20)))
struct SlowClientTests {
    private static var impatient: ServerLimits {
        var limits = ServerLimits()
        limits.headSeconds = 1
        limits.bodySeconds = 1
        limits.writeSeconds = 1
        limits.idleSeconds = 1.5
        return limits
    }

    private func run(
        _ limits: ServerLimits = impatient,
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws {
        try await Workspace.run(server: limits, body)
    }

    @Test("A connection on which nothing comes closes, at first and after a request")
    func idle() async throws {
        try await run { workspace in
            let silent = try await OpenConnection.open(to: workspace.endpoint)
            #expect(await silent.readToEnd().isEmpty)
            let answer = try await workspace.answer(to: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains(#""status":"ok""#) && answer.hasSuffix("}"))
        }
    }

    /// A connection on which a request was answered, and which is still open.
    private func keptConnection(to workspace: Workspace) async throws -> OpenConnection {
        while true {
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
            if await connection.read(until: "}").hasPrefix("HTTP/1.1 200") { return connection }
        }
    }

    @Test("A head that does not end is answered 408, also where its bytes keep coming")
    func slowHead() async throws {
        // The client may be held up between two requests, and the connection has to be there for the second.
        var limits = Self.impatient
        limits.idleSeconds = 75
        try await run(limits) { workspace in
            let stopped = try await workspace.answer(to: "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ")
            #expect(stopped.hasPrefix("HTTP/1.1 408"))

            let dripping = try await keptConnection(to: workspace)
            await dripping.send("G")
            let drops = Task {
                while !Task.isCancelled {
                    await dripping.send("E")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let answer = await dripping.readToEnd()
            drops.cancel()
            #expect(answer.hasPrefix("HTTP/1.1 4"))
        }
    }

    @Test(
        "A body that does not come is answered 408, whether or not the shortcut waits for it",
        arguments: [20, 50_000]
    )
    func slowBody(length: Int) async throws {
        try await run { workspace in
            let answer = try await workspace.answer(
                to: "POST /v1/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n"
                    + "Content-Length: \(length)\r\n\r\n{\"user"
            )
            #expect(answer.hasPrefix("HTTP/1.1 408"))
            #expect(answer.contains("request_timeout"))
        }
    }

    @Test("A client that does not read its answers loses the connection, and the server what it kept for it")
    func stalledReader() async throws {
        try await run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint, reads: false)
            // Some hundred kilobytes each: more than the system takes for a client that reads nothing.
            let request = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
            await connection.send(String(repeating: request, count: ConnectionHandler.pipelineDepth))
            // The client's system notices nothing, since its buffers are full.
            while try await workspace.openConnections() > 1 { await Task.yield() }
            await connection.close()
        }
    }

    @Test("More idle connections of an address than it may have push each other out, and requests go on")
    func idleFlood() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 10
        try await run(limits) { workspace in
            var flood: [OpenConnection] = []
            for _ in 0..<40 { flood.append(try await OpenConnection.open(to: workspace.endpoint)) }
            for connection in flood.prefix(20) { await connection.closed() }
            let asked = try await OpenConnection.open(to: workspace.endpoint)
            await asked.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await asked.read(until: "}").hasPrefix("HTTP/1.1 200"))
            let open = try await workspace.openConnections()
            #expect(open <= 10)
            for connection in flood { await connection.close() }
        }
    }

    @Test("An address whose connections are all busy is told to come back later")
    func busyFlood() async throws {
        var limits = ServerLimits.patient
        limits.connectionsPerAddress = 3
        try await run(limits) { workspace in
            let live =
                "GET /v1/live?user_id=ann HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n\r\n"
            var streams: [OpenConnection] = []
            for _ in 0..<3 {
                let stream = try await OpenConnection.open(to: workspace.endpoint)
                await stream.send(live)
                _ = await stream.read(until: "event: changed")
                streams.append(stream)
            }
            let refused = try await OpenConnection.open(to: workspace.endpoint)
            let answer = await refused.readToEnd()
            #expect(answer.isEmpty || answer.contains("503"))
            await streams[0].close()
            for _ in 0..<100 {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                if await connection.readToEnd().contains("HTTP/1.1 200") { break }
            }
            for stream in streams { await stream.close() }
        }
    }

    @Test("Bodies that fill the memory for them are refused, and room comes back when they are gone")
    func bodyMemory() async throws {
        var limits = ServerLimits.patient
        limits.bodyBytes = 300_000
        limits.bodyBytesPerAddress = 200_000
        try await run(limits) { workspace in
            let head =
                "POST /v1/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n"
                + "Content-Length: 150000\r\n\r\n"
            var connections: [OpenConnection] = []
            for _ in 0..<3 {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send(head + String(repeating: " ", count: 149_000))
                connections.append(connection)
            }
            // Whichever the server reads first has room, and the next one has none.
            let answer = await withTaskGroup(of: String.self) { group in
                for connection in connections {
                    group.addTask { await connection.read(until: "rate_limited") }
                }
                let answer = await group.next() ?? ""
                for connection in connections { await connection.close() }
                return answer
            }
            #expect(answer.hasPrefix("HTTP/1.1 429") && answer.lowercased().contains("retry-after: "))
            // Without the others there is room again; one more connection is the workspace's own.
            while try await workspace.openConnections() > 2 { await Task.yield() }
            let body = #"{"user_id":"ann","device_id":"d"}"#
            let last = try await OpenConnection.open(to: workspace.endpoint)
            await last.send(head + body + String(repeating: " ", count: 150_000 - body.utf8.count))
            #expect(await last.read(until: "refresh").hasPrefix("HTTP/1.1 200"))
            await last.close()
        }
    }

    @Test("Of bodies of one address that don't fit beside each other one is read, and the others are refused at once")
    func bodiesBesideEachOther() async throws {
        var limits = ServerLimits.patient
        limits.bodyBytesPerAddress = 200_000
        try await run(limits) { workspace in
            let head =
                "POST /v1/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n"
                + "Content-Length: 150000\r\nExpect: 100-continue\r\n\r\n"
            let body = #"{"user_id":"ann","device_id":"d"}"#
            var admitted: [OpenConnection] = []
            var refused: [String] = []
            var connections: [OpenConnection] = []
            for _ in 0..<3 {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send(head)
                connections.append(connection)
            }
            for connection in connections {
                let answer = await connection.read(until: "\r\n\r\n")
                if answer.hasPrefix("HTTP/1.1 100") { admitted.append(connection) } else { refused.append(answer) }
            }
            #expect(refused.count == 2 && refused.allSatisfy { $0.hasPrefix("HTTP/1.1 429") })
            let first = try #require(admitted.first)
            await first.send(body + String(repeating: " ", count: 150_000 - body.utf8.count))
            #expect(await first.read(until: "refresh").hasPrefix("HTTP/1.1 200"))
            for connection in connections { await connection.close() }
        }
    }
}

extension Workspace {
    /// Sends a text on a connection of its own, and returns what comes until the server closes it.
    ///
    /// Asks again where the server lost its patience before the text was sent, as it may on a busy machine.
    fileprivate func answer(to text: String) async throws -> String {
        while true {
            let connection = try await OpenConnection.open(to: endpoint)
            await connection.send(text)
            let answer = await connection.readToEnd()
            if !answer.isEmpty { return answer }
        }
    }

    /// The number of connections that the server has open, the one that asks included.
    ///
    /// Asks again where the server lost its patience with the one that asks, too, as it may on a busy machine.
    fileprivate func openConnections() async throws -> Int {
        while true {
            let connection = try await OpenConnection.open(to: endpoint)
            await connection.send("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let lines = await connection.readToEnd().split(whereSeparator: \.isNewline)
            guard let line = lines.first(where: { $0.hasPrefix("placard_connections ") }) else { continue }
            return try #require(Int(line.dropFirst("placard_connections ".count)))
        }
    }
}
