import CardModel
import Foundation
import NIOSSL
import Testing

@testable import CardServer

@Suite("SMTP: what a mail server is told", .timeLimit(.minutes(20)))
struct SMTPClientTests {
    private static func message(to recipient: String = "anna@example.org") throws -> MailMessage {
        MailMessage(
            sender: try #require(MailSender("Placard <cards@example.com>")),
            recipient: try #require(MailAddress(recipient)),
            text: MailText(subject: "Grüße", text: "Eins\n.\nZwei\n"),
            id: "mail_1",
            date: 1_800_000_000
        )
    }

    /// A client of a mail server on this machine that trusts one certificate.
    private static func client(
        _ port: Int,
        _ security: MailSettings.Security,
        _ identity: TestIdentity? = nil,
        login: MailSettings.Login? = nil
    ) throws -> SMTPClient {
        let host = security == .none ? "127.0.0.1" : "localhost"
        var settings = MailSettings(
            host: host,
            port: port,
            security: security,
            sender: try #require(MailSender("Placard <cards@example.com>"))
        )
        settings.login = login
        let trust = OutboundTrust(identity.map { .certificates([$0.certificate]) } ?? .default, protocols: [])
        var client = SMTPClient(settings, publicURL: "https://cards.example.com", trust: trust)
        client.resolver = ScriptedResolver([["127.0.0.1"]])
        return client
    }

    private static func failure(_ body: () async throws -> Void) async -> SMTPError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SMTPError
        }
    }

    private static func decoded(_ message: String) throws -> String {
        let body = try #require(message.range(of: "\r\n\r\n").map { String(message[$0.upperBound...]) })
        let data = try #require(Data(base64Encoded: body, options: .ignoreUnknownCharacters))
        return String(decoding: data, as: UTF8.self)
    }

    @Test("Nothing but STARTTLS is said in clear text, and what was offered there counts no more")
    func startTLS() async throws {
        let identity = try TestIdentity("localhost")
        let login = MailSettings.Login(user: "anna", password: "geheim")
        // Another offer in clear text is no offer.
        let script = MailHost.Script(offers: ["STARTTLS", "AUTH LOGIN"], encryptedOffers: ["AUTH PLAIN"])
        try await MailHost.run(script, identity: identity) { host, port in
            try await Self.client(port, .startTLS, identity, login: login).send(Self.message())
            #expect(host.clearCommands == ["EHLO cards.example.com", "STARTTLS"])
            #expect(
                Array(host.commands.dropFirst(2).prefix(5)) == [
                    "EHLO cards.example.com", "AUTH PLAIN " + Data("\0anna\0geheim".utf8).base64EncodedString(),
                    "MAIL FROM:<cards@example.com>", "RCPT TO:<anna@example.org>", "DATA",
                ]
            )
            let sent = try #require(host.messages.first)
            #expect(sent.contains("Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n"))
            #expect(try Self.decoded(sent) == "Eins\r\n.\r\nZwei\r\n")
        }
    }

    @Test("A connection may be encrypted from the beginning, and a password be asked for by questions")
    func implicit() async throws {
        let identity = try TestIdentity("localhost")
        let script = MailHost.Script(encryptedOffers: ["AUTH LOGIN"], isImplicit: true)
        let login = MailSettings.Login(user: "anna", password: "geheim")
        try await MailHost.run(script, identity: identity) { host, port in
            try await Self.client(port, .implicit, identity, login: login).send(Self.message())
            #expect(host.clearCommands.isEmpty && host.messages.count == 1)
            #expect(Array(host.commands.dropFirst().prefix(3)) == ["AUTH LOGIN", "YW5uYQ==", "Z2VoZWlt"])
        }
    }

    @Test("A long password is sent in a line of its own")
    func longPassword() async throws {
        let identity = try TestIdentity("localhost")
        let login = MailSettings.Login(user: "anna", password: String(repeating: "x", count: 1_000))
        try await MailHost.run(identity: identity) { host, port in
            try await Self.client(port, .startTLS, identity, login: login).check()
            #expect(host.commands.contains("AUTH PLAIN"))
            #expect(host.messages.isEmpty && !host.commands.contains { $0.hasPrefix("MAIL") })
        }
    }

    @Test("A certificate that isn't trusted, or is of another name, gets no password", arguments: [false, true])
    func certificate(isTrusted: Bool) async throws {
        let identity = try TestIdentity(isTrusted ? "mail.example.com" : "localhost")
        let login = MailSettings.Login(user: "anna", password: "geheim")
        for security in [MailSettings.Security.startTLS, .implicit] {
            try await MailHost.run(.init(isImplicit: security == .implicit), identity: identity) { host, port in
                let client = try Self.client(port, security, isTrusted ? identity : nil, login: login)
                guard case .unavailable = await Self.failure({ try await client.send(Self.message()) }) else {
                    Issue.record("It was taken.")
                    return
                }
                #expect(!host.commands.contains { $0.hasPrefix("AUTH") } && host.messages.isEmpty)
            }
        }
    }

    @Test("A server without STARTTLS gets nothing, where encryption is wanted")
    func stripped() async throws {
        try await MailHost.run(.init(offers: ["AUTH PLAIN"])) { host, port in
            let client = try Self.client(port, .startTLS, login: .init(user: "anna", password: "geheim"))
            let failure = await Self.failure { try await client.send(Self.message()) }
            #expect(failure == .unavailable("The mail server doesn't offer STARTTLS"))
            #expect(host.commands == ["EHLO cards.example.com"])
        }
    }

    @Test("What a server says before the encryption isn't taken for something behind it")
    func injection() async throws {
        let identity = try TestIdentity("localhost")
        for reply in ["220 go\r\n250 mail.example.com\r\n", "220 go\r\n2"] {
            try await MailHost.run(.init(replies: ["STARTTLS": reply]), identity: identity) { host, port in
                let failure = await Self.failure {
                    try await Self.client(port, .startTLS, identity).send(Self.message())
                }
                guard case .unavailable = failure else {
                    Issue.record("\(String(describing: failure))")
                    return
                }
                #expect(host.messages.isEmpty)
            }
        }
    }

    @Test(
        "A refusal says whether the message, or all of them, have to wait or are lost",
        arguments: [
            ("MAIL", "451 later\r\n", SMTPError.deferred("451 later")),
            ("MAIL", "550 not you\r\n", .unavailable("550 not you")),
            ("RCPT", "450-busy\r\n450 later\r\n", .deferred("450 busy later")),
            ("RCPT", "550 nobody\r\n", .rejected("550 nobody")), ("DATA", "554 no\r\n", .rejected("554 no")),
            ("DATA", "250 what\r\n", .rejected("250 what")), (".", "552 too large\r\n", .rejected("552 too large")),
            (".", "451 disk\r\n", .deferred("451 disk")), (".", "421 bye\r\n", .unavailable("421 bye")),
            ("EHLO", "502 what\r\n", .unavailable("502 what")), ("RCPT", "421 bye\r\n", .unavailable("421 bye")),
        ]
    )
    func refusals(word: String, reply: String, expected: SMTPError) async throws {
        try await MailHost.run(.init(offers: [], replies: [word: reply])) { _, port in
            #expect(await Self.failure { try await Self.client(port, .none).send(Self.message()) } == expected)
        }
    }

    @Test(
        "A server that doesn't speak SMTP, or speaks without end, is left",
        arguments: [
            "SSH-2.0-OpenSSH_9.6\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n", "2\r\n", "22\r\n", "220\t\r\n",
            "999 no\r\n", "-20 no\r\n", "220-a\r\n221 b\r\n", "554 go away\r\n",
            String(repeating: "x", count: 300_000), "220-" + String(repeating: "x", count: 300_000),
            String(repeating: "220-x\r\n", count: 60_000),
        ]
    )
    func hostile(greeting: String) async throws {
        try await MailHost.run(.init(greeting: greeting)) { host, port in
            let failure = await Self.failure { try await Self.client(port, .none).send(Self.message()) }
            guard case .unavailable(let reason) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(reason.utf8.count < 1_000 && host.commands.isEmpty)
        }
    }

    @Test("A server that says nothing, or nothing more, is left in time", arguments: ["", "220"])
    func silent(greeting: String) async throws {
        try await MailHost.run(.init(greeting: greeting)) { _, port in
            var client = try Self.client(port, .none)
            client.timeout = 0.2
            let failure = await Self.failure { try await client.send(Self.message()) }
            #expect(failure == .unavailable("It took too long"))
        }
    }

    @Test("A server that isn't there is said to be unreachable")
    func absent() async throws {
        let client = try Self.client(try await RawHost.closedPort(), .none)
        guard case .unavailable = await Self.failure({ try await client.send(Self.message()) }) else {
            Issue.record("It was taken.")
            return
        }
        var other = try Self.client(1, .startTLS)
        other.resolver = ScriptedResolver([[]])
        let failure = await Self.failure { try await other.send(Self.message()) }
        #expect(failure == .unavailable("There is no host of the name localhost"))
    }

    @Test("What a server says is shortened and made harmless before it is logged or kept")
    func summary() {
        let reply = SMTPReply(code: 550, lines: ["\u{1B}[31mred\u{202E}", String(repeating: "é", count: 900)])
        #expect(reply.summary.hasPrefix("550  [31mred"))
        #expect(reply.summary.unicodeScalars.count == 200)
    }

    @Test("An address with letters beyond ASCII goes to servers that know them, and to no others")
    func international() async throws {
        let message = try Self.message(to: "アンナ@例え.jp")
        try await MailHost.run(.init(offers: [])) { host, port in
            guard case .rejected = await Self.failure({ try await Self.client(port, .none).send(message) }) else {
                Issue.record("It was sent.")
                return
            }
            #expect(host.commands == ["EHLO cards.example.com"])
        }
        try await MailHost.run(.init(offers: ["8BITMIME", "SMTPUTF8"])) { host, port in
            try await Self.client(port, .none).send(message)
            #expect(host.commands.contains("MAIL FROM:<cards@example.com> BODY=8BITMIME SMTPUTF8"))
            #expect(host.commands.contains("RCPT TO:<アンナ@xn--r8jz45g.jp>"))
        }
    }
}
