import Foundation
import NIOSSL
import Testing
import WireJSON

@testable import CardServer

@Suite("A server that ends TLS itself", .timeLimit(.minutes(20)))
struct EncryptedServerTests {
    private static let request = "GET /healthz HTTP/1.1\r\nHost: cards.example\r\n\r\n"

    /// A server with a certificate of its own.
    private struct Site: Sendable {
        let workspace: Workspace
        let identity: TestIdentity
        let certificate: ServerCertificate

        func open(_ encryption: NIOSSLContext? = nil, reads: Bool = true) async throws -> OpenConnection {
            try await OpenConnection.open(
                to: workspace.endpoint,
                reads: reads,
                encryption: encryption ?? identity.client()
            )
        }

        /// How many handshakes were completed and how many failed, by the metrics of the server.
        func handshakes() async throws -> [Int] {
            let connection = try await open()
            await connection.send("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = await connection.readToEnd()
            return ["complete", "failed"].map { result in
                let name = "placard_tls_handshakes_total{result=\"\(result)\"}"
                let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
                return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? -1
            }
        }
    }

    private func run(
        _ limits: ServerLimits = .patient,
        _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        let identity = try TestIdentity("cards.example")
        let folder = try CertificateFolder(identity)
        defer { folder.remove() }
        let certificate = try ServerCertificate(folder.files)
        func change(_ options: inout PlacardServer.Options) { options.certificate = certificate }
        try await Workspace.run(server: limits, change: change) { workspace in
            try await body(Site(workspace: workspace, identity: identity, certificate: certificate))
        }
    }

    @Test("speaks TLS 1.2 and 1.3, and nothing older", arguments: [TLSVersion.tlsv11, .tlsv12, .tlsv13])
    func versions(version: TLSVersion) async throws {
        try await run { site in
            let encryption = try site.identity.client { configuration in
                configuration.minimumTLSVersion = .tlsv1
                configuration.maximumTLSVersion = version
            }
            let connection = try await site.open(encryption)
            await connection.send(Self.request)
            let answer = await connection.read(until: "}")
            #expect(answer.hasPrefix("HTTP/1.1 200") == (version != .tlsv11))
            // The page of metrics is a handshake too
            let expected = version == .tlsv11 ? [1, 1] : [2, 0]
            #expect(try await site.handshakes() == expected)
        }
    }

    @Test(
        "of TLS 1.2 speaks only what authenticates what it encrypts",
        arguments: ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA"]
    )
    func ciphers(suite: String) async throws {
        try await run { site in
            let encryption = try site.identity.client { configuration in
                configuration.maximumTLSVersion = .tlsv12
                configuration.cipherSuites = suite
            }
            let connection = try await site.open(encryption)
            await connection.send(Self.request)
            #expect(await connection.read(until: "}").hasPrefix("HTTP/1.1 200") == suite.contains("GCM"))
        }
    }

    @Test("answers requests of an encrypted connection one after the other, and those of the shortcut too")
    func keepAlive() async throws {
        try await run { site in
            let connection = try await site.open()
            let body = #"{"user_id":"ann","device_id":"d"}"#
            for _ in 0..<3 {
                await connection.send(
                    "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer \(site.workspace.publishable)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                #expect(await connection.read(until: "\"refresh\"").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test("gives new connections the certificate that was read last, and lets those that are open go on")
    func reload() async throws {
        try await run { site in
            let old = try await site.open()
            await old.send(Self.request)
            #expect(await old.read(until: "}").hasPrefix("HTTP/1.1 200"))
            let next = try TestIdentity("cards.example")
            let folder = try CertificateFolder(next)
            defer { folder.remove() }
            try site.certificate.reload(folder.files, at: Date().timeIntervalSince1970)
            await old.send(Self.request)
            #expect(await old.read(until: "}").hasPrefix("HTTP/1.1 200"))
            let new = try await site.open(next.client())
            await new.send(Self.request)
            #expect(await new.read(until: "}").hasPrefix("HTTP/1.1 200"))
            let stale = try await site.open()
            await stale.send(Self.request)
            #expect(await stale.readToEnd().isEmpty)
        }
    }

    @Test(
        "closes a connection whose handshake doesn't end in the time of a request's head",
        arguments: [[], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], Array("GET / HTTP/1.1\r\n\r\n".utf8)] as [[UInt8]]
    )
    func slowHandshake(bytes: [UInt8]) async throws {
        var limits = ServerLimits()
        limits.headSeconds = 1
        try await run(limits) { site in
            let connection = try await OpenConnection.open(to: site.workspace.endpoint)
            await connection.send(bytes)
            await connection.closed()
            // On a busy machine the one that asks may take too long, too.
            var failed = -1
            while failed < 1 { failed = try await site.handshakes()[1] }
        }
    }

    @Test("counts a handshake as a connection, and has no room for more than are set")
    func limit() async throws {
        // Not the time, which a handshake may take on a busy machine, but the number is asked about.
        var limits = ServerLimits.patient
        limits.connectionsPerAddress = 1
        try await run(limits) { site in
            let silent = try await OpenConnection.open(to: site.workspace.endpoint)
            // It takes the place of the one that says nothing, and keeps it while it asks for something.
            let head = "POST /v1/sync HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
            var busy = try await site.open()
            await busy.send(head)
            var answer = await busy.read(until: "\r\n\r\n")
            if answer.isEmpty {
                // On a busy machine the silent one may be counted second, and have the place.
                busy = try await site.open()
                await busy.send(head)
                answer = await busy.read(until: "\r\n\r\n")
            }
            #expect(answer.hasPrefix("HTTP/1.1 100"))
            await silent.closed()
            let other = try await site.open()
            await other.send(Self.request)
            #expect(await other.readToEnd().isEmpty)
            await busy.close()
        }
    }

    @Test("sends all answers to a client that has said that it sends nothing more")
    func halfClosed() async throws {
        try await run { site in
            let request = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
            let connection = try await site.open()
            // More than the buffers of both sides hold.
            await connection.send(String(repeating: request, count: 40))
            await connection.finishSending()
            let text = await connection.readToEnd()
            #expect(text.split(separator: "HTTP/1.1 200 OK\r\n", omittingEmptySubsequences: true).count == 40)
            #expect(text.utf8.count > 4_000_000)
            let last = text[(text.range(of: "\r\n\r\n", options: .backwards)?.upperBound ?? text.endIndex)...]
            #expect((try? JSONValue(parsing: last.utf8))?["openapi"] != nil)
        }
    }
}
