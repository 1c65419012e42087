import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Mail: the worker")
struct MailWorkerTests {
    /// A mail server that answers one thing after the other, and then takes everything.
    private final class ScriptedMail: MailSending {
        let sender: MailSender
        private let state: Mutex<(answers: [SMTPError?], sent: [MailMessage])>

        init(_ answers: [SMTPError?] = []) throws {
            sender = try #require(MailSender("cards@example.com"))
            state = Mutex((answers, []))
        }

        var sent: [MailMessage] { state.withLock { $0.sent } }

        func send(_ message: MailMessage) async throws(SMTPError) {
            let failure = state.withLock { state in
                state.sent.append(message)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            if let failure { throw failure }
        }
    }

    /// Returns a worker of a node whose clock is ahead.
    private static func worker(
        _ place: Workspace,
        _ sender: ScriptedMail,
        name: String = "a",
        ahead: Double = 0
    ) -> MailWorker {
        MailWorker(
            store: place.store,
            sender: sender,
            compose: { MailText(subject: $0.content.kind, text: $0.language ?? "-") },
            name: name,
            clock: { place.time.now + ahead },
            chance: { 0.5 },
            logger: .silent,
            metrics: ServerMetrics()
        )
    }

    private static func withMail(
        _ recipients: [String] = ["anna@example.com"],
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws {
        try await Workspace.run { place in
            for (number, email) in recipients.enumerated() {
                let now = place.time.now
                let member = TeamMember(email: email, role: .admin, passwordHash: "-", createdAt: now)
                try await place.store.insertMember(member, by: .command)
                let letter = PasswordLetter(link: "https://cards.example.com", expiresAt: now + 3_600)
                let content = MailContent.passwordReset(letter)
                let id = "mail_\(number)"
                let mail = Mail(id: id, to: email, in: "ja", content, at: now, until: now + 3_600)
                #expect(try await place.store.insertMail(mail))
            }
            try await body(place)
        }
    }

    @Test("A message is sent once, in the language of its reader, and is gone")
    func sends() async throws {
        try await Self.withMail { place in
            let mail = try ScriptedMail()
            let worker = Self.worker(place, mail)
            #expect(await worker.step() == 0)
            #expect(await worker.step() == MailWorker.pause)
            #expect(mail.sent.map(\.text) == [MailText(subject: "password-reset", text: "ja")])
            #expect(mail.sent.map(\.id) == ["mail_0"])
            #expect(try await place.store.mailQueue().waiting == 0)
            #expect(worker.metrics.mailLines(nil, at: 0).contains("placard_mails_total{result=\"sent\"} 1"))
        }
    }

    @Test("Where the store can't say how many messages wait, metrics leave that out; without a mail server it is zero")
    func unknownQueue() {
        let metrics = ServerMetrics()
        #expect(metrics.mailLines(nil, at: 0).contains("placard_mails_waiting 0"))
        let unknown = metrics.mailLines(nil, isKnown: false, at: 0)
        #expect(unknown.contains("placard_mails_total{result=\"sent\"} 0"))
        #expect(!unknown.contains { $0.contains("placard_mails_waiting") || $0.contains("placard_mails_oldest") })
        let queue = MailQueue(waiting: 2, oldestAt: 1, dueAt: 9, lastFailure: nil)
        #expect(metrics.mailLines(queue, at: 5).contains("placard_mails_oldest_seconds 4.0"))
    }

    @Test("A message that fails is sent again, twice as late each time, until it expires")
    func retries() async throws {
        try await Self.withMail { place in
            let mail = try ScriptedMail(Array(repeating: .deferred("451 later"), count: 100))
            let worker = Self.worker(place, mail)
            var pauses: [Double] = []
            while try await place.store.mailQueue().waiting > 0 {
                _ = await worker.step()
                guard let due = try await place.store.mailQueue().dueAt else { break }
                pauses.append(due - place.time.now)
                place.time.advance(by: due - place.time.now)
            }
            #expect(pauses == [30, 60, 120, 240, 480, 960, 1_710])
            #expect(mail.sent.count == 7)
            #expect(worker.metrics.mailLines(nil, at: 0).contains("placard_mails_total{result=\"expired\"} 1"))
            #expect(worker.metrics.mailLines(nil, at: 0).contains("placard_mails_total{result=\"failed\"} 7"))
        }
    }

    @Test("A message that is rejected is not sent again, and doesn't keep the others")
    func rejected() async throws {
        try await Self.withMail(["anna@example.com", "emil@example.com"]) { place in
            let mail = try ScriptedMail([.rejected("550 nobody")])
            let worker = Self.worker(place, mail)
            #expect(await worker.step() == 0)
            #expect(await worker.step() == 0)
            #expect(mail.sent.map(\.recipient.path) == ["anna@example.com", "emil@example.com"])
            #expect(try await place.store.mailQueue().waiting == 0)
        }
    }

    @Test("While the mail server takes nothing, the worker waits longer and longer, and not once it does")
    func outage() async throws {
        try await Self.withMail((0..<12).map { "m\($0)@example.com" }) { place in
            let mail = try ScriptedMail(Array(repeating: .unavailable("no route"), count: 10))
            let worker = Self.worker(place, mail)
            var pauses: [Double] = []
            for _ in 0..<10 { pauses.append(await worker.step()) }
            #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
            #expect(await worker.step() == 0)
            #expect(try await place.store.mailQueue().lastFailure?.reason == "no route")
        }
    }

    @Test("Of two nodes, one sends a message")
    func nodes() async throws {
        try await Self.withMail { place in
            let mail = try ScriptedMail()
            let (first, second) = (Self.worker(place, mail), Self.worker(place, mail, name: "b"))
            // The first takes it and dies.
            let now = place.time.now
            #expect(try await place.store.claimMail(for: "a", seconds: MailWorker.lease, at: now).mail != nil)
            #expect(await second.step() == MailWorker.pause && mail.sent.isEmpty)
            place.time.advance(by: MailWorker.lease)
            #expect(await second.step() == 0 && mail.sent.count == 1)
            #expect(await first.step() == MailWorker.pause && mail.sent.count == 1)
        }
    }

    @Test("A node whose clock is far ahead sends nothing that another one is sending")
    func clocks() async throws {
        try await Self.withMail { place in
            let mail = try ScriptedMail()
            let fast = Self.worker(place, mail, name: "b", ahead: 10 * MailWorker.lease)
            let (now, lease) = (place.time.now, MailWorker.lease)
            #expect(try await place.store.claimMail(for: "a", seconds: lease, at: now).mail != nil)
            #expect(await fast.step() == MailWorker.pause && mail.sent.isEmpty)
            // Its own claim holds no longer than another's.
            place.time.advance(by: lease)
            #expect(try await place.store.claimMail(for: "b", seconds: lease, at: now + 10 * lease).mail != nil)
            place.time.advance(by: lease)
            #expect(await Self.worker(place, mail).step() == 0 && mail.sent.count == 1)
        }
    }
}
