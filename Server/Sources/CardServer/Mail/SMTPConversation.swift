import Foundation
import WireJSON

/// A client's conversation with a mail server to give it a message, as a value that takes replies and returns what to
/// do.
///
/// Nothing is said before the connection is encrypted, where it has to be, and a password never in clear text. What the
/// server offered before that is forgotten.
struct SMTPConversation {
    /// The next action.
    enum Action: Equatable {
        /// Send a command, without the end of its line.
        case send(String)
        /// Encrypt the connection, then ask for ``SMTPConversation/encrypted()``.
        case encrypt
        /// Send the message, with what ends it.
        case sendMessage
        /// Say goodbye: all is done.
        case quit
    }

    private enum State {
        case greeting
        case hello
        case startingTLS
        /// The sign-in, with what is still to be said, the first at the next question.
        case login([String])
        case sender
        case recipient
        case data
        case message
    }

    private let settings: MailSettings
    /// The name that the client gives itself: a name of a host, or an address in square brackets.
    private let clientName: String
    /// The message, or `nil` where only the way to the server is tried.
    private let message: MailMessage?
    private var isEncrypted: Bool
    private var state = State.greeting
    /// The extensions of the server, in upper case: the words of each line of its answer to `EHLO`.
    private var offers: [String: [String]] = [:]

    /// Creates a conversation that waits for the greeting of the server.
    init(_ settings: MailSettings, as clientName: String, giving message: MailMessage?) {
        self.settings = settings
        self.clientName = clientName
        self.message = message
        isEncrypted = settings.security == .implicit
    }

    /// Goes on after ``Action/encrypt``.
    mutating func encrypted() -> Action {
        isEncrypted = true
        return sayHello()
    }

    /// Takes a reply.
    mutating func receive(_ reply: SMTPReply) throws(SMTPError) -> Action {
        // The server is about to close, whatever was asked.
        guard reply.code != 421 else { throw .unavailable(reply.summary) }
        switch state {
        case .greeting:
            try require(reply.code == 220, reply)
            return sayHello()
        case .hello:
            try require(reply.isPositive, reply)
            readOffers(reply)
            return try goOn()
        case .startingTLS:
            try require(reply.code == 220, reply)
            return .encrypt
        case .login(let rest): return try logIn(reply, rest)
        // What is wrong with the sender is wrong with every message.
        case .sender:
            try require(reply.isPositive || reply.isTransient, reply)
            try requireTaken(reply.isPositive, reply)
            return send(.recipient, "RCPT TO:<\(message?.recipient.path ?? "")>")
        case .recipient:
            try requireTaken(reply.isPositive, reply)
            return send(.data, "DATA")
        case .data:
            try requireTaken(reply.code == 354, reply)
            state = .message
            return .sendMessage
        case .message:
            try requireTaken(reply.isPositive, reply)
            return .quit
        }
    }

    private mutating func send(_ next: State, _ command: String) -> Action {
        state = next
        return .send(command)
    }

    private mutating func sayHello() -> Action {
        offers = [:]
        return send(.hello, "EHLO \(clientName)")
    }

    private mutating func readOffers(_ reply: SMTPReply) {
        // The first line is the server's name.
        for line in reply.lines.dropFirst() {
            let words = line.split(at: " ").map { $0.uppercased() }
            if let name = words.first { offers[name] = Array(words.dropFirst()) }
        }
    }

    /// Returns the action that comes after the server has named its extensions.
    private mutating func goOn() throws(SMTPError) -> Action {
        if settings.security == .startTLS, !isEncrypted {
            guard offers["STARTTLS"] != nil else { throw .unavailable("The mail server doesn't offer STARTTLS") }
            return send(.startingTLS, "STARTTLS")
        }
        guard let login = settings.login else { return try giveMessage() }
        guard isEncrypted else { throw .unavailable("A password is not sent without encryption") }
        return try begin(login)
    }

    private mutating func begin(_ login: MailSettings.Login) throws(SMTPError) -> Action {
        func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let ways = offers["AUTH"] ?? []
        if ways.contains("PLAIN") {
            let answer = encoded("\0\(login.user)\0\(login.password)")
            // A line has 512 bytes at most, unless it answers a question.
            let isShort = answer.utf8.count < 480
            return send(.login(isShort ? [] : [answer]), isShort ? "AUTH PLAIN \(answer)" : "AUTH PLAIN")
        }
        guard ways.contains("LOGIN") else {
            throw .unavailable("The mail server takes passwords neither by AUTH PLAIN nor by AUTH LOGIN")
        }
        return send(.login([encoded(login.user), encoded(login.password)]), "AUTH LOGIN")
    }

    private mutating func logIn(_ reply: SMTPReply, _ rest: [String]) throws(SMTPError) -> Action {
        if reply.code == 334, let answer = rest.first { return send(.login(Array(rest.dropFirst())), answer) }
        try require(reply.code == 235, reply)
        return try giveMessage()
    }

    private mutating func giveMessage() throws(SMTPError) -> Action {
        guard let message else { return .quit }
        var command = "MAIL FROM:<\(message.sender.address.path)>"
        if message.needsUTF8 {
            guard offers["SMTPUTF8"] != nil, offers["8BITMIME"] != nil else {
                throw .rejected("The mail server takes no addresses with letters beyond ASCII")
            }
            command += " BODY=8BITMIME SMTPUTF8"
        }
        return send(.sender, command)
    }

    private func require(_ isExpected: Bool, _ reply: SMTPReply) throws(SMTPError) {
        guard isExpected else { throw .unavailable(reply.summary) }
    }

    private func requireTaken(_ isTaken: Bool, _ reply: SMTPReply) throws(SMTPError) {
        guard isTaken else { throw reply.isTransient ? .deferred(reply.summary) : .rejected(reply.summary) }
    }
}

extension MailMessage {
    /// The message as it is sent after `DATA`: a line that begins with a full stop has another one in front, and one
    /// that is nothing else ends it.
    var transmitted: [UInt8] {
        let stop = UInt8(ascii: ".")
        var sent: [UInt8] = []
        var isLineStart = true
        for byte in bytes {
            if isLineStart, byte == stop { sent.append(stop) }
            sent.append(byte)
            isLineStart = byte == UInt8(ascii: "\n")
        }
        return sent + Array(".\r\n".utf8)
    }
}
