import ArgumentParser
import CardServer
import CommandSettings

/// The settings that a server reads when it starts, and a check for each part of them that it can't use.
///
/// Where a database and a server are looked for, and by which key secrets are read, isn't read here: without that,
/// there is nothing to look at.
struct DoctorSettings {
    /// The certificate, or `nil` for none.
    let certificate: CertificateFiles?
    /// The mail server, or `nil` for none.
    let mail: MailSettings?
    /// The bucket of pictures, or `nil` for none.
    let bucket: BucketSettings?
    /// Whether a bucket is named, also where it can't be used.
    let namesBucket: Bool
    /// The checks of parts that a server can't use, which keep it from starting; one that is good where there is none.
    let checks: [DoctorCheck]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - values: The settings of the file and the environment.
    ///   - tls: The flags for a certificate, which come before its settings.
    /// - Throws: `ConfigurationError` for flags that can't be used.
    init(_ values: SettingValues, tls: TLSOptions) throws {
        var problems: [DoctorCheck] = []
        func read<Value>(_ subject: String, _ body: () throws -> Value?) -> Value? {
            do {
                return try body()
            } catch {
                problems.append(DoctorCheck(.bad, subject, "\(error)"))
                return nil
            }
        }
        let isGiven = tls.tlsCertificate ?? tls.tlsKey != nil
        certificate = try isGiven ? tls.files(values) : read("certificate") { try tls.files(values) }
        _ = read("openid") { try OpenIDOptions.settings(values) }
        mail = read("mail") { try MailOptions.settings(values) }
        bucket = read("bucket") { try BucketOptions.settings(values) }
        namesBucket = Self.isSet(.mediaBucket, values)
        _ = read("traces") { try TraceOptions.parse([]).settings(values) }
        _ = read("settings") { try ProxyOptions.parse([]).proxies(values) }
        _ = read("settings") { try LimitOptions.parse([]).limits(values) }
        _ = read("settings") { try Self.checkOthers(values) }
        checks = problems.isEmpty ? [DoctorCheck(.good, "settings", "a server can use them")] : problems
    }

    private static func isSet(_ setting: SettingValues.Setting, _ values: SettingValues) -> Bool {
        do throws(ConfigurationError) {
            return try values.value(of: setting) != nil
        } catch {
            // It is there, without a value.
            return true
        }
    }

    /// Throws where a server can't use one of the remaining settings.
    private static func checkOthers(_ values: SettingValues) throws -> Bool {
        var options = PlacardServer.Options()
        try MediaOptions.parse([]).apply(to: &options, values)
        for setting: SettingValues.Setting in [.acceptClock, .privateContent, .privateWebhooks] {
            _ = try values.value(of: setting).map { try TruthValue.read($0) }
        }
        try ServerLogging.check(level: values.value(of: .logLevel), format: values.value(of: .logFormat))
        return true
    }
}
