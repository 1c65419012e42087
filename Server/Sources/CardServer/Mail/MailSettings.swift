import CardModel
import Foundation
public import WireJSON

/// The mail server that messages to members are given to, by SMTP.
public struct MailSettings: Sendable, Hashable {
    /// The encryption of the connection.
    public enum Security: String, Sendable, CaseIterable {
        /// It begins in clear text and is encrypted before anything is said, or ends.
        case startTLS = "starttls"
        /// It is encrypted from the beginning.
        case implicit
        /// It isn't, so that there can't be a password: for a server on this machine.
        case none

        /// The port that is used by convention.
        public var port: Int {
            switch self {
            case .startTLS: 587
            case .implicit: 465
            case .none: 25
            }
        }
    }

    /// A user of the mail server.
    public struct Login: Sendable, Hashable {
        /// The name.
        @Bytewise public var user: String
        /// The password.
        @Bytewise public var password: String

        /// Creates a login.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// The name or address of the mail server.
    public var host: String
    /// Its port.
    public var port: Int
    /// The encryption of the connection.
    public var security: Security
    /// The user, or `nil` where the mail server asks for none.
    public var login: Login?
    /// The sender of messages.
    public var sender: MailSender
    /// A file of certificates that are trusted in place of the system's, as PEM, or `nil` for the system's.
    public var trustedCertificates: String?

    /// Creates settings.
    public init(host: String, port: Int? = nil, security: Security = .startTLS, sender: MailSender) {
        self.host = host
        self.port = port ?? security.port
        self.security = security
        self.sender = sender
    }
}

/// The sender of a message: an address, and a name if there is one.
public struct MailSender: Sendable, Hashable {
    /// The name; may be empty.
    let name: String
    /// The address.
    let address: MailAddress

    /// Reads an address such as `cards@example.com` or `Placard <cards@example.com>`, or returns `nil` for anything
    /// else.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.hasSuffix(">"), let start = text.utf8.lastIndex(of: UInt8(ascii: "<")) else {
            guard let address = MailAddress(text) else { return nil }
            (name, self.address) = ("", address)
            return
        }
        // safe: an element of the text
        guard let address = MailAddress(String(text[text.utf8.index(after: start)...].dropLast())) else { return nil }
        self.address = address
        // safe: an element of the text
        let typed = text[..<start].trimmingCharacters(in: .whitespaces)
        let isQuoted = typed.utf8.count >= 2 && typed.hasPrefix("\"") && typed.hasSuffix("\"")
        name = isQuoted ? String(typed.dropFirst().dropLast()) : typed
        guard name.isEmpty || IdentityText.isValid(name, maximumBytes: 200) else { return nil }
    }

    /// The value of the field `From`.
    var header: String {
        guard !name.isEmpty else { return address.path }
        return "\(MailHeader.phrase(name)) <\(address.path)>"
    }
}
