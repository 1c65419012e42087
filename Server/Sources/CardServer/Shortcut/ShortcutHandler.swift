import Foundation
import NIOCore
import NIOHTTP1

/// Holds back a request that its shortcut may answer until the request is complete, and then answers it or lets it go on.
///
/// A shortcut is only taken while the application owes the connection no answer, so answers keep the order of their
/// requests. The handler also closes idle connections, since it alone sees all of the requests.
final class ShortcutHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    fileprivate struct Held {
        let head: HTTPRequestHead
        var request: ShortcutRequest
        var body: ByteBuffer?
    }

    private let shortcut: any Shortcut
    private var memory = ShortcutMemory()
    private var held: Held?
    /// How many requests the application has still to answer.
    private var pending = 0
    private var isReadingRequest = false
    /// Whether the server is ending, so that the connection closes after the request that is being read.
    private var isQuiescing = false
    private var date = ResponseDate()
    private let peer: ConnectionPeer
    private let entry: ConnectionTable.Entry

    init(shortcut: any Shortcut, peer: ConnectionPeer, entry: ConnectionTable.Entry) {
        self.shortcut = shortcut
        self.peer = peer
        self.entry = entry
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReadingRequest = true
            entry.becomeBusy()
            if pending == 0, shortcut.covers(head.method, head.uri), let request = ShortcutRequest(head) {
                held = Held(head: head, request: request)
            } else {
                pending += 1
                context.fireChannelRead(data)
            }
        case .body(let part):
            guard held != nil else { return context.fireChannelRead(data) }
            held?.append(part)
        case .end:
            isReadingRequest = false
            guard let request = held else { return context.fireChannelRead(data) }
            held = nil
            answer(request, data, context)
        }
    }

    private func answer(_ held: Held, _ end: NIOAny, _ context: ChannelHandlerContext) {
        let body = held.body ?? ByteBuffer()
        var held = held
        held.request.client = peer.client(of: held.head.headers)
        guard let reply = shortcut.answer(held.request, body, &memory) else {
            pending += 1
            context.fireChannelRead(wrapInboundOut(.head(held.head)))
            if let body = held.body { context.fireChannelRead(wrapInboundOut(.body(body))) }
            context.fireChannelRead(end)
            if isQuiescing { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
            return
        }
        write(reply, context)
        entry.becomeIdle(at: context.eventLoop.now)
        if isQuiescing { context.close(promise: nil) }
    }

    private func write(_ reply: ShortcutReply, _ context: ChannelHandlerContext) {
        let json = reply.json
        var headers = HTTPHeaders()
        headers.reserveCapacity(7)
        headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "Content-Length", value: String(json.count))
        headers.add(name: "Date", value: date.text)
        headers.add(name: "Server", value: PlacardServer.name)
        if let seconds = reply.retryAfter { headers.add(name: "Retry-After", value: String(seconds)) }
        if isQuiescing { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = context.channel.allocator.buffer(bytes: json)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            pending -= 1
            if pending == 0 { entry.becomeIdle(at: context.eventLoop.now) }
        }
        context.write(data, promise: promise)
    }

    // MARK: Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent where held != nil:
            isQuiescing = true
        case is ConnectionEvictionEvent:
            if pending == 0, held == nil { context.close(promise: nil) }
        case IdleStateHandler.IdleStateEvent.read:
            // An answer that is being written, such as a live stream, is not idle.
            if isReadingRequest || pending == 0 { context.close(promise: nil) }
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }
}

extension ShortcutHandler.Held {
    fileprivate mutating func append(_ part: ByteBuffer) {
        if body == nil { body = part } else { body?.writeImmutableBuffer(part) }
    }
}

/// The `Date` header, made once a second.
private struct ResponseDate {
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
