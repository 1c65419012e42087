import NIOCore
import NIOHTTP1
import WireJSON

/// Sends one request on its connection and reads the answer, as far as it may go.
final class OutboundExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: OutboundRequest
    private let bodyLimit: Int
    private let answer: EventLoopPromise<OutboundResponse>
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    /// Creates the exchange of a request.
    init(_ attempt: OutboundAttempt) {
        (request, bodyLimit, answer) = (attempt.request, attempt.bodyLimit, attempt.answer)
    }

    // MARK: The request

    func channelActive(context: ChannelHandlerContext) {
        let head = HTTPRequestHead(version: .http1_1, method: request.method, uri: request.url.target, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !request.body.isEmpty {
            let buffer = context.channel.allocator.buffer(bytes: request.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: request.url.authority)
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { headers.add(name: name, value: value) }
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: PlacardServer.name) }
        // What is compressed may be a thousand times as large as what was sent.
        headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        headers.replaceOrAdd(name: "Connection", value: "close")
        if !request.body.isEmpty || request.method != .GET {
            headers.replaceOrAdd(name: "Content-Length", value: String(request.body.count))
        }
        return headers
    }

    // MARK: The answer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): read(head, context)
        case .body(let part):
            guard request.wantsBody else { return }
            // safe: neither is negative
            guard part.readableBytes <= bodyLimit - body.count else { return fail(.tooLarge, context) }
            body.append(contentsOf: part.readableBytesView)
        case .end: succeed()
        }
    }

    private func read(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        self.head = head
        guard request.wantsBody else { return succeed() }
        let isPlain = head.headers[canonicalForm: "Content-Encoding"].allSatisfy { $0.lowercased() == "identity" }
        guard isPlain else { return fail(.unreachable("The answer is compressed"), context) }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        if length > bodyLimit { fail(.tooLarge, context) }
    }

    private func succeed() {
        guard let head else { return }
        let pause = head.headers.first(name: "Retry-After").flatMap(Double.init)
        let isPause = pause.map { $0.isFinite && $0 >= 0 } ?? false
        // safe: three digits
        let status = Int(head.status.code)
        var response = OutboundResponse(status: status, retryAfter: isPause ? pause : nil, body: body)
        response.mediaType = head.headers.first(name: "Content-Type")?.split(at: ";").first
            .map { $0.filter { !$0.isWhitespace }.lowercased() }
        response.contentLength = head.headers.first(name: "Content-Length").flatMap { Int($0) }.map { max(0, $0) }
        answer.succeed(response)
    }

    private func fail(_ failure: OutboundError, _ context: ChannelHandlerContext) {
        answer.fail(failure)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error as? OutboundError ?? .unreachable("\(error)"), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(OutboundError.unreachable("The connection ended before the answer"))
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension OutboundExchange: Sendable {}
