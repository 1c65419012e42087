import CardModel
import CardServer
import CardStore
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Dashboard

@Suite("Live pages", .timeLimit(.minutes(20)))
struct LivePageTests {
    /// Opens the stream of a live page, and returns what ends with it.
    private func open(_ visitor: Visitor, in workplace: Workplace) async throws -> Task<String, any Error> {
        try await ask(visitor, in: workplace).stream
    }

    /// Asks for the stream of a live page, and returns what ends with it, and how the answer begins.
    private func ask(
        _ visitor: Visitor,
        in workplace: Workplace
    ) async throws -> (stream: Task<String, any Error>, head: String) {
        let cookies = visitor.cookieHeader
        let port = workplace.client.port
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let (begun, beginning) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(
                    ByteBuffer(
                        string: "GET /dashboard/live HTTP/1.1\r\nHost: placard\r\n"
                            + "Cookie: \(cookies)\r\n\r\n"
                    )
                )
                var text = ""
                for try await part in inbound {
                    text += String(buffer: part)
                    if text.contains("retry:") || text.contains(" 429 ") { beginning.yield(text) }
                }
                beginning.finish()
                return text
            }
        }
        for await head in begun { return (task, head) }
        return (task, "")
    }

    @Test("A session has ten live pages; another is told to come again, and finds room where one was closed")
    func limited() async throws {
        try await Workplace.run { workplace in
            let visitor = try await workplace.member(.viewer)
            var streams: [Task<String, any Error>] = []
            for _ in 0..<10 {
                let (stream, head) = try await ask(visitor, in: workplace)
                #expect(head.contains("200 OK"))
                streams.append(stream)
            }
            let refused = try await ask(visitor, in: workplace)
            #expect(refused.head.lowercased().contains("retry-after: 60"))
            refused.stream.cancel()
            // The head of a stream needs no place.
            let head = try await visitor.send(.head, "/dashboard/live", nil)
            #expect(head.status == 200 && head.headers[.contentType] == "text/event-stream" && head.text.isEmpty)
            let other = try await workplace.member(.viewer, email: "other@example.com")
            streams.append(try await open(other, in: workplace))

            streams[0].cancel()
            // The connection is closed, which the server hears of at once.
            var isOpen = false
            while !isOpen {
                let (stream, head) = try await ask(visitor, in: workplace)
                isOpen = head.contains("200 OK")
                streams.append(stream)
                if !isOpen { stream.cancel() }
            }
            for stream in streams { stream.cancel() }
        }
    }

    @Test("A live page ends when its member is removed, gets a lower role or signs out, and with the session")
    func endings() async throws {
        try await Workplace.run { workplace in
            let endings: [(String, (Visitor, TeamMember) async throws -> Void)] = [
                (
                    "removed",
                    { _, member in
                        _ = try await workplace.store.removeMember(member.email, at: 0, by: .command)
                    }
                ),
                (
                    "lowered",
                    { _, member in
                        var member = member
                        member.role = .viewer
                        try await workplace.store.updateMember(
                            member,
                            action: "member.role",
                            keeping: nil,
                            at: 0,
                            by: .command
                        )
                    }
                ),
                (
                    "signed out",
                    { visitor, _ in
                        let answer = try await visitor.post("/dashboard/sign-out", from: "/dashboard/account")
                        #expect(answer.status == 303)
                    }
                ),
                ("session over", { _, _ in workplace.time.advance(by: SessionCookie.lifetime) }),
            ]
            _ = try await workplace.member(.admin)
            for (name, end) in endings {
                let email = name.replacingOccurrences(of: " ", with: "-") + "@example.com"
                let visitor = try await workplace.member(.editor, email: email)
                let stream = try await open(visitor, in: workplace)
                let member = try #require(try await workplace.store.member(email))
                try await end(visitor, member)
                #expect(try await stream.value.contains("200 OK"), "\(name)")
            }
        }
    }

    /// Has what a provider says of a member count for ten minutes.
    private static func briefly(_ settings: inout OpenIDSettings) { settings.sessionSeconds = 600 }

    @Test("A live page ends once what the OpenID provider has said of its member doesn't count any more")
    func providerLimit() async throws {
        try await ProviderSignInTests.run(Self.briefly) { place, provider in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            #expect(try await provider.signIn(visitor).status == 303)
            let stream = try await open(visitor, in: place)
            place.time.advance(by: 601)
            #expect(try await stream.value.contains("200 OK"))
        }
    }
}
