import NIOCore
import NIOSSL

/// Leads a conversation with a mail server on its connection.
final class SMTPExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var conversation: SMTPConversation
    private var reader = SMTPReplyReader()
    private let message: MailMessage?
    /// Makes what encrypts the connection, once it is asked to.
    private let makeTLS: () throws -> NIOSSLClientHandler
    private let answer: EventLoopPromise<Void>
    private var isOver = false

    init(
        _ conversation: SMTPConversation,
        giving message: MailMessage?,
        answer: EventLoopPromise<Void>,
        makeTLS: @escaping () throws -> NIOSSLClientHandler
    ) {
        self.conversation = conversation
        self.message = message
        self.answer = answer
        self.makeTLS = makeTLS
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        do throws(SMTPError) {
            while !isOver, let byte = buffer.readInteger(as: UInt8.self) {
                guard let reply = try reader.read(byte) else { continue }
                try perform(try conversation.receive(reply), rest: buffer.readableBytes, context)
            }
        } catch {
            fail(error, context)
        }
    }

    private func perform(
        _ action: SMTPConversation.Action,
        rest: Int,
        _ context: ChannelHandlerContext
    ) throws(SMTPError) {
        switch action {
        case .send(let command): write(Array("\(command)\r\n".utf8), context)
        case .sendMessage: write(message?.transmitted ?? [], context)
        case .encrypt:
            // What came in clear text isn't taken for something that the server says behind the encryption.
            guard rest == 0, reader.isEmpty else { throw .unavailable("The mail server spoke before the encryption") }
            try encrypt(context)
        case .quit:
            isOver = true
            answer.succeed()
            // That it was heard makes no difference.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "QUIT\r\n"))).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
        }
    }

    private func encrypt(_ context: ChannelHandlerContext) throws(SMTPError) {
        do {
            try context.pipeline.syncOperations.addHandler(makeTLS(), position: .first)
        } catch {
            throw .unavailable("The connection can't be encrypted: \(error)")
        }
        try perform(conversation.encrypted(), rest: 0, context)
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func fail(_ failure: SMTPError, _ context: ChannelHandlerContext) {
        isOver = true
        answer.fail(failure)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let failure as SMTPError: fail(failure, context)
        case is OutboundError: fail(.unavailable("The mail server says too much"), context)
        default: fail(.unavailable("The connection failed: \(error)"), context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(SMTPError.unavailable("The mail server closed the connection"))
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension SMTPExchange: Sendable {}
