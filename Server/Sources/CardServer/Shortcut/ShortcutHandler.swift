import Foundation
import NIOCore
import NIOHTTP1

/// Holds back a request that its shortcut may answer until the request is complete, and then answers it or lets it go
/// on.
///
/// One request comes after the other here: the connection's handler lets none through before the last one is answered.
/// While an answer is waited for, nothing but the end of what the client sends can come.
final class ShortcutHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    fileprivate struct Held {
        let head: HTTPRequestHead
        var request: ShortcutRequest
        var body: ByteBuffer?
    }

    private let shortcut: any Shortcut
    private let peer: ConnectionPeer
    /// The handler of the connection, which sends answers that are bytes already.
    private let connection: ConnectionHandler?
    private var memory = ShortcutMemory()
    private var held: Held?
    /// The complete request whose answer is waited for.
    private var pending: (request: Held, trailers: HTTPHeaders?)?
    /// Whether the client has sent its last while an answer was waited for: the application, which would close the
    /// connection then, is told of it after the answer.
    private var hasInputEnded = false
    private var date = ResponseDate()

    init(shortcut: any Shortcut, peer: ConnectionPeer, connection: ConnectionHandler? = nil) {
        self.shortcut = shortcut
        self.peer = peer
        self.connection = connection
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if shortcut.covers(head.method, head.uri), let request = ShortcutRequest(head) {
                held = Held(head: head, request: request)
            } else {
                context.fireChannelRead(data)
            }
        case .body(let part):
            guard held != nil else { return context.fireChannelRead(data) }
            held?.append(part)
        case .end(let trailers):
            guard let request = held else { return context.fireChannelRead(data) }
            held = nil
            end(request, trailers, context)
        }
    }

    private func end(_ held: Held, _ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        var held = held
        (held.request.client, held.request.isSecure) = peer.client(of: held.head.headers)
        held.request.isFromProxy = peer.isProxy
        let answer = shortcut.answer(held.request, held.body ?? ByteBuffer(), &memory, on: context.eventLoop)
        switch answer {
        case .reply(let reply): write(reply, to: held.request, context)
        case .application: passOn(held, trailers, context)
        case .later(let reply):
            pending = (held, trailers)
            reply.assumeIsolated().whenComplete { result in self.finish(try? result.get(), context) }
        }
    }

    /// Answers the request that has waited, or leaves it to the application.
    private func finish(_ reply: ShortcutReply?, _ context: ChannelHandlerContext) {
        // Nobody waits where the connection has been closed.
        guard let (request, trailers) = pending else { return }
        pending = nil
        if let reply {
            // The next request, if the client has sent it already, begins within this call.
            write(reply, to: request.request, context)
        } else {
            passOn(request, trailers, context)
            context.fireChannelReadComplete()
        }
        guard hasInputEnded else { return }
        hasInputEnded = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func passOn(_ request: Held, _ trailers: HTTPHeaders?, _ context: ChannelHandlerContext) {
        passOn(request, context)
        context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }

    private func passOn(_ request: Held, _ context: ChannelHandlerContext) {
        context.fireChannelRead(wrapInboundOut(.head(request.head)))
        if let body = request.body { context.fireChannelRead(wrapInboundOut(.body(body))) }
    }

    /// Leaves a request to the application of which the rest does not come.
    private func letGo(_ context: ChannelHandlerContext) {
        guard let request = held else { return }
        held = nil
        passOn(request, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        letGo(context)
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            letGo(context)
            if pending != nil {
                hasInputEnded = true
                return
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        pending = nil
        context.fireChannelInactive()
    }

    // MARK: Answers

    /// The headers of every answer.
    private static let headers: HTTPHeaders = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
        "X-Content-Type-Options": APIHeaders.noSniffing, "Content-Disposition": APIHeaders.attachment,
        "Server": PlacardServer.name,
    ]
    /// The same, as a client gets them.
    private static let headerLines = headers.map { "\($0): \($1)\r\n" }.joined()

    private func write(_ reply: ShortcutReply, to request: ShortcutRequest, _ context: ChannelHandlerContext) {
        // Of a large one, the bytes would be put together in vain.
        if let connection, reply.json.count < ConnectionHandler.waterMark.high,
            connection.send(bytes(of: reply, to: request, context))
        {
            return
        }
        var headers = Self.headers
        headers.add(name: "Content-Length", value: String(reply.json.count))
        headers.add(name: "Date", value: date.text)
        if let seconds = reply.retryAfter { headers.add(name: "Retry-After", value: String(seconds)) }
        if let id = request.requestID { headers.add(name: "X-Request-ID", value: id) }
        let head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = context.channel.allocator.buffer(bytes: reply.json)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// An answer as the client gets it.
    ///
    /// The ID of the request was found to be of letters, digits and few other signs.
    private func bytes(
        of reply: ShortcutReply,
        to request: ShortcutRequest,
        _ context: ChannelHandlerContext
    ) -> ByteBuffer {
        var buffer = context.channel.allocator.buffer(capacity: 512 + reply.json.count)
        if reply.status == .ok {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString("HTTP/1.1 \(reply.status.code) \(reply.status.reasonPhrase)\r\n")
        }
        buffer.writeString(Self.headerLines)
        buffer.writeStaticString("Content-Length: ")
        buffer.writeString(String(reply.json.count))
        buffer.writeStaticString("\r\nDate: ")
        buffer.writeString(date.text)
        if let seconds = reply.retryAfter { buffer.writeString("\r\nRetry-After: \(seconds)") }
        if let id = request.requestID {
            buffer.writeStaticString("\r\nX-Request-ID: ")
            buffer.writeString(id)
        }
        buffer.writeStaticString("\r\n\r\n")
        buffer.writeBytes(reply.json)
        return buffer
    }
}

extension ShortcutHandler.Held {
    fileprivate mutating func append(_ part: ByteBuffer) {
        if body == nil { body = part } else { body?.writeImmutableBuffer(part) }
    }
}

/// The `Date` header, made once a second.
struct ResponseDate {
    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )

    private var second = 0
    private var formatted = ""

    var text: String {
        mutating get {
            // safe: the clock of this machine
            let now = Int(Date().timeIntervalSince1970)
            if now != second {
                second = now
                formatted = Date(timeIntervalSince1970: Double(now)).formatted(Self.style)
            }
            return formatted
        }
    }
}

@available(*, unavailable)
extension ShortcutHandler: Sendable {}
