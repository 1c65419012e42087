import CardModel
import CardStore
import Logging
import ServiceLifecycle
import Synchronization

/// Sends the messages that wait for members, each at least once.
///
/// A message is removed once the mail server has taken it, so a process that dies in between sends it again, with the
/// same `Message-ID`. Of several nodes, the one that has claimed a message sends it; a claim runs out.
struct MailWorker: Service {
    /// The time for which a claim holds by the store's clock, in seconds: longer than sending takes.
    static let lease = 120.0
    /// The time that a worker that has nothing to do waits, in seconds.
    static let pause = 1.0
    /// The longest that a worker waits while the mail server takes nothing, in seconds.
    static let longestOutage = 300.0

    let store: any CardStore
    let sender: any MailSending
    /// Writes a message in the language of its reader, or returns `nil` where nobody can.
    let compose: @Sendable (Mail) -> MailText?
    /// The worker's name among those of all nodes.
    let name: String
    let clock: @Sendable () -> UnixTime
    /// Gives a number from 0 to 1.
    let chance: @Sendable () -> Double
    let logger: Logger
    /// Counts messages.
    var metrics = ServerMetrics()
    /// Traces messages, or `nil` where nothing is traced.
    var tracer: Tracer?
    private let outage = MailOutage()

    init(
        store: any CardStore,
        sender: any MailSending,
        compose: @escaping @Sendable (Mail) -> MailText?,
        name: String,
        clock: @escaping @Sendable () -> UnixTime,
        chance: @escaping @Sendable () -> Double,
        logger: Logger,
        metrics: ServerMetrics,
        tracer: Tracer? = nil
    ) {
        self.store = store
        self.sender = sender
        self.compose = compose
        self.name = name
        self.clock = clock
        self.chance = chance
        self.logger = logger
        self.metrics = metrics
        self.tracer = tracer
    }

    func run() async throws {
        await WorkLoop().run { await step() }
    }

    /// Sends one message, if one is due, and returns how many seconds to wait before the next step.
    func step() async -> Double {
        do {
            // Where no message waits, nothing is written.
            let now = clock()
            guard let due = try await store.mailQueue().dueAt, due <= now else { return Self.pause }
            let claim = try await store.claimMail(for: name, seconds: Self.lease, at: now)
            if claim.expired > 0 {
                metrics.countMails(.expired, claim.expired)
                logger.warning("Messages were not sent before they expired", metadata: ["count": "\(claim.expired)"])
            }
            guard let mail = claim.mail else { return claim.expired > 0 ? 0 : Self.pause }
            return try await tracer.job("mail.send") { try await send(mail, failures: claim.failures) }
        } catch {
            logger.error("The messages to members could not be read", metadata: ["error": "\(error)"])
            return Self.pause
        }
    }

    private func send(_ mail: Mail, failures: Int) async throws -> Double {
        do throws(SMTPError) {
            try await sender.send(try message(mail))
        } catch {
            return try await note(error, of: mail, failures: failures)
        }
        outage.end()
        metrics.countMails(.sent)
        _ = try await store.endMail(mail.id, by: name)
        return 0
    }

    private func message(_ mail: Mail) throws(SMTPError) -> MailMessage {
        guard let recipient = MailAddress(mail.recipient) else {
            throw .rejected("The address can't be written for mail servers")
        }
        guard let text = compose(mail) else { throw .rejected("There is no dashboard that could write it") }
        return MailMessage(sender: sender.sender, recipient: recipient, text: text, id: mail.id, date: mail.createdAt)
    }

    private func note(_ failure: SMTPError, of mail: Mail, failures: Int) async throws -> Double {
        // The address is not in it: whoever reads the log needn't know who was written to.
        let metadata: Logger.Metadata = [
            "id": "\(mail.id)", "kind": "\(mail.content.kind)", "reason": "\(failure.reason)",
        ]
        if case .rejected = failure {
            ActiveSpan.current?.fail("SMTPError")
            metrics.countMails(.rejected)
            logger.warning("A message to a member was rejected and won't be sent", metadata: metadata)
            _ = try await store.endMail(mail.id, by: name)
            return 0
        }
        ActiveSpan.current?.fail("SMTPError")
        metrics.countMails(.failed)
        logger.warning("A message to a member could not be sent yet", metadata: metadata)
        let now = clock()
        let pause = MailRetry.pause(after: failures + 1, chance: chance())
        let reason = MailFailure(failure.reason, at: now)
        _ = try await store.postponeMail(mail.id, until: now + pause, for: reason, by: name)
        // Where the server takes nothing, the other messages wait as well.
        guard case .unavailable = failure else { return 0 }
        return outage.extend()
    }
}

/// The time for which a mail server has taken nothing.
private final class MailOutage: Sendable {
    private let failures = Mutex(0)

    func end() { failures.withLock { $0 = 0 } }

    /// Counts a failure, and returns the seconds to wait.
    func extend() -> Double {
        let count = failures.withLock { failures in
            failures = min(failures + 1, 16)
            return failures
        }
        return min(Double(sign: .plus, exponent: count, significand: 1), MailWorker.longestOutage)
    }
}
