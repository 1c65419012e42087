import Foundation
import Testing

@testable import CardServer

@Suite("HTTP as it comes", .timeLimit(.minutes(2)))
struct ProtocolTests {
    @Test("HEAD is answered as GET, without a body, and the connection stays in step")
    func head() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            let key = "Authorization: Bearer \(workspace.publishable)\r\n"
            await connection.send(
                "HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + "HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "HEAD /v1/live?user_id=ann HTTP/1.1\r\nHost: a\r\n\(key)\r\n"
                    + "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            let answers = await connection.readToEnd().components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["200", "404", "200", "200"])
            for answer in answers.dropLast() { #expect(answer.hasSuffix("\r\n\r\n")) }
            #expect(answers.first?.lowercased().contains("content-length: 15") == true)
            #expect(answers.last?.hasSuffix(#"{"status":"ok"}"#) == true)
        }
    }

    @Test(
        "A body that is no HTTP is the client's fault",
        arguments: ["zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}x\r\n0\r\n\r\n", "fffffffffffffffff\r\n{}"]
    )
    func badChunk(_ body: String) async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            let key = "Authorization: Bearer \(workspace.publishable)\r\n"
            await connection.send(
                "POST /v1/sync HTTP/1.1\r\nHost: a\r\n\(key)Transfer-Encoding: chunked\r\n\r\n" + body
            )
            #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("A head that is too large is refused, and not kept")
    func largeHead() async throws {
        try await Workspace.run { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send(
                "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: \(String(repeating: "x", count: 20_000))\r\n\r\n"
            )
            #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 4"))
        }
    }
}
