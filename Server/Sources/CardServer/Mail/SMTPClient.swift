import NIOCore
import NIOPosix
import NIOSSL

/// Sends messages to members.
package protocol MailSending: Sendable {
    /// The sender of messages.
    var sender: MailSender { get }
    /// Sends a message, and returns once it was taken.
    func send(_ message: MailMessage) async throws(SMTPError)
}

/// Gives messages to a mail server by SMTP, each by a connection of its own.
///
/// The address of the server is an operator's setting, so it may be one of a private network. Its certificate is
/// checked. What it says is bounded, in bytes and in time.
struct SMTPClient: MailSending {
    /// The maximum number of addresses of the server that are tried.
    private static let attempts = 3
    /// The maximum size of what the server says, in bytes.
    private static let replyBytes = 256 << 10

    let settings: MailSettings
    /// The name that the client gives itself.
    let name: String
    var resolver: any HostResolving = SystemResolver.shared
    let trust: OutboundTrust
    var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    /// The time for all of it, in seconds.
    var timeout = 60.0

    var sender: MailSender { settings.sender }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - settings: The mail server.
    ///   - publicURL: The address of this server, by whose host the client calls itself.
    init(_ settings: MailSettings, publicURL: String) {
        let roots = settings.trustedCertificates.map { NIOSSLTrustRoots.file($0) } ?? .default
        self.init(settings, publicURL: publicURL, trust: OutboundTrust(roots, protocols: []))
    }

    init(_ settings: MailSettings, publicURL: String, trust: OutboundTrust) {
        self.settings = settings
        self.trust = trust
        name = Self.name(of: publicURL)
    }

    private static func name(of publicURL: String) -> String {
        guard let host = OutboundURL(publicURL)?.host else { return "[127.0.0.1]" }
        guard let address = HostAddress(host) else { return host }
        return address.isSix ? "[IPv6:\(host)]" : "[\(host)]"
    }

    func send(_ message: MailMessage) async throws(SMTPError) { try await converse(giving: message) }

    /// Goes as far as a message could be given to the server, and gives none.
    func check() async throws(SMTPError) { try await converse(giving: nil) }

    private func converse(giving message: MailMessage?) async throws(SMTPError) {
        let loop = group.next()
        let answer = loop.makePromise(of: Void.self)
        // safe: an hour at most
        let limit = TimeAmount.milliseconds(Int64(min(max(timeout, 0.001), 3_600) * 1_000))
        let timer = loop.scheduleTask(in: limit) { answer.fail(SMTPError.unavailable("It took too long")) }
        let work = Task {
            do {
                try await connect(giving: message, on: loop, within: limit, answer)
            } catch {
                answer.fail(error as? SMTPError ?? .unavailable("The mail server can't be reached: \(error)"))
            }
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        do {
            try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(SMTPError.unavailable("It was cancelled"))
            }
        } catch {
            throw error as? SMTPError ?? .unavailable("\(error)")
        }
    }

    /// Connects to the first address of the server that takes a connection; the rest happens there.
    private func connect(
        giving message: MailMessage?,
        on loop: any EventLoop,
        within limit: TimeAmount,
        _ answer: EventLoopPromise<Void>
    ) async throws {
        let addresses = try await addresses().prefix(Self.attempts)
        let tls = settings.security == .none ? nil : try await trust.context()
        var last: any Error = SMTPError.unavailable("There is no host of the name \(settings.host)")
        for address in addresses {
            try Task.checkCancellation()
            do {
                let target = try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: settings.port)
                let channel = try await ClientBootstrap(group: loop)
                    // safe: this is one of the addresses
                    .connectTimeout(.nanoseconds(limit.nanoseconds / Int64(addresses.count) / 2))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try setUp(channel, giving: message, tls, answer) }
                    }
                    .connect(to: target)
                    .get()
                // However it ends, by the time too; after success the goodbye closes it.
                answer.futureResult.whenFailure { _ in channel.close(promise: nil) }
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    private func addresses() async throws -> [HostAddress] {
        if let address = HostAddress(settings.host) { return [address] }
        return try await resolver.addresses(of: settings.host)
    }

    private func setUp(
        _ channel: any Channel,
        giving message: MailMessage?,
        _ tls: NIOSSLContext?,
        _ answer: EventLoopPromise<Void>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        // The certificate of an address names the address, which isn't sent along.
        let name = HostAddress(settings.host) == nil ? settings.host : nil
        let makeTLS: () throws -> NIOSSLClientHandler = {
            guard let tls else { throw SMTPError.unavailable("The settings ask for no encryption") }
            return try NIOSSLClientHandler(context: tls, serverHostname: name)
        }
        if settings.security == .implicit { try pipeline.addHandler(makeTLS()) }
        try pipeline.addHandler(OutboundMeter(limit: Self.replyBytes))
        let conversation = SMTPConversation(settings, as: self.name, giving: message)
        try pipeline.addHandler(SMTPExchange(conversation, giving: message, answer: answer, makeTLS: makeTLS))
    }
}

extension MailSettings {
    /// Asks the mail server whether it would take messages, and gives it none.
    ///
    /// - Parameter publicURL: The address of this server, by whose host it calls itself.
    /// - Returns: What keeps it from taking messages, or `nil` for nothing.
    package func problem(publicURL: String) async -> String? {
        do throws(SMTPError) {
            var client = SMTPClient(self, publicURL: publicURL)
            client.timeout = 10
            try await client.check()
            return nil
        } catch {
            return error.reason
        }
    }
}
