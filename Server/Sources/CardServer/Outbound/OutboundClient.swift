import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Asks hosts that others name: administrators, and templates with what users say of themselves.
///
/// A name is resolved once, every address is checked, and the connection goes to one of those, so a name that has other
/// addresses a moment later leads nowhere else; certificates are checked for the name. Redirects are not followed,
/// nothing is decompressed, and the time counts from the beginning to the last byte.
struct OutboundClient: Sendable {
    /// The maximum number of addresses of a host that are tried.
    private static let attempts = 3
    /// The maximum number of bytes that come before the body, and of those that its framing takes beside it.
    private static let overhead = 64 << 10

    /// Whether addresses of private networks and of this machine may be asked.
    let allowsPrivateHosts: Bool
    var resolver: any HostResolving = SystemResolver.shared
    var trust = OutboundTrust()
    var load = WorkLimit(512)
    var group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    /// Traces requests that belong to something that is traced, or `nil` where nothing is.
    var tracer: Tracer?

    /// Asks once.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - timeout: How long all of it may take, in seconds, from looking up the name to the last byte.
    ///   - bodyLimit: How many bytes the body of the answer may have.
    /// - Returns: The answer, with whatever status.
    /// - Throws: `OutboundError`.
    func send(_ request: OutboundRequest, timeout: Double, bodyLimit: Int) async throws -> OutboundResponse {
        guard let tracer, let parent = ActiveSpan.current else {
            return try await exchange(request, timeout: timeout, bodyLimit: bodyLimit)
        }
        let span = tracer.begin(.client, request, partOf: parent)
        return try await tracer.run(span) {
            let traced = tracer.propagates ? request.told(of: span) : request
            let response = try await exchange(traced, timeout: timeout, bodyLimit: bodyLimit)
            span.set(response)
            return response
        }
    }

    private func exchange(
        _ request: OutboundRequest,
        timeout: Double,
        bodyLimit: Int
    ) async throws -> OutboundResponse {
        guard load.begin() else { throw OutboundError.busy("Too many requests are in flight") }
        defer { load.end() }
        let loop = group.next()
        let answer = loop.makePromise(of: OutboundResponse.self)
        // safe: an hour at most
        let limit = TimeAmount.milliseconds(Int64(min(max(timeout, 0.001), 3_600) * 1_000))
        let timer = loop.scheduleTask(in: limit) { answer.fail(OutboundError.unreachable("It took too long")) }
        let attempt = OutboundAttempt(request: request, bodyLimit: bodyLimit, limit: limit, answer: answer)
        let work = Task {
            do {
                try await connect(attempt, on: loop)
            } catch let error as OutboundError {
                answer.fail(error)
            } catch {
                answer.fail(OutboundError.unreachable("\(error)"))
            }
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(OutboundError.unreachable("It was cancelled"))
        }
    }

    /// Connects to the first address of the host that takes a connection; the rest happens there.
    private func connect(_ attempt: OutboundAttempt, on loop: any EventLoop) async throws {
        let url = attempt.request.url
        guard !url.hasForeignPort else { throw OutboundError.unreachable("The port is another protocol's") }
        let addresses = try await addresses(of: url.host).prefix(Self.attempts)
        let tls = url.isSecure ? try await trust.context() : nil
        var last: any Error = OutboundError.unreachable("There is no such host")
        for address in addresses {
            try Task.checkCancellation()
            do {
                let target = try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: url.port)
                let channel = try await ClientBootstrap(group: loop)
                    // safe: this is one of the addresses
                    .connectTimeout(.nanoseconds(attempt.limit.nanoseconds / Int64(addresses.count)))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try Self.setUp(channel, attempt, tls) }
                    }
                    .connect(to: target)
                    .get()
                // However it ends, by the time too.
                attempt.answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    private static func setUp(_ channel: any Channel, _ attempt: OutboundAttempt, _ tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            let host = attempt.request.url.host
            // The certificate of an address names the address, which isn't sent along.
            let name = HostAddress(host) == nil ? host : nil
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        // safe: a limit of ours, of megabytes
        try pipeline.addHandler(OutboundMeter(limit: overhead + 2 * attempt.bodyLimit))
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 100
        try pipeline.addHTTPClientHandlers(decoderLimitConfiguration: limits)
        try pipeline.addHandler(OutboundExchange(attempt))
    }

    /// The addresses of a host, each of which may be asked.
    private func addresses(of host: String) async throws -> [HostAddress] {
        let addresses: [HostAddress]
        if let address = HostAddress(host) {
            addresses = [address]
        } else {
            addresses = try await resolver.addresses(of: host)
        }
        guard allowsPrivateHosts || addresses.allSatisfy(\.isPublic) else {
            throw OutboundError.unreachable("An address of the host is private or of a special purpose")
        }
        return addresses
    }
}

/// One request and where its answer goes.
struct OutboundAttempt: Sendable {
    let request: OutboundRequest
    let bodyLimit: Int
    /// The time for all of it.
    let limit: TimeAmount
    let answer: EventLoopPromise<OutboundResponse>
}
