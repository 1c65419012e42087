import NIOHTTP1

extension Tracer {
    /// Begins the span of a request to another program: its method and host, and nothing of its path, which may be
    /// secret.
    func begin(_ kind: TraceSpan.SpanKind, _ request: OutboundRequest, partOf parent: ActiveSpan) -> ActiveSpan {
        let method = HTTPAttribute.method(request.method.rawValue)
        let span = begin(kind, name: method, partOf: parent)
        span.add(HTTPAttribute.method, .text(method))
        span.add(HTTPAttribute.host, .text(request.url.host))
        span.add(HTTPAttribute.port, .number(request.url.port))
        span.add(HTTPAttribute.scheme, .text(request.url.isSecure ? "https" : "http"))
        return span
    }
}

extension ActiveSpan {
    /// Notes what another program has answered.
    func set(_ response: OutboundResponse) {
        add(HTTPAttribute.status, .number(response.status))
        if response.status >= 400 { fail("\(response.status)") }
    }
}

extension OutboundRequest {
    /// The same request with the headers of W3C Trace Context, unless it has its own.
    func told(of span: ActiveSpan) -> OutboundRequest {
        guard !headers.keys.contains(where: { $0.lowercased() == "traceparent" }) else { return self }
        var told = self
        told.headers = headers.filter { $0.key.lowercased() != "tracestate" }
        told.headers["traceparent"] = span.header.text
        told.headers["tracestate"] = span.traceState?.text
        return told
    }
}
