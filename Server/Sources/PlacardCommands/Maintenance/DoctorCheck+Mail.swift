import CardModel
import CardServer
import CardStore

extension DoctorCheck {
    /// The age of a message that waits from which on something is wrong, in seconds.
    private static let tolerableAge = 600.0

    /// Creates a check of the way to the mail server: what keeps it from taking messages, or `nil` for nothing.
    init(mailServer settings: MailSettings, problem: String?) {
        let place = "\(settings.host):\(settings.port)"
        guard let problem else {
            self.init(.good, "mail", "\(place) would take messages")
            return
        }
        self.init(.bad, "mail", "\(place) takes no messages: \(problem). Check the settings smtp_….")
    }

    /// Creates a check of the messages that wait.
    init(mails queue: MailQueue, at now: UnixTime) {
        guard let oldest = queue.oldestAt, now - oldest > Self.tolerableAge else {
            self.init(.good, "messages", "\(queue.waiting) wait")
            return
        }
        let minutes = Quantity.text(Int(saturating: (now - oldest) / 60), "minute")
        let reason = queue.lastFailure.map { " The last failure: \($0.reason)." } ?? " Is a server running?"
        self.init(.warning, "messages", "\(queue.waiting) wait, the oldest for \(minutes).\(reason)")
    }
}
