extension ServerMetrics {
    /// The counts of traces; zeros without a collector, so that rates and alerts find their metrics.
    var traceLines: [String] {
        let name = "placard_traces"
        var lines = describe("\(name)_spans_total", "counter", "Spans of traces, by result.")
        lines += SpanResult.allCases.map { result in
            "\(name)_spans_total{result=\"\(result.rawValue)\"} \(traces.spans(result))"
        }
        lines += describe("\(name)_failures_total", "counter", "Requests to the collector of traces that failed.")
        lines.append("\(name)_failures_total \(traces.failures)")
        lines += describe("\(name)_waiting", "gauge", "Spans that wait to be exported.")
        lines.append("\(name)_waiting \(traces.waiting)")
        return lines
    }
}
