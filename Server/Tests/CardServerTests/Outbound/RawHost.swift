import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A host on the loopback interface that sends the same bytes to every client, and counts its connections.
final class RawHost: Sendable {
    /// What the host sends, and how the connection goes on.
    struct Script: Sendable {
        /// What it sends when the client has sent something.
        var answer: String
        /// Whether it closes the connection after the answer.
        var closes = false
        /// What it sends after the answer again and again, for as long as the client listens.
        var refrain: String?
        /// How long it waits between two of those, in milliseconds.
        var pause: Int64 = 0
    }

    private struct State {
        var connections = 0
        var open = 0
        var received = ""
        var waiting: [(condition: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// How many connections there were.
    var connections: Int { state.withLock { $0.connections } }
    /// What the clients sent.
    var received: String { state.withLock { $0.received } }

    /// Waits until a client has sent something.
    func heard() async { await wait { !$0.received.isEmpty } }

    /// Waits until clients have connected, and none of them still is.
    func deserted() async { await wait { $0.connections > 0 && $0.open == 0 } }

    private func wait(for condition: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.waiting.append((condition, continuation)) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            body(&state)
            let waiting = state.waiting
            let ready = waiting.filter { $0.condition(state) }
            state.waiting = waiting.filter { !$0.condition(state) }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    fileprivate func connect() {
        change {
            $0.connections += 1
            $0.open += 1
        }
    }

    fileprivate func disconnect() { change { $0.open -= 1 } }
    fileprivate func receive(_ text: String) { change { $0.received += text } }

    /// Runs a host for as long as `body` takes; with an identity it speaks TLS.
    static func run(
        sending answer: String,
        identity: TestIdentity? = nil,
        _ body: (RawHost, _ port: Int) async throws -> Void
    ) async throws {
        try await run(Script(answer: answer), identity: identity, body)
    }

    /// Runs a host for as long as `body` takes; with an identity it speaks TLS.
    static func run(
        _ script: Script,
        identity: TestIdentity? = nil,
        _ body: (RawHost, _ port: Int) async throws -> Void
    ) async throws {
        let host = RawHost()
        let tls = try identity.map { try NIOSSLContext(configuration: $0.server) }
        try await LoopbackListener.run { pipeline in
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            try pipeline.addHandler(RawAnswer(host, script))
        } _: { port in
            try await body(host, port)
        }
    }

    /// A port of the loopback interface on which nothing listens.
    static func closedPort() async throws -> Int {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = listener.localAddress?.port ?? 0
        try await listener.close()
        return port
    }
}

private final class RawAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: RawHost
    private let script: RawHost.Script
    private var hasAnswered = false

    init(_ host: RawHost, _ script: RawHost.Script) {
        self.host = host
        self.script = script
    }

    func channelActive(context: ChannelHandlerContext) {
        host.connect()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        host.receive(String(buffer: unwrapInboundIn(data)))
        guard !hasAnswered else { return }
        hasAnswered = true
        write(script.answer, to: context.channel)
        if script.closes { context.close(promise: nil) }
        if let refrain = script.refrain { Self.repeat(refrain, every: script.pause, to: context.channel) }
    }

    private func write(_ text: String, to channel: any Channel) {
        guard !text.isEmpty else { return }
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Writes when the last has been taken, so that what the client doesn't read gathers nowhere.
    private static func `repeat`(_ text: String, every pause: Int64, to channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(string: text)).whenSuccess {
            channel.eventLoop.scheduleTask(in: .milliseconds(pause)) { `repeat`(text, every: pause, to: channel) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        host.disconnect()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
