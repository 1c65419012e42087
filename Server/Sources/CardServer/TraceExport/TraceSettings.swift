/// Where spans are sent, by OTLP over HTTP, and which requests are traced.
public struct TraceSettings: Sendable {
    /// The URL that takes spans, such as `http://127.0.0.1:4318/v1/traces`.
    let endpoint: OutboundURL
    /// Headers of each request, such as the key of a service.
    public var headers: [String: String] = [:]
    /// How long a request may take, in seconds.
    public var timeout = 10.0
    /// How long sending what is left may take where the server stops, in seconds.
    package var flushSeconds = 3.0
    /// Which requests are traced; all by default.
    public var sampler = TraceSampler(ratio: 1)
    /// What the server is called.
    public var service = "placard"
    /// What else is said of the server, by name.
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
