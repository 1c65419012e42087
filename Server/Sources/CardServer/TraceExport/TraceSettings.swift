/// The collector that spans are sent to, by OTLP over HTTP, and the requests that are traced.
public struct TraceSettings: Sendable {
    /// The URL that takes spans, such as `http://127.0.0.1:4318/v1/traces`.
    let endpoint: OutboundURL
    /// Headers of each request, such as the key of a service.
    public var headers: [String: String] = [:]
    /// The time for a request, in seconds.
    public var timeout = 10.0
    /// The time for sending what is left where the server stops, in seconds.
    package var flushSeconds = 3.0
    /// The sampler that chooses the requests to trace; all by default.
    public var sampler = TraceSampler(ratio: 1)
    /// The name of the server.
    public var service = "placard"
    /// The other attributes of the server, by name.
    public var resource: [String: String] = [:]
    /// Whether hosts that the server asks, and the webhook's receiver, are told of the span, in `traceparent`.
    public var propagates = false
    /// Whether `traceparent` counts on every request that comes from a trusted proxy.
    public var trustsProxies = false
    /// A file of certificates that are trusted in place of the system's, as PEM, or `nil` for the system's.
    public var trustedCertificates: String?

    /// Creates settings, or returns `nil` where the text isn't a URL of http or https.
    public init?(endpoint: String) {
        guard let url = OutboundURL(endpoint) else { return nil }
        self.endpoint = url
    }

    /// Returns whether a header can be sent: a name and a value that HTTP allows, and that isn't one of those that say
    /// how a message is framed.
    public static func isHeader(_ name: String, _ value: String) -> Bool { ContentFetch.isHeader(name, value) }
}
