import Foundation
import Testing

@testable import CardServer

/// Clients that send requests ahead and don't read the answers.
@Suite("Unread answers", .timeLimit(.minutes(20)))
struct UnreadAnswerTests {
    /// The longest answer that anybody gets.
    private static let request = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let last = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    private func answers(in text: String) -> Int { text.components(separatedBy: "HTTP/1.1 200 OK").count - 1 }

    private func metrics(of workspace: Workspace) async throws -> String {
        let connection = try await OpenConnection.open(to: workspace.endpoint)
        await connection.send("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return await connection.readToEnd()
    }

    @Test("Requests that were sent ahead are all answered, once their client reads", arguments: ["GET", "HEAD"])
    func sentAhead(method: String) async throws {
        try await Workspace.run(server: .patient) { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint, reads: false)
            let request = Self.request.replacing("GET", with: method)
            await connection.send(String(repeating: request, count: 120) + Self.last)
            // Another client has its answer in the meantime.
            #expect(try await metrics(of: workspace).contains("placard_connections "))
            await connection.startReading()
            #expect(answers(in: await connection.readToEnd()) == 121)
        }
    }

    @Test("Where there is no room for what a client doesn't read, its connection is closed, and counted")
    func noRoom() async throws {
        var limits = ServerLimits.patient
        limits.bodyBytes = 300_000
        limits.bodyBytesPerAddress = 20_000
        try await Workspace.run(server: limits) { workspace in
            // How much of the last answer the system takes, and how much the server keeps, is chance.
            var connections: [OpenConnection] = []
            for _ in 0..<20 {
                let connection = try await OpenConnection.open(to: workspace.endpoint, reads: false)
                await connection.send(String(repeating: Self.request, count: 1_000) + Self.last)
                connections.append(connection)
            }
            let closed = /placard_unread_answers_closed_total [1-9]/
            while try await metrics(of: workspace).firstMatch(of: closed) == nil { await Task.yield() }
            for connection in connections { await connection.close() }
        }
    }
}
