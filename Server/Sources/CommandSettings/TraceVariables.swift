import Foundation

/// The environment variables of the OpenTelemetry specification that are about traces.
///
/// What the specification says to pass over, such as an empty variable, is passed over.
package struct TraceVariables: Sendable {
    /// A way to decide which requests are traced.
    package struct Sampler: Sendable, Equatable {
        /// The share of traces, from 0 to 1.
        package let ratio: Double
        /// Whether a trace that another program began is traced where that program traces it.
        package let followsParent: Bool
    }

    /// The path at which collectors take spans.
    package static let path = "/v1/traces"

    private let values: SettingValues

    /// Reads variables from the environment of settings.
    package init(_ values: SettingValues) { self.values = values }

    /// Whether they say that nothing is to be exported.
    package var isDisabled: Bool {
        if values.commonVariable("OTEL_SDK_DISABLED")?.text.lowercased() == "true" { return true }
        guard let exporters = values.commonVariable("OTEL_TRACES_EXPORTER") else { return false }
        return !exporters.text.split(atAnyOf: ", ").contains { $0.elementsEqual("otlp") }
    }

    /// The URL that takes spans: that of traces as it is, or the path of traces below that of everything.
    package var endpoint: SettingValues.Value? {
        if let traces = values.commonVariable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") { return traces }
        guard let all = values.commonVariable("OTEL_EXPORTER_OTLP_ENDPOINT") else { return nil }
        let base = all.text.utf8.last == UInt8(ascii: "/") ? String(all.text.dropLast()) : all.text
        return SettingValues.Value(text: base + Self.path, origin: all.origin)
    }

    /// Throws where they name a protocol that isn't HTTP.
    package func checkProtocol() throws(ConfigurationError) {
        guard let value = either("PROTOCOL") else { return }
        guard value.text.hasPrefix("http/") else {
            throw ConfigurationError(
                "\(value.origin): spans are sent by http/json alone, which collectors take at port 4318."
            )
        }
    }

    /// The headers of each request.
    package func headers() throws(ConfigurationError) -> [(name: String, value: String)] {
        try either("HEADERS").map { value throws(ConfigurationError) in try Self.pairs(value) } ?? []
    }

    /// The seconds that a request may take, or `nil` where nothing is said.
    package func timeout() throws(ConfigurationError) -> Double? {
        guard let value = either("TIMEOUT") else { return nil }
        return Double(try WholeNumber.read(value, in: 1...3_600_000)) / 1_000
    }

    /// The file of certificates that are trusted.
    package var certificates: String? { either("CERTIFICATE")?.text }

    /// The name of the server, where a variable says it.
    package var service: String? { values.commonVariable("OTEL_SERVICE_NAME")?.text }

    /// Returns the other attributes of the server, by name.
    package func resource() throws(ConfigurationError) -> [(name: String, value: String)] {
        guard let value = values.commonVariable("OTEL_RESOURCE_ATTRIBUTES") else { return [] }
        return try Self.pairs(value)
    }

    /// Returns the sampler that chooses the requests to trace, or `nil` where nothing is said.
    package func sampler() throws(ConfigurationError) -> Sampler? {
        guard let name = values.commonVariable("OTEL_TRACES_SAMPLER") else { return nil }
        let isByParent = name.text.hasPrefix("parentbased_")
        switch isByParent ? String(name.text.dropFirst("parentbased_".count)) : name.text {
        case "always_on": return Sampler(ratio: 1, followsParent: isByParent)
        case "always_off": return Sampler(ratio: 0, followsParent: isByParent)
        case "traceidratio":
            let ratio = try values.commonVariable("OTEL_TRACES_SAMPLER_ARG")
                .map { value throws(ConfigurationError) in try Self.ratio(value) }
            return Sampler(ratio: ratio ?? 1, followsParent: isByParent)
        default:
            throw ConfigurationError(
                "\(name.origin): always_on, always_off or traceidratio is expected, alone or after parentbased_."
            )
        }
    }

    /// Reads a share of traces.
    ///
    /// - Throws: `ConfigurationError` for what isn't a number from 0 to 1.
    package static func ratio(_ value: SettingValues.Value) throws(ConfigurationError) -> Double {
        guard let ratio = Double(value.text), (0...1).contains(ratio) else {
            throw ConfigurationError("\(value.origin): a number from 0 to 1 is expected, not \(value.text).")
        }
        return ratio
    }

    /// Reads names and values such as `a=1,b=2`, in which values may be percent-encoded.
    ///
    /// - Throws: `ConfigurationError` that doesn't repeat them: they may be secret.
    package static func pairs(
        _ value: SettingValues.Value
    ) throws(ConfigurationError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in value.text.split(atAnyOf: ",\n\r") {
            let text = part.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { continue }
            let name = text.prefix { $0 != "=" }
            let decoded = text.dropFirst(name.count).dropFirst().removingPercentEncoding
            guard !name.isEmpty, name.count < text.count, let decoded else {
                throw ConfigurationError("\(value.origin): names and values such as a=1,b=2 are expected.")
            }
            pairs.append(
                (
                    name.trimmingCharacters(in: .whitespaces),
                    decoded.trimmingCharacters(in: .whitespaces)
                )
            )
        }
        return pairs
    }

    private func either(_ name: String) -> SettingValues.Value? {
        values.commonVariable("OTEL_EXPORTER_OTLP_TRACES_\(name)")
            ?? values.commonVariable("OTEL_EXPORTER_OTLP_\(name)")
    }
}
