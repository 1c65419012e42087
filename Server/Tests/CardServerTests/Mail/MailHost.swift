import NIOCore
import NIOSSL
import Synchronization

@testable import CardServer

/// A mail server on the loopback interface that does what a script says, and keeps what it is told.
final class MailHost: Sendable {
    /// What it answers.
    struct Script: Sendable {
        /// What it says first.
        var greeting = "220 mail.example.com ESMTP\r\n"
        /// What it offers in clear text, and behind the encryption.
        var offers = ["STARTTLS"]
        var encryptedOffers = ["AUTH PLAIN LOGIN"]
        /// What it answers to a command in place of the usual, by the command's first word, `.` for a message.
        var replies: [String: String] = [:]
        /// Whether the connection is encrypted from the beginning.
        var isImplicit = false
    }

    private struct State {
        var commands: [String] = []
        var messages: [String] = []
        var clearCommands: [String] = []
    }

    private let state = Mutex(State())

    /// The commands in order.
    var commands: [String] { state.withLock { $0.commands } }
    /// Those that came before the encryption.
    var clearCommands: [String] { state.withLock { $0.clearCommands } }
    /// The messages, with what ends their lines, as they are once doubled full stops are single again.
    var messages: [String] { state.withLock { $0.messages } }

    fileprivate func keep(_ command: String, isEncrypted: Bool) {
        state.withLock { state in
            state.commands.append(command)
            if !isEncrypted { state.clearCommands.append(command) }
        }
    }

    fileprivate func keepMessage(_ message: String) { state.withLock { $0.messages.append(message) } }

    /// Runs a mail server for as long as `body` takes.
    static func run(
        _ script: Script = Script(),
        identity: TestIdentity? = nil,
        _ body: (MailHost, _ port: Int) async throws -> Void
    ) async throws {
        let host = MailHost()
        let tls = try identity.map { try NIOSSLContext(configuration: $0.server) }
        try await LoopbackListener.run { pipeline in
            if script.isImplicit, let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            try pipeline.addHandler(MailHostConversation(host, script, tls))
        } _: { port in
            try await body(host, port)
        }
    }
}

private final class MailHostConversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: MailHost
    private let script: MailHost.Script
    private let tls: NIOSSLContext?
    private var isEncrypted: Bool
    private var line: [UInt8] = []
    private var message: [String]?
    /// What the next lines are, of a login by questions.
    private var questions: [String] = []

    init(_ host: MailHost, _ script: MailHost.Script, _ tls: NIOSSLContext?) {
        self.host = host
        self.script = script
        self.tls = tls
        isEncrypted = script.isImplicit
    }

    func channelActive(context: ChannelHandlerContext) {
        say(script.greeting, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            line.append(byte)
            guard line.suffix(2) == Array("\r\n".utf8) else { continue }
            let text = String(decoding: line.dropLast(2), as: UTF8.self)
            line = []
            take(text, context)
        }
    }

    private func take(_ text: String, _ context: ChannelHandlerContext) {
        guard message != nil else { return answer(text, context) }
        guard text == "." else {
            message?.append(text.hasPrefix(".") ? String(text.dropFirst()) : text)
            return
        }
        host.keepMessage((message ?? []).map { $0 + "\r\n" }.joined())
        message = nil
        say(script.replies["."] ?? "250 taken\r\n", context)
    }

    private func answer(_ text: String, _ context: ChannelHandlerContext) {
        host.keep(text, isEncrypted: isEncrypted)
        let word = String(text.split(separator: " ").first ?? "")
        if let reply = script.replies[word] { return say(reply, context) }
        if !questions.isEmpty {
            questions.removeFirst()
            return say(questions.isEmpty ? "235 welcome\r\n" : "334 UGFzc3dvcmQ6\r\n", context)
        }
        switch word {
        case "EHLO":
            let lines = ["mail.example.com"] + (isEncrypted ? script.encryptedOffers : script.offers)
            let reply = lines.enumerated().map { "250\($0.offset == lines.count - 1 ? " " : "-")\($0.element)\r\n" }
            say(reply.joined(), context)
        case "STARTTLS":
            say("220 go ahead\r\n", context)
            guard let tls else { return }
            isEncrypted = true
            try? context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
        case "AUTH" where text.hasPrefix("AUTH LOGIN"):
            questions = ["user", "password"]
            say("334 VXNlcm5hbWU6\r\n", context)
        case "AUTH" where text == "AUTH PLAIN":
            questions = ["all"]
            say("334 \r\n", context)
        case "AUTH": say("235 welcome\r\n", context)
        case "DATA":
            message = []
            say("354 go ahead\r\n", context)
        case "QUIT":
            say("221 bye\r\n", context)
            context.close(promise: nil)
        default: say("250 ok\r\n", context)
        }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
