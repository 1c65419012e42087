import ArgumentParser
import CardServer
import CommandSettings
import Foundation

/// The options for the collector that spans of traces are sent to, and the requests that are traced.
struct TraceOptions: ParsableArguments {
    /// The longest file of headers, in bytes.
    private static let longestHeaders = 16_384

    @Option("The collector of OpenTelemetry that takes traces by OTLP over HTTP (default: none).", value: "url")
    var tracesEndpoint: String?

    @Option("The share of requests that are traced, from 0 to 1 (default: 1).", value: "share")
    var tracesSample: String?

    /// The settings that flags, the environment and the file name, or `nil` where nothing is traced.
    ///
    /// What is said of Placard by name comes before what is said to all programs, by the variables of OpenTelemetry.
    ///
    /// - Throws: `ConfigurationError` that names what can't be used.
    func settings(_ values: SettingValues) throws -> TraceSettings? {
        let common = TraceVariables(values)
        let own = try values.value(of: .tracesEndpoint, flag: tracesEndpoint)
        guard let endpoint = own ?? (common.isDisabled ? nil : common.endpoint) else {
            try refuse(values)
            return nil
        }
        if own == nil { try common.checkProtocol() }
        guard var settings = TraceSettings(endpoint: own.map { Self.complete($0.text) } ?? endpoint.text) else {
            throw ConfigurationError(
                "\(endpoint.origin): a URL of http or https is expected, such as http://127.0.0.1:4318."
            )
        }
        settings.headers = try headers(values, common)
        settings.timeout = try common.timeout() ?? settings.timeout
        settings.sampler = try sampler(values, common)
        settings.resource = Dictionary(try common.resource().map { ($0.name, $0.value) }) { _, last in last }
        let service = try values.value(of: .tracesService)?.text ?? common.service ?? settings.resource["service.name"]
        settings.service = service ?? settings.service
        settings.trustsProxies = try values.value(of: .tracesTrustProxies).map(TruthValue.read) ?? false
        settings.propagates = try values.value(of: .tracesPropagate).map(TruthValue.read) ?? false
        settings.trustedCertificates = try certificates(values, common)
        return settings
    }

    /// Throws where settings make no sense without a collector.
    private func refuse(_ values: SettingValues) throws {
        let others: [(SettingValues.Setting, String?)] = [
            (.tracesHeaders, nil), (.tracesHeadersFile, nil), (.tracesSample, tracesSample), (.tracesService, nil),
            (.tracesTrustProxies, nil), (.tracesPropagate, nil), (.tracesTrustedCertificates, nil),
        ]
        for (setting, flag) in others {
            guard let value = try values.value(of: setting, flag: flag) else { continue }
            throw ConfigurationError("\(value.origin): there is no collector. Set traces_endpoint, too.")
        }
    }

    /// Adds the path at which collectors take spans to an address without a path.
    private static func complete(_ text: String) -> String {
        guard let url = URL(string: text), ["", "/"].contains(url.path), url.query == nil, url.fragment == nil else {
            return text
        }
        return (text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text) + TraceVariables.path
    }

    private func sampler(_ values: SettingValues, _ common: TraceVariables) throws -> TraceSampler {
        if let share = try values.value(of: .tracesSample, flag: tracesSample) {
            return TraceSampler(ratio: try TraceVariables.ratio(share))
        }
        guard let sampler = try common.sampler() else { return TraceSampler(ratio: 1) }
        return TraceSampler(ratio: sampler.ratio, followsParent: sampler.followsParent)
    }

    private func headers(_ values: SettingValues, _ common: TraceVariables) throws -> [String: String] {
        let given = try values.value(of: .tracesHeaders)
        let file = try values.value(of: .tracesHeadersFile)
        if let given, file != nil {
            throw ConfigurationError("\(given.origin): traces_headers_file is set, too. Leave one of them out.")
        }
        let own = try (try file.map(Self.contents) ?? given).map(TraceVariables.pairs)
        let pairs = try own ?? common.headers()
        for (name, value) in pairs where !TraceSettings.isHeader(name, value) {
            // Without the value, which may be secret.
            throw ConfigurationError(
                "\((file ?? given)?.origin ?? "OTEL_EXPORTER_OTLP_HEADERS"): a header can't be sent."
            )
        }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last }
    }

    private static func contents(_ file: SettingValues.Value) throws -> SettingValues.Value {
        guard let handle = FileHandle(forReadingAtPath: file.text),
            let bytes = try? handle.read(upToCount: longestHeaders + 1), bytes.count <= longestHeaders,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw ConfigurationError(
                "\(file.origin): \(file.text) can't be read, isn't UTF-8, or has more than \(longestHeaders) bytes."
            )
        }
        return SettingValues.Value(text: text, origin: file.origin)
    }

    private func certificates(_ values: SettingValues, _ common: TraceVariables) throws -> String? {
        let own = try values.value(of: .tracesTrustedCertificates)?.text
        guard let path = own ?? common.certificates else { return nil }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ConfigurationError("traces_trusted_certificates: \(path) can't be read.")
        }
        return path
    }
}
