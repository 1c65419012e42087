import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// What an operator's tools ask: is it alive, is it ready, what has it counted, what does it speak.
struct OperationsController: Sendable {
    let services: Services
    /// The OpenAPI document, written once.
    let document: JSONWriter

    /// The process answers.
    @Sendable func health(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: ["status": "ok"])
    }

    /// The store can be read and written, so traffic may come.
    @Sendable func ready(_ request: Request, _ context: AppContext) async throws -> Response {
        do {
            try await services.store.checkHealth()
        } catch {
            services.logger.warning("Not ready", metadata: ["error": "\(error)"])
            throw RequestError.unavailable
        }
        return Response(json: ["status": "ready"])
    }

    @Sendable func metrics(_ request: Request, _ context: AppContext) async throws -> Response {
        let text = services.metrics.text(
            connections: services.connections.count,
            liveStreams: services.hub.count,
            generation: services.catalog.current.catalog.generation,
            limiter: services.deviceLimiter
        )
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    @Sendable func openAPI(_ request: Request, _ context: AppContext) async throws -> Response {
        var response = Response(json: document)
        // People read it in a browser.
        response.headers[.contentDisposition] = "inline; filename=\"openapi.json\""
        return response
    }
}
