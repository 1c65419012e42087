import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A connection whose commonest requests are answered on its event loop, and the others by the application.
///
/// Going through the application costs a request two task switches and several copies of its headers: more than the
/// answer itself where a device is told that nothing has changed.
struct ShortcutChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let shortcut: any Shortcut
    let table: ConnectionTable
    /// How long a connection may stay open without a request, or a request without its next part.
    let idleTimeout: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = ConnectionPeer(channel, shortcut.proxies)
        let entry = ConnectionTable.Entry(peer.connectionKey, at: channel.eventLoop.now) { [weak channel] in
            guard let channel else { return }
            channel.eventLoop.execute {
                channel.pipeline.fireUserInboundEventTriggered(ConnectionEvictionEvent())
            }
        }
        guard table.add(entry) else { return refuse(channel) }
        channel.closeFuture.whenComplete { [table] _ in table.remove(entry) }
        return channel.eventLoop.makeCompletedFuture { try setUp(channel, peer, entry, logger) }
    }

    private func setUp(
        _ channel: any Channel,
        _ peer: ConnectionPeer,
        _ entry: ConnectionTable.Entry,
        _ logger: Logger
    ) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        // The application answers one request of a connection after the other, and reports errors, by itself.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: .placard
        )
        try pipeline.addHandler(IdleStateHandler(readTimeout: idleTimeout))
        try pipeline.addHandler(ShortcutHandler(shortcut: shortcut, peer: peer, entry: entry))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: NIOAsyncChannel.Configuration(isOutboundHalfClosureEnabled: true)
        )
    }

    /// Tells a client for whose connection there is no room when to come back, as far as it listens.
    private func refuse(_ channel: any Channel) -> EventLoopFuture<Value> {
        let answer =
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        channel.writeAndFlush(ByteBuffer(string: answer)).whenComplete { _ in channel.close(promise: nil) }
        return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

extension NIOHTTPDecoderLimitConfiguration {
    /// As large as a request's head may be: room for a token and for what proxies and browsers add.
    fileprivate static var placard: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with a shortcut.
    static func http1(shortcut: any Shortcut, table: ConnectionTable, idleTimeout: TimeAmount) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            ShortcutChannel(responder: responder, shortcut: shortcut, table: table, idleTimeout: idleTimeout)
        }
    }
}
