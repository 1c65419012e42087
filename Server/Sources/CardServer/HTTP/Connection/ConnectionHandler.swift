import NIOCore
import NIOHTTP1

/// Guards one connection: passes one request after the other on to the application, each within its time and size, and
/// answers what is no request.
///
/// At most one request is with the application; those that were sent ahead wait here, and while any waits nothing more
/// is read. So answers keep the order of their requests, and nobody fills the memory by sending faster than they are
/// answered.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum number of requests that a client can send ahead.
    static let pipelineDepth = 1_024

    let services: ConnectionServices
    let peer: ConnectionPeer
    let entry: ConnectionTable.Entry
    var timer: ConnectionTimer
    var exchange: Exchange?
    /// The parts of requests that were sent ahead, with next to no room until there are some: most connections, such as
    /// those of live streams, never have any.
    var waiting = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 2)
    private var waitingHeads = 0
    /// The error that is sent once the requests before it are answered.
    private var refusal: RequestError?
    private var isFeeding = false
    /// Whether a read was asked for while nothing was to be read.
    private var wantsRead = false
    /// Whether the client sends nothing more, which the application is told when it has what was sent ahead.
    private var hasInputEnded = false
    /// Whether the client sends nothing more.
    private(set) var isInputClosed = false
    /// Whether the last answer has left the process's memory.
    var hasWrittenLast = false
    /// Whether the connection closes after the answer that is due.
    var isClosing = false
    /// Whether all that still comes is thrown away.
    var isDiscarding = false
    /// The bytes that were to be written so far.
    var writtenBytes = 0
    /// The write that is done before the next request begins, where the client might not be reading.
    var lastWrite: EventLoopFuture<Void>?
    /// The bytes of answers that the client hasn't read, as far as they are counted in the budget.
    var countedUnread = 0
    /// The place in the pipeline where bytes go out, past the encoder.
    var bytes: ChannelHandlerContext?
    /// The handler's own place.
    private(set) var place: ChannelHandlerContext?
    var nextLook: Scheduled<Void>?
    var nextLookAt = NIODeadline.distantFuture

    init(_ services: ConnectionServices, _ peer: ConnectionPeer, _ entry: ConnectionTable.Entry, at now: NIODeadline) {
        self.services = services
        self.peer = peer
        self.entry = entry
        timer = ConnectionTimer(services.times, at: now.seconds)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        place = context
        lookAgain(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { place = nil }

    func channelInactive(context: ChannelHandlerContext) {
        nextLook?.cancel()
        forgetExchange()
        giveBackUnread()
        context.fireChannelInactive()
    }

    // MARK: Requests

    /// Counts bytes that have come, and returns whether they are to be parsed.
    func received(_ bytes: Int, at now: NIODeadline) -> Bool {
        timer.received(bytes, at: now.seconds)
        return !isDiscarding
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding, refusal == nil else { return }
        let part = unwrapInboundIn(data)
        guard isFree else { return wait(with: part) }
        take(part, context)
    }

    /// Whether a part that comes now is for the application to have.
    private var isFree: Bool { exchange?.isComplete != true && waiting.isEmpty }

    private func wait(with part: HTTPServerRequestPart) {
        if case .head = part { waitingHeads += 1 }
        guard waitingHeads <= Self.pipelineDepth else {
            refusal = .malformed("Too many requests were sent ahead. Wait for answers.")
            return
        }
        waiting.append(part)
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            guard let exchange, !exchange.isAbandoned else { return }
            // safe: bytes that have arrived
            self.exchange?.bodyBytes += bytes.readableBytes
            if let error = makeRoom() { return abandon(error, context) }
            context.fireChannelRead(wrapInboundOut(part))
        case .end:
            guard let exchange else { return }
            self.exchange?.isComplete = true
            timer.requestEnded()
            if !exchange.isAbandoned { context.fireChannelRead(wrapInboundOut(part)) }
            if exchange.isAnswerComplete { endExchangeOnceRead(context) }
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        timer.headEnded(at: context.eventLoop.now.seconds)
        entry.becomeBusy()
        let check = RequestHeadCheck(head)
        if let refusal = check.refusal { return refuse(refusal, of: head, context) }
        exchange = Exchange(head, check)
        var error: RequestReadError?
        if check.hasBody {
            exchange?.client = peer.client(of: head.headers).key
            error = reserveRoom()
            if error == nil, check.expectsContinue, head.version == .http1_1 { writeContinue(context) }
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if let error { abandon(error, context) }
    }

    /// Ends the exchange, and lets the requests follow that were sent ahead.
    func endExchange(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        forgetExchange()
        entry.becomeIdle(at: now)
        timer.exchangeEnded(at: now.seconds)
        feed(context)
        guard wantsRead, isFree else { return }
        wantsRead = false
        context.read()
    }

    private func feed(_ context: ChannelHandlerContext) {
        guard !isFeeding else { return }
        isFeeding = true
        let hasParts = !waiting.isEmpty
        while exchange?.isComplete != true, !isDiscarding, let part = waiting.popFirst() {
            if case .head = part { waitingHeads -= 1 }
            take(part, context)
        }
        isFeeding = false
        // What reads the parts gets them when it is told that there are no more for now.
        if hasParts { context.fireChannelReadComplete() }
        endInput(context)
        guard exchange == nil, !isDiscarding else { return }
        if let refusal {
            refuse(refusal, context)
        } else if isClosing {
            close(context, isRequestComplete: true)
        }
    }

    /// Tells the application that nothing more comes, once it has what came.
    private func endInput(_ context: ChannelHandlerContext) {
        guard hasInputEnded, waiting.isEmpty else { return }
        (isClosing, hasInputEnded) = (true, false)
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    // MARK: Bodies

    /// Keeps room for a body whose length is said, or says that there is none.
    private func reserveRoom() -> RequestReadError? {
        guard let exchange, exchange.expectedBytes > 0 else { return nil }
        do throws(BodyBudget.BodyError) {
            try services.bodies.reserve(exchange.expectedBytes, for: exchange.client)
            self.exchange?.reservedBytes = exchange.expectedBytes
            return nil
        } catch {
            return .noRoom(error)
        }
    }

    /// Counts what is new of a body, or says that there is no room for it.
    private func makeRoom() -> RequestReadError? {
        guard let exchange, exchange.bodyBytes > BodyBudget.free else { return nil }
        // safe: counted bytes have arrived
        let more = exchange.heldBytes - exchange.countedBytes
        do throws(BodyBudget.BodyError) {
            try services.bodies.take(more, for: exchange.client, isReserved: exchange.reservedBytes > 0)
            // safe: at most the bytes that have arrived
            self.exchange?.countedBytes += more
            return nil
        } catch {
            return .noRoom(error)
        }
    }

    /// Gives up on the rest of a request, and tells the application, which then answers.
    func abandon(_ error: RequestReadError, _ context: ChannelHandlerContext) {
        guard let exchange, !exchange.isComplete, !exchange.isAbandoned else { return }
        self.exchange?.isAbandoned = true
        isClosing = true
        if exchange.isAnswerComplete {
            close(context, isRequestComplete: false)
        } else {
            context.fireErrorCaught(error)
        }
    }

    func forgetExchange() {
        if let exchange, exchange.countedBytes > 0 || exchange.reservedBytes > 0 {
            services.bodies.giveBack(
                exchange.countedBytes,
                reserved: exchange.reservedBytes,
                of: exchange.client
            )
        }
        exchange = nil
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        guard isFree || isDiscarding else {
            wantsRead = true
            return
        }
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if timer.isReading { lookAgain(context) }
        context.fireChannelReadComplete()
        // The application, which reads no more, would hold it up.
        if isDiscarding { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDiscarding else { return }
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let refusal = RequestError(parsing: error)
        if let exchange, !exchange.isComplete { return abandon(.malformed(refusal), context) }
        self.refusal = self.refusal ?? refusal
        feed(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isClosing = true
            timer.serverStops(at: context.eventLoop.now.seconds)
            lookAgain(context)
        case is ServerStopEvent: stop(context)
        case is ConnectionEvictionEvent:
            // Where it only waits for the rest of a request that was refused, the client has its answer.
            if exchange == nil, waiting.isEmpty, !isDiscarding || entry.isIdle { context.close(promise: nil) }
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if isDiscarding {
                // Otherwise the connection closes once the last answer is written.
                if hasWrittenLast { context.close(promise: nil) }
                return
            }
            guard exchange != nil || !waiting.isEmpty else { return close(context, isRequestComplete: true) }
            hasInputEnded = true
            endInput(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

extension NIODeadline {
    /// Seconds of uptime.
    var seconds: Double { Double(uptimeNanoseconds) / 1e9 }
}
