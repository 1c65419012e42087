package import CardModel
package import CardStore
import Logging

/// Leaves messages for members in the queue, where the operator has set a mail server.
package struct MailService: Sendable {
    let store: any CardStore
    let clock: @Sendable () -> UnixTime
    /// The address of the dashboard, without a path, or `nil` where no messages are sent.
    ///
    /// It is the operator's, and never what a request says: whoever asks for a new password of another mustn't choose
    /// where the link leads.
    let publicURL: String?
    let metrics: ServerMetrics
    let logger: Logger

    /// Whether messages are sent.
    package var isOn: Bool { publicURL != nil }

    /// Returns the address of a page for a message, or `nil` where no messages are sent.
    package func address(of path: String) -> String? { publicURL.map { $0 + path } }

    /// Leaves a message.
    ///
    /// - Parameters:
    ///   - content: What it says.
    ///   - member: Who it is for.
    ///   - language: The language, where the member has chosen none.
    ///   - expiry: When it is worth nothing any more; three days from now by default.
    /// - Returns: Whether it will be sent: mail is on, and the queue had room.
    /// - Throws: What keeps the store from writing.
    package func send(
        _ content: MailContent,
        to member: TeamMember,
        in language: String? = nil,
        until expiry: UnixTime? = nil
    ) async throws -> Bool {
        guard isOn else { return false }
        let now = clock()
        let mail = Mail(
            id: "mail_" + RandomText.letters(22),
            to: member.email,
            in: member.language ?? language,
            content,
            at: now,
            until: expiry ?? now + Mail.lifetime
        )
        let hasRoom = try await store.insertMail(mail)
        if !hasRoom {
            metrics.countMails(.dropped)
            logger.warning("Too many messages to members wait: one is left out", metadata: ["kind": "\(content.kind)"])
        }
        return hasRoom
    }
}
