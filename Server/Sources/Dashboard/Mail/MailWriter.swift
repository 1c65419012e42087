import CardModel
import CardServer
import Foundation
import WireJSON

/// Writes messages to members in the language of the moment.
struct MailWriter {
    /// The time zone in which times are shown.
    let timeZone: String

    /// Returns what a message says.
    func text(_ content: MailContent) -> MailText {
        switch content {
        case .invitation(let letter, let author): invitation(letter, Self.line(author))
        case .passwordReset(let letter): passwordReset(letter)
        case .accountChanged(let action, let link): accountChanged(action, link)
        case .approvalRequested(let letter): requested(letter)
        case .approvalApproved(let letter): approved(letter)
        case .approvalRejected(let letter): rejected(letter)
        }
    }

    // MARK: Passwords

    private func invitation(_ letter: PasswordLetter, _ author: String) -> MailText {
        MailText(
            subject: localized("\(author) has invited you to Placard"),
            text: Self.paragraphs([
                localized("\(author) has invited you to the dashboard of Placard at \(Self.host(of: letter.link))."),
                choice(letter), letter.link,
                localized("If you don’t know why you got this message, ignore it: nothing happens without the link."),
            ])
        )
    }

    private func passwordReset(_ letter: PasswordLetter) -> MailText {
        MailText(
            subject: localized("Reset your password for Placard"),
            text: Self.paragraphs([
                localized("A new password was requested for your account at \(Self.host(of: letter.link))."),
                choice(letter), letter.link,
                localized("If it wasn’t you, ignore this message: your password stays as it is."),
            ])
        )
    }

    private func choice(_ letter: PasswordLetter) -> String {
        let time = PageFormatter.time(letter.expiresAt, in: timeZone)
        return localized("Choose your password with this link, which works once, until \(time):")
    }

    private func accountChanged(_ action: String, _ link: String) -> MailText {
        let what = Notice.accountChange(action)
        return MailText(
            subject: localized("Placard: \(what)"),
            text: Self.paragraphs([
                localized("Of your account at \(Self.host(of: link)): \(what)."),
                localized("If you don’t know why, contact your administrator. Your account:"), link,
            ])
        )
    }

    // MARK: Approvals

    private func requested(_ letter: ApprovalLetter) -> MailText {
        let (name, author) = (Self.line(letter.campaign), Self.line(letter.author))
        return text(
            letter,
            letter.isEdit
                ? localized("Approval requested: edit of “\(name)”")
                : localized("Approval requested: launch of “\(name)”"),
            letter.isEdit
                ? localized("\(author) asks for approval to edit the campaign “\(name)”.")
                : localized("\(author) asks for approval to launch the campaign “\(name)”."),
            localized("See what would change, and approve or reject it:")
        )
    }

    private func approved(_ letter: ApprovalLetter) -> MailText {
        let (name, author) = (Self.line(letter.campaign), Self.line(letter.author))
        return text(
            letter,
            letter.isEdit ? localized("Approved: edit of “\(name)”") : localized("Approved: launch of “\(name)”"),
            letter.isEdit
                ? localized("\(author) has approved your edit of the campaign “\(name)”. It is live.")
                : localized("\(author) has approved your request: the campaign “\(name)” is launched."),
            localized("The request and its comments:")
        )
    }

    private func rejected(_ letter: ApprovalLetter) -> MailText {
        let (name, author) = (Self.line(letter.campaign), Self.line(letter.author))
        return text(
            letter,
            letter.isEdit ? localized("Rejected: edit of “\(name)”") : localized("Rejected: launch of “\(name)”"),
            letter.isEdit
                ? localized("\(author) has rejected your edit of the campaign “\(name)”. It stays as it was.")
                : localized("\(author) has rejected the launch of the campaign “\(name)”."),
            localized("The request and its comments:")
        )
    }

    private func text(_ letter: ApprovalLetter, _ subject: String, _ news: String, _ invitation: String) -> MailText {
        let parts = [news, Self.quotation(letter.comment), invitation, letter.link]
        return MailText(subject: subject, text: Self.paragraphs(parts))
    }

    // MARK: Parts

    private static func paragraphs(_ parts: [String?]) -> String {
        parts.compactMap(\.self).joined(separator: "\n\n") + "\n"
    }

    /// A comment with a mark before each line, so that none looks like a part of the message.
    private static func quotation(_ comment: String?) -> String? {
        let lines = comment?.split(at: "\n", omittingEmptySubsequences: false)
        return lines?.map { "> " + line($0) }.joined(separator: "\n")
    }

    /// Returns the text that others have typed, as one line.
    private static func line(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func host(of link: String) -> String { URLComponents(string: link)?.host ?? link }
}
