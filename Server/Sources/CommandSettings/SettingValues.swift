import WireJSON
import WireYAML

/// The settings of the command: a flag comes first, then the environment, then the configuration file.
package struct SettingValues: Sendable, Equatable {
    /// The settings that there are.
    ///
    /// The name is the one in the file; the environment's is in capitals after `PLACARD_`.
    package enum Setting: String, Sendable, CaseIterable {
        case database
        case host
        case port
        case socket
        case socketMode = "socket_mode"
        case socketGroup = "socket_group"
        case logLevel = "log_level"
        case logFormat = "log_format"
        case accessLog = "access_log"
        case acceptClock = "accept_clock"
        case privateContent = "private_content"
        case privateWebhooks = "private_webhooks"
        case tlsCertificate = "tls_certificate"
        case tlsKey = "tls_key"
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
        case mediaBucket = "media_bucket"
        case mediaBucketEndpoint = "media_bucket_endpoint"
        case mediaBucketRegion = "media_bucket_region"
        case mediaBucketPrefix = "media_bucket_prefix"
        case mediaBucketAddressing = "media_bucket_addressing"
        case mediaBucketAccessKey = "media_bucket_access_key"
        case mediaBucketSecretKey = "media_bucket_secret_key"
        case mediaBucketSecretKeyFile = "media_bucket_secret_key_file"
        case mediaBucketSessionToken = "media_bucket_session_token"
        case mediaBucketTrustedCertificates = "media_bucket_trusted_certificates"
        case smtpHost = "smtp_host"
        case smtpPort = "smtp_port"
        case smtpSecurity = "smtp_security"
        case smtpUser = "smtp_user"
        case smtpPassword = "smtp_password"
        case smtpPasswordFile = "smtp_password_file"
        case smtpFrom = "smtp_from"
        case smtpTrustedCertificates = "smtp_trusted_certificates"
        case oidcIssuer = "oidc_issuer"
        case oidcClientID = "oidc_client_id"
        case oidcClientSecret = "oidc_client_secret"
        case oidcClientSecretFile = "oidc_client_secret_file"
        case oidcName = "oidc_name"
        case oidcScopes = "oidc_scopes"
        case oidcGroupsClaim = "oidc_groups_claim"
        case oidcAdminGroups = "oidc_admin_groups"
        case oidcEditorGroups = "oidc_editor_groups"
        case oidcViewerGroups = "oidc_viewer_groups"
        case oidcCreateMembers = "oidc_create_members"
        case oidcTrustEmail = "oidc_trust_email"
        case oidcTrustSecondFactor = "oidc_trust_second_factor"
        case oidcPasswords = "oidc_passwords"
        case oidcSessionHours = "oidc_session_hours"
        case privateOIDC = "private_oidc"
        case tracesEndpoint = "traces_endpoint"
        case tracesHeaders = "traces_headers"
        case tracesHeadersFile = "traces_headers_file"
        case tracesSample = "traces_sample"
        case tracesService = "traces_service"
        case tracesTrustProxies = "traces_trust_proxies"
        case tracesPropagate = "traces_propagate"
        case tracesTrustedCertificates = "traces_trusted_certificates"
        case backups
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

        /// Whether an empty value means that there is none, whatever the places after it say.
        var mayBeEmpty: Bool { self == .trustedProxies || self == .accessLog }
        /// Whether it may have several values, which are separated by commas.
        var isList: Bool {
            switch self {
            case .trustedProxies, .secretsKey, .oidcAdminGroups, .oidcEditorGroups, .oidcViewerGroups: true
            default: false
            }
        }
    }

    /// A setting and where it was set, for errors.
    package struct Value: Sendable, Equatable {
        /// The value that it was set to.
        package let text: String
        /// The place where it was set: `--port`, `PLACARD_PORT` or `port in placard.yaml`.
        package let origin: String

        /// Creates a value.
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
    /// - Throws: `ConfigurationError` that says what to change.
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
                let meant = Setting.nearest(to: name).map { " Did you mean \($0.rawValue)?" } ?? ""
                throw ConfigurationError("\(fileName): there is no setting \(name).\(meant) Known: \(known).")
            }
            settings[setting] = try self.text(value, of: setting, fileName)
        }
        return settings
    }

    /// Reads one value, or several as a text with commas between them.
    private static func text(
        _ value: JSONValue,
        of setting: Setting,
        _ fileName: String
    ) throws(ConfigurationError) -> String {
        if let text = scalar(value) { return text }
        let name = setting.rawValue
        guard setting.isList else {
            throw ConfigurationError(
                "\(name) in \(fileName): one text or number is expected after `\(name): `, and no list or names."
            )
        }
        let elements = value.array?.map { scalar($0) ?? "" }
        guard let elements, elements.allSatisfy({ !$0.isEmpty && !$0.contains(",") }) else {
            throw ConfigurationError(
                "\(name) in \(fileName): a list is expected, such as `\(name): [A, B]`, or a text with commas, "
                    + "`\(name): A,B`."
            )
        }
        return elements.joined(separator: ",")
    }

    /// Returns the text of a value that has no parts; that of nothing is empty.
    private static func scalar(_ value: JSONValue) -> String? {
        guard value.object == nil, value.array == nil else { return nil }
        return value.isNull ? "" : value.string ?? value.text
    }

    /// A variable of the environment that programs of many makers have in common, such as `OTEL_SERVICE_NAME`, or `nil`
    /// where it isn't set; an empty one isn't, as the specification of OpenTelemetry has it.
    package func commonVariable(_ name: String) -> Value? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        return Value(text: text, origin: name)
    }

    /// The variables of the environment that are named as settings are and are none, in the order of their names.
    package var unknownVariables: [String] {
        let known = Set(Setting.allCases.map(\.variable) + ["PLACARD_CONFIG", "PLACARD_DASHBOARD_ASSETS"])
        return environment.keys.filter { $0.starts(withBytesOf: "PLACARD_") && !known.contains($0) }
            .sorted { $0.precedesInBytes($1) }
    }

    /// Returns the settings that have another value than in other values, or that only one of both has.
    ///
    /// - Parameter other: The other values.
    /// - Returns: The settings, in the order of ``Setting``. Their values may be secret.
    package func differences(from other: SettingValues) -> [Setting] {
        Setting.allCases.filter { bytes(of: $0) != other.bytes(of: $0) }
    }

    private func bytes(of setting: Setting) -> [UInt8]? {
        (environment[setting.variable] ?? file[setting]).map { Array($0.utf8) }
    }

    /// The setting, or `nil` where it isn't set.
    ///
    /// - Parameters:
    ///   - setting: What is set.
    ///   - flag: What the flag says, or `nil` where it isn't given.
    /// - Returns: The value of the first place that has one. Empty `trusted_proxies` and `access_log` mean none,
    ///   whatever the places after it say.
    /// - Throws: `ConfigurationError` where any other setting is empty, which is rarely meant.
    package func value(of setting: Setting, flag: String? = nil) throws(ConfigurationError) -> Value? {
        let places: [(String?, String)] = [
            (flag, setting.flag), (environment[setting.variable], setting.variable),
            (file[setting], "\(setting.rawValue) in \(fileName)"),
        ]
        for case (let text?, let origin) in places {
            guard text.isEmpty else { return Value(text: text, origin: origin) }
            guard setting.mayBeEmpty else { throw .empty(origin) }
            return nil
        }
        return nil
    }
}

/// Says what is wrong with a setting and what to do.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Creates an error.
    package init(_ description: String) { self.description = description }

    /// Returns the error for a setting without a value.
    ///
    /// - Parameter origin: Where it was set.
    /// - Returns: The error.
    package static func empty(_ origin: String) -> ConfigurationError {
        ConfigurationError("\(origin) is empty. Give it a value, or leave it out.")
    }
}
