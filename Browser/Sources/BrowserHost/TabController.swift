import BrowserUIKit
import Hummingbird
import ServiceLifecycle

/// Answers the requests of pages.
struct TabController: Sendable {
    let tabs: Tabs
    let page: Page

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/") { _, _ in page.response }
        router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
        router.get("/app.js") { _, _ in Page.response(page.script, "text/javascript; charset=utf-8") }
        router.get("/app.css") { _, _ in Page.response(page.style, "text/css; charset=utf-8") }
        router.get("/tabs/{id}/stream", use: stream)
        router.post("/tabs/{id}/events", use: receive)
        router.get("/tabs/{id}/image/{name}", use: image)
        return router
    }

    private func id(_ context: BasicRequestContext) throws -> String {
        let id = try context.parameters.require("id")
        guard (16...64).contains(id.utf8.count) else { throw HTTPError(.badRequest) }
        return id
    }

    /// The name by which a page tells itself from others of its tab.
    private func pageID(of request: Request) -> String? { request.uri.queryParameters["page"].map(String.init) }

    @Sendable
    private func stream(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = try id(context)
        let text = request.uri.queryParameters["environment"].map(String.init) ?? "{}"
        guard let environment = try? JSONDecoder().decode(BrowserEnvironment.self, from: Data(text.utf8)) else {
            throw HTTPError(.badRequest)
        }
        guard let connection = await tabs.connect(id, environment, page: pageID(of: request)) else {
            throw HTTPError(.serviceUnavailable)
        }
        let body = ResponseBody { writer in
            try? await write(connection, request.body, &writer)
            await tabs.disconnect(id, connection.number)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: body
        )
    }

    /// Without the handler for a closed peer, a page that goes away would keep its connection for ever.
    private func write(
        _ connection: Tab.Connection,
        _ body: RequestBody,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        try await body.consumeWithInboundCloseHandler { _ in
            for await message in connection.messages.cancelOnGracefulShutdown() {
                var buffer = ByteBuffer(string: "data: ")
                buffer.writeBytes(message)
                buffer.writeString("\n\n")
                try await writer.write(buffer)
            }
        } onInboundClosed: {
            connection.sink.finish()
        }
    }

    @Sendable
    private func receive(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = try id(context)
        let body = try await request.body.collect(upTo: 256 * 1_024)
        let isUnderstood = await tabs.receive(id, Data(buffer: body), from: pageID(of: request))
        return Response(status: isUnderstood ? .noContent : .notFound)
    }

    @Sendable
    private func image(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = try id(context)
        let name = try context.parameters.require("name")
        guard let image = await tabs.image(id, named: name) else { throw HTTPError(.notFound) }
        return Page.response(ByteBuffer(bytes: image.bytes), image.mediaType, caching: "private, max-age=31536000")
    }
}
