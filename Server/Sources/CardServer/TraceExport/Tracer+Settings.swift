import Logging
import NIOCore

extension Tracer {
    /// Creates the tracer of a server.
    convenience init(_ settings: TraceSettings, _ counts: TraceCounts) {
        self.init(
            sampler: settings.sampler,
            queue: SpanQueue(counts: counts),
            propagates: settings.propagates,
            trustsProxies: settings.trustsProxies
        )
    }
}

extension TraceExporter {
    /// Creates what sends a tracer's spans to the collector that settings name.
    init(_ settings: TraceSettings, _ queue: SpanQueue, logger: Logger) {
        self.init(
            queue: queue,
            document: TraceDocument(
                service: settings.service,
                instance: RandomText.uuid(),
                version: BuildInformation.version,
                resource: settings.resource
            ),
            sender: CollectorClient(settings),
            timeout: settings.timeout,
            uptime: { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 },
            chance: { Double.random(in: 0...1) },
            logger: logger
        )
        flushSeconds = settings.flushSeconds
    }
}
