import WireJSON

/// Writes spans as OTLP does in JSON: ids as hexadecimal digits, and whole numbers of 64 bits as text.
struct TraceDocument: Sendable {
    private static let spanBytes = 640
    /// The version of the conventions that names of attributes follow.
    private static let schema = "https://opentelemetry.io/schemas/1.27.0"

    private let beginning: [UInt8]

    /// Creates a document about a server.
    ///
    /// - Parameters:
    ///   - service: What the server is called.
    ///   - instance: What tells it from other processes.
    ///   - version: The version of the program.
    ///   - resource: What else is said of it, by name.
    init(service: String, instance: String, version: String, resource: [String: String]) {
        var all = resource
        all["service.name"] = service
        all["service.version"] = all["service.version"] ?? version
        all["service.instance.id"] = all["service.instance.id"] ?? instance
        all["telemetry.sdk.name"] = "placard"
        all["telemetry.sdk.language"] = "swift"
        all["telemetry.sdk.version"] = version
        var writer = JSONWriter(capacity: 512)
        writer.raw(#"{"resourceSpans":[{"resource":"#)
        Self.write(all.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }, to: &writer)
        writer.raw(#"},"scopeSpans":[{"scope":{"name":"placard","version":"#)
        writer.string(version)
        writer.raw(#"},"schemaUrl":"#)
        writer.string(Self.schema)
        writer.raw(#","spans":["#)
        beginning = writer.bytes
    }

    /// Returns the body of a request.
    func body(of spans: [TraceSpan]) -> [UInt8] {
        var writer = JSONWriter(capacity: beginning.count + spans.count * Self.spanBytes)
        writer.raw(beginning)
        for (index, span) in spans.enumerated() {
            if index > 0 { writer.raw(",") }
            Self.write(span, to: &writer)
        }
        writer.raw("]}]}]}")
        return writer.bytes
    }

    private static func write(_ span: TraceSpan, to writer: inout JSONWriter) {
        writer.raw(#"{"traceId":"#)
        writer.string(span.trace.text)
        writer.raw(#","spanId":"#)
        writer.string(span.id.text)
        if let parent = span.parent {
            writer.raw(#","parentSpanId":"#)
            writer.string(parent.id.text)
        }
        if let traceState = span.traceState {
            writer.raw(#","traceState":"#)
            writer.string(traceState.text)
        }
        // Sampled, and whether the parent is of another program, which is known.
        writer.raw(#","flags":"#)
        writer.integer(span.parent?.isRemote == true ? 0x301 : 0x101)
        writer.raw(#","name":"#)
        writer.string(span.name)
        writer.raw(#","kind":"#)
        writer.integer(span.kind.rawValue)
        writer.raw(#","startTimeUnixNano":"#)
        writer.string(String(span.start))
        writer.raw(#","endTimeUnixNano":"#)
        writer.string(String(span.end))
        writer.raw(",")
        writeMembers(span.attributes, to: &writer)
        if let link = span.link { write(link, to: &writer) }
        writer.raw(span.isFailure ? #","status":{"code":2}}"# : "}")
    }

    private static func write(_ link: TraceParent, to writer: inout JSONWriter) {
        writer.raw(#","links":[{"traceId":"#)
        writer.string(link.trace.text)
        writer.raw(#","spanId":"#)
        writer.string(link.span.text)
        writer.raw(#","flags":"#)
        writer.integer(link.isSampled ? 0x301 : 0x300)
        writer.raw("}]")
    }

    private static func write(_ attributes: [(name: String, value: TraceSpan.SpanValue)], to writer: inout JSONWriter) {
        writer.raw("{")
        writeMembers(attributes, to: &writer)
    }

    private static func writeMembers(
        _ attributes: [(name: String, value: TraceSpan.SpanValue)],
        to writer: inout JSONWriter
    ) {
        writer.raw(#""attributes":["#)
        for (index, attribute) in attributes.enumerated() {
            writer.raw(index > 0 ? #",{"key":"# : #"{"key":"#)
            writer.string(attribute.name)
            switch attribute.value {
            case .text(let text):
                writer.raw(#","value":{"stringValue":"#)
                writer.string(text)
            case .number(let number):
                writer.raw(#","value":{"intValue":"#)
                writer.string(String(number))
            }
            writer.raw("}}")
        }
        writer.raw("]")
    }
}
