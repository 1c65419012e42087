import Hummingbird
import Logging
import NIOCore

/// The HTTP stack with nothing behind it: a constant reply of 2 KB.
///
/// What the server reaches can be no more than this.
@main
struct Hello {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 2048)
        let responder = CallbackResponder { (_: Request, _: BasicRequestContext) in
            Response(status: .ok, headers: [.contentType: "text/plain"], body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "hello")
        logger.logLevel = .warning
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        try await application.runService()
    }
}
