import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import WireJSON

/// Asks a server whether it is ready, whatever certificate it has.
package struct ReadinessProbe: Sendable {
    /// The answer of the probe.
    package struct ReadinessAnswer: Sendable, Equatable {
        /// The status of `/readyz`.
        package let status: Int
        /// The DER bytes of the certificate that it sent, or `nil` where it speaks plain HTTP.
        package let certificate: [UInt8]?
    }

    private static let patience = TimeAmount.seconds(5)
    private let place: Place

    private enum Place {
        case address(host: String, port: Int)
        case path(String)
    }

    /// Creates a probe of an address.
    package init(host: String, port: Int) { place = .address(host: host, port: port) }

    /// Creates a probe of a Unix socket.
    package init(path: String) { place = .path(path) }

    /// Asks by HTTP or HTTPS; returns `nil` where no answer comes within five seconds.
    package func answer(isEncrypted: Bool) async -> ReadinessAnswer? {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let status = loop.makePromise(of: Int?.self)
        let sent = Mutex<[UInt8]?>(nil)
        let keep: @Sendable ([UInt8]?) -> Void = { bytes in sent.withLock { $0 = bytes } }
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(Self.patience)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if isEncrypted { try pipeline.addHandler(Self.encryption(keep)) }
                    try pipeline.addHandler(StatusReader(status))
                }
            }
        guard let channel = try? await connect(bootstrap).get() else {
            status.succeed(nil)
            return nil
        }
        let timeout = loop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        defer {
            timeout.cancel()
            channel.close(promise: nil)
        }
        guard let status = try? await status.futureResult.get() else { return nil }
        return ReadinessAnswer(status: status, certificate: sent.withLock { $0 })
    }

    private func connect(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        switch place {
        case .address(let host, let port): bootstrap.connect(host: host, port: port)
        case .path(let path): bootstrap.connect(unixDomainSocketPath: path)
        }
    }

    /// Takes any certificate, and says which it was.
    private static func encryption(_ keep: @escaping @Sendable ([UInt8]?) -> Void) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        return try NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: nil) {
            certificates,
            verdict in
            keep(try? certificates.first?.toDERBytes())
            verdict.succeed(.certificateVerified)
        }
    }
}

/// Sends the request, and reads the beginning of the answer: `HTTP/1.1 200`.
private final class StatusReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private let status: EventLoopPromise<Int?>
    private var line = ByteBuffer()

    init(_ status: EventLoopPromise<Int?>) { self.status = status }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        line.writeImmutableBuffer(unwrapInboundIn(data))
        guard let start = line.getString(at: line.readerIndex, length: 12) else { return }
        let parts = start.split(at: " ", omittingEmptySubsequences: false)
        status.succeed(parts.count == 2 && parts[0].hasPrefix("HTTP/") ? Int(parts[1]) : nil)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // Whoever has an answer has it by now.
    func channelInactive(context: ChannelHandlerContext) { status.succeed(nil) }
}
