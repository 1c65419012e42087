import CardServer
import CardStore
import Synchronization
import Testing

/// Takes every message that a server sends, and hands them out in order.
final class MailRecorder: MailSending {
    let sender: MailSender
    private let messages: AsyncStream<MailMessage>
    private let continuation: AsyncStream<MailMessage>.Continuation

    init() throws {
        sender = try #require(MailSender("Placard <cards@example.com>"))
        (messages, continuation) = AsyncStream.makeStream()
    }

    func send(_ message: MailMessage) async throws(SMTPError) { continuation.yield(message) }

    /// Waits for the next message.
    func next() async -> MailMessage {
        for await message in messages { return message }
        preconditionFailure("No message comes any more.")
    }
}
