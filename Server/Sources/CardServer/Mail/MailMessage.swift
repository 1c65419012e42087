import CardModel
import Foundation
import WireJSON

/// The text of a message, in the language of its reader.
package struct MailText: Sendable, Hashable {
    /// The subject.
    package var subject: String
    /// The text, whose lines end with U+000A.
    package var text: String

    /// Creates a text.
    package init(subject: String, text: String) {
        self.subject = subject
        self.text = text
    }
}

/// A message as a mail server gets it.
///
/// All of it is ASCII, with lines of 76 characters at most, whatever it says, so that it doesn't matter what the mail
/// servers on the way can do; but an address whose mailbox has letters beyond ASCII, which needs `SMTPUTF8`.
package struct MailMessage: Sendable {
    /// The sender of the message.
    let sender: MailSender
    /// The recipient of the message.
    package let recipient: MailAddress
    /// The text of the message.
    package let text: MailText
    /// The ID by which it is recognized, so that one that was sent twice is shown once.
    let id: String
    /// The time at which it was made.
    let date: UnixTime

    /// Whether only a mail server can take it that knows letters beyond ASCII.
    var needsUTF8: Bool { sender.address.needsUTF8 || recipient.needsUTF8 }

    /// The fields and the text, with CR LF at the end of each line.
    var bytes: [UInt8] {
        let fields = [
            ("Date", Self.dateText(date)), ("From", sender.header), ("To", recipient.path),
            ("Message-ID", "<\(id)@\(sender.address.path.split(at: "@").last ?? "")>"),
            ("Subject", MailHeader.text(text.subject)), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "base64"),
            // So that no one's absence is answered to it.
            ("Auto-Submitted", "auto-generated"),
        ]
        let head = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        let body = Data(text.text.replacing("\n", with: "\r\n").utf8)
            .base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return Array("\(head)\r\n\(body)\r\n".utf8)
    }

    private static func dateText(_ time: UnixTime) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: Date(timeIntervalSince1970: time))
    }
}
