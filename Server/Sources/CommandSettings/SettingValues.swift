import WireJSON
import WireYAML

/// What the command's settings are: a flag comes first, then the environment, then the configuration file.
package struct SettingValues: Sendable, Equatable {
    /// What can be set.
    ///
    /// The name is the one in the file; the environment's is in capitals after `PLACARD_`.
    package enum Setting: String, Sendable, CaseIterable {
        case database
        case host
        case port
        case logLevel = "log_level"
        case logFormat = "log_format"
        case accessLog = "access_log"
        case acceptClock = "accept_clock"
        case privateContent = "private_content"
        case privateWebhooks = "private_webhooks"
        case trustedProxies = "trusted_proxies"
        case forwardedHeader = "forwarded_header"
        case maxConnections = "max_connections"
        case maxConnectionsPerAddress = "max_connections_per_address"
        case maxLiveStreams = "max_live_streams"
        case maxLiveStreamsPerAddress = "max_live_streams_per_address"
        case headTimeout = "head_timeout"
        case bodyTimeout = "body_timeout"
        case writeTimeout = "write_timeout"
        case idleTimeout = "idle_timeout"
        case shutdownTimeout = "shutdown_timeout"
        case drainDelay = "drain_delay"
        case reconnectSpread = "reconnect_spread"
        case minRate = "min_rate"
        case bodyMemory = "body_memory"
        case publicURL = "public_url"
        case mediaStorage = "media_storage"
        case secretsKeyFile = "secrets_key_file"
        case secretsKey = "secrets_key"
        case server
        case key
        case publishableKey = "publishable_key"
        case token

        /// The name of the environment variable.
        package var variable: String { "PLACARD_" + rawValue.uppercased() }
        /// The name of the flag.
        package var flag: String { "--" + rawValue.replacing("_", with: "-") }
    }

    /// A setting and where it was set, for errors.
    package struct Value: Sendable, Equatable {
        /// What it was set to.
        package let text: String
        /// Where: `--port`, `PLACARD_PORT` or `port in placard.yaml`.
        package let origin: String

        /// Makes a value.
        package init(text: String, origin: String) {
            self.text = text
            self.origin = origin
        }
    }

    private let environment: [String: String]
    private let file: [Setting: String]
    private let fileName: String

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - file: The text of the configuration file, YAML or JSON; `nil` for none.
    ///   - fileName: Its name, for errors.
    ///   - environment: The environment variables.
    /// - Throws: `ConfigurationError` that says what to mend.
    package init(
        file: String? = nil,
        fileName: String = "placard.yaml",
        environment: [String: String]
    ) throws(ConfigurationError) {
        self.environment = environment
        self.fileName = fileName
        self.file = try file.map { text throws(ConfigurationError) in try Self.read(text, fileName) } ?? [:]
    }

    private static func read(_ text: String, _ fileName: String) throws(ConfigurationError) -> [Setting: String] {
        let document: JSONValue
        do {
            document = try JSONValue(yaml: text)
        } catch {
            throw ConfigurationError("\(fileName): \(error)")
        }
        if document.isNull { return [:] }
        guard let members = document.object else {
            throw ConfigurationError("\(fileName): names and values are expected, such as `port: 8080`.")
        }
        var settings: [Setting: String] = [:]
        for (name, value) in members {
            guard let setting = Setting(rawValue: name) else {
                let known = Setting.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError("\(fileName): there is no setting \(name). Known: \(known).")
            }
            guard value.object == nil, value.array == nil else {
                throw ConfigurationError("\(fileName): \(name) has to be a text or a number.")
            }
            if !value.isNull { settings[setting] = value.string ?? value.text }
        }
        return settings
    }

    /// The setting, or `nil` where nobody set it.
    ///
    /// An empty variable is as none.
    package func value(of setting: Setting, flag: String? = nil) -> Value? {
        if let flag { return Value(text: flag, origin: setting.flag) }
        if let text = environment[setting.variable], !text.isEmpty {
            return Value(text: text, origin: setting.variable)
        }
        return file[setting].map { Value(text: $0, origin: "\(setting.rawValue) in \(fileName)") }
    }
}

/// Says what is wrong with a setting and what to do.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Makes an error.
    package init(_ description: String) { self.description = description }
}
