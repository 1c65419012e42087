/// The attributes of spans of HTTP, by OpenTelemetry's semantic conventions.
///
/// None has a path, a query, a header or a body: these may have ids of users and secrets.
enum HTTPAttribute {
    static let method = "http.request.method"
    static let route = "http.route"
    static let status = "http.response.status_code"
    static let scheme = "url.scheme"
    static let host = "server.address"
    static let port = "server.port"
    static let requestID = "placard.request_id"

    /// The name that stands for methods of which there could be any number.
    static let otherMethod = "_OTHER"

    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    /// Returns a method as conventions name it.
    static func method(_ name: String) -> String { methods.contains(name) ? name : otherMethod }
}

/// The answer to a request, as its span tells it.
struct TracedAnswer {
    let method: String
    /// The path with the names of its variables, or `nil` where there is no such route.
    let route: String?
    let isSecure: Bool
    let status: Int
    let requestID: String?

    /// The name of the span: few of them, so that they can be grouped.
    var name: String {
        let word = method == HTTPAttribute.otherMethod ? "HTTP" : method
        return route.map { "\(word) \($0)" } ?? word
    }

    var attributes: [(name: String, value: TraceSpan.SpanValue)] {
        var attributes: [(name: String, value: TraceSpan.SpanValue)] = [
            (HTTPAttribute.method, .text(method)), (HTTPAttribute.scheme, .text(isSecure ? "https" : "http")),
            (HTTPAttribute.status, .number(status)),
        ]
        if let route { attributes.append((HTTPAttribute.route, .text(route))) }
        if let requestID { attributes.append((HTTPAttribute.requestID, .text(requestID))) }
        if isFailure { attributes.append(("error.type", .text("\(status)"))) }
        return attributes
    }

    /// Whether the server is to blame.
    var isFailure: Bool { status >= 500 }
}

extension TraceSpan {
    mutating func set(_ answer: TracedAnswer) {
        name = answer.name
        attributes += answer.attributes
        isFailure = answer.isFailure
    }
}

extension ActiveSpan {
    func set(_ answer: TracedAnswer) { change { $0.set(answer) } }
}

extension Tracer.Origin {
    /// Reads the headers of a request.
    ///
    /// - Parameters:
    ///   - parents: The values of `traceparent`, of which there has to be one.
    ///   - traceState: Returns the values of `tracestate`.
    ///   - isTrusted: Returns whether the word of whoever sent them counts.
    init(_ parents: [String], traceState: () -> [String], isTrusted: () -> Bool) {
        guard parents.count == 1, let parent = TraceParent(parents[0]) else {
            self = .none
            return
        }
        self = isTrusted() ? .trusted(parent, TraceState(traceState())) : .foreign(parent)
    }
}
