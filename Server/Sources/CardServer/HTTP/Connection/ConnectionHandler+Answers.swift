import NIOCore
import NIOHTTP1

// What goes to the client: the application's answers, and the handler's own.
extension ConnectionHandler {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // What nobody has asked for would be taken for the answer to the next request.
        guard let exchange, !exchange.isAnswerComplete, !isDiscarding else { return drop(promise) }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            guard !exchange.isAnswered else { return drop(promise) }
            // An informational answer is followed by another.
            guard head.status.code >= 200 else { return context.write(data, promise: promise) }
            self.exchange?.isAnswered = true
            // safe: bytes of one connection
            writtenBytes += 256
            let promise = exchange.isHead ? notingLastWrite(promise, context) : promise
            if let adapted = adapted(head, to: exchange) {
                context.write(wrapOutboundOut(.head(adapted)), promise: promise)
            } else {
                context.write(data, promise: promise)
            }
        case .body(let body):
            guard exchange.isAnswered, !exchange.isHead else { return drop(promise) }
            // safe: bytes of one connection
            writtenBytes += body.readableBytes
            context.write(data, promise: promise)
        case .end:
            guard exchange.isAnswered else { return drop(promise) }
            // To the encoder, the answer to a HEAD would be one that lacks its body.
            if exchange.isHead {
                drop(promise)
            } else {
                context.write(data, promise: notingLastWrite(promise, context))
            }
            end(exchange, context)
        }
    }

    /// Sends a whole answer of HTTP/1.1 that keeps the connection, and says how long its body is.
    ///
    /// It spares an answer of a few hundred bytes three ways through the pipeline and the encoder, which cost more than
    /// what it says.
    ///
    /// - Parameter answer: The head and the body, as the client gets them.
    /// - Returns: Whether it was sent; one that has to end the connection, or is large, has to go the ordinary way.
    func send(_ answer: ByteBuffer) -> Bool {
        guard let place, let bytes, let exchange, exchange.isComplete, exchange.isKeptAlive, !exchange.isHead,
            !exchange.isAnswered, !isClosing, !isDiscarding, answer.readableBytes <= Self.waterMark.high
        else { return false }
        self.exchange?.isAnswered = true
        // safe: bytes of one connection
        writtenBytes += answer.readableBytes
        let written = notingLastWrite(nil, place)
        bytes.write(NIOAny(answer), promise: written)
        // Whether the answer is more than the client may leave unread is known only now.
        if written == nil, let written = notingLastWrite(nil, place) {
            bytes.write(NIOAny(ByteBuffer()), promise: written)
        }
        end(exchange, place)
        flush(context: place)
        return true
    }

    private func drop(_ promise: EventLoopPromise<Void>?) { promise?.succeed() }

    /// The head of an answer as this client and this connection need it, or `nil` where it is as it should be.
    private func adapted(_ head: HTTPResponseHead, to exchange: Exchange) -> HTTPResponseHead? {
        if !exchange.isKeptAlive || !exchange.isNearlyComplete || !head.isKeepAlive { isClosing = true }
        guard isClosing else { return nil }
        var head = head
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // A client of HTTP/1.0 knows no chunks: the end of the connection is the end of the body.
        head.version = exchange.version
        return head
    }

    private func end(_ exchange: Exchange, _ context: ChannelHandlerContext) {
        self.exchange?.isAnswerComplete = true
        if isClosing {
            close(context, isRequestComplete: exchange.isComplete)
        } else if exchange.isComplete {
            endExchangeOnceRead(context)
        }
        // Otherwise the application reads the little that is left of the request.
    }

    // MARK: The handler's own

    /// Tells a client that waits for it to send the body.
    func writeContinue(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Answers what is no request that the application could have, and closes the connection.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - head: The head of the request, where it could be read.
    ///   - context: The handler's context.
    func refuse(_ error: RequestError, of head: HTTPRequestHead? = nil, _ context: ChannelHandlerContext) {
        var refusal = error.addressed(to: head?.uri)
        let id = RequestID.of(sent: head?.headers.first(name: "X-Request-ID"))
        refusal.requestID = id
        let page = Self.page(for: refusal, of: head)
        let body = page ?? refusal.json.bytes
        var headers: HTTPHeaders = [
            "Content-Type": page == nil ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
            "Cache-Control": "no-store", "X-Content-Type-Options": APIHeaders.noSniffing,
            "Content-Length": String(body.count), "Server": PlacardServer.name, "Connection": "close",
            "X-Request-ID": id,
        ]
        if page == nil {
            headers.add(name: "Content-Disposition", value: APIHeaders.attachment)
        } else {
            headers.add(name: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'")
        }
        if let seconds = refusal.retryAfter { headers.add(name: "Retry-After", value: String(seconds)) }
        let status = HTTPResponseStatus(statusCode: refusal.status.code)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        if head?.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.write(wrapOutboundOut(.end(nil)), promise: nil)
        }
        services.metrics.count(.other, status: refusal.status.code, seconds: 0)
        let noted = EarlyRefusal(
            reason: refusal.code,
            status: refusal.status.code,
            id: id,
            method: head?.method.rawValue,
            address: peer.address(of: head?.headers)
        )
        services.refusals.note(noted, at: context.eventLoop.now)
        close(context, isRequestComplete: false)
    }

    /// Returns the page that a browser shows of a form that is too large for any page, or `nil` where an application
    /// asks.
    ///
    /// The dashboard isn't asked for it: it never gets to see such a request.
    private static func page(for refusal: RequestError, of head: HTTPRequestHead?) -> [UInt8]? {
        guard refusal.code == RequestError.bodyTooLarge.code, let head, head.uri.utf8.starts(with: "/dashboard".utf8)
        else { return nil }
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>This form is too large</title>
            <h1>This form is too large</h1>
            <p>Nothing was saved. Go back, and shorten what you are editing or split it up.</p>
            <p lang="ja">フォームが大きすぎるため、保存されませんでした。戻って、内容を短くするか分割してください。</p>
            </html>
            """
        return Array(page.utf8)
    }

    // MARK: The end

    /// Closes the connection once the client has got the last answer.
    ///
    /// Closing a connection on which bytes wait to be read resets it, and the client may lose the answer. So where the
    /// request has not wholly arrived, the rest is read for a while and thrown away.
    func close(_ context: ChannelHandlerContext, isRequestComplete: Bool) {
        guard !isDiscarding else { return }
        (isClosing, isDiscarding) = (true, true)
        waiting.removeAll()
        forgetExchange()
        context.flush()
        countUnread(context)
        let isOver = isRequestComplete && !timer.isReading
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { result in
            self.hasWrittenLast = true
            if case .success = result, !isOver, !self.isInputClosed { return self.discardRest(context) }
            context.close(promise: nil)
        }
        if isInputClosed {
            // NIO would close both sides at once, and drop what waits to be written.
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
        } else {
            context.close(mode: .output, promise: written)
        }
        context.read()
    }

    /// Says of what hasn't wholly arrived that the server ended it: otherwise, its end looks like the client's mistake.
    func stop(_ context: ChannelHandlerContext) {
        guard !isDiscarding else { return }
        (isClosing, isDiscarding) = (true, true)
        waiting.removeAll()
        if let exchange {
            guard !exchange.isComplete, !exchange.isAbandoned, !exchange.isAnswerComplete else { return }
            self.exchange?.isAbandoned = true
            context.fireErrorCaught(RequestReadError.stopping)
        } else if timer.isReading {
            let noted = EarlyRefusal(
                reason: RequestError.stopping.code,
                id: RequestID.of(sent: nil),
                address: peer.address(of: nil)
            )
            services.refusals.note(noted, at: context.eventLoop.now)
        }
    }

    private func discardRest(_ context: ChannelHandlerContext) {
        timer.restBegan(at: context.eventLoop.now.seconds)
        lookAgain(context)
        context.read()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        // The application has no more to say on this connection.
        promise?.succeed()
        isClosing = true
        guard !isDiscarding else { return }
        guard let exchange, !exchange.isAnswerComplete else {
            return close(context, isRequestComplete: exchange?.isComplete ?? true)
        }
        context.close(promise: nil)
    }
}
