import CardModel
import CardServer
import WireJSON

/// The problem of a field of the settings' form.
struct SettingsProblem {
    /// The name of the field in the form.
    let field: String
    /// The page's label of the setting.
    let label: String
    /// The message that says what is wrong and what to do.
    let text: String

    init(_ error: ModelError) {
        self.init(path: error.path, message: error.message, isMissing: error.code == .fieldMissing)
    }

    init(_ refusal: ServiceError) {
        self.init(
            path: refusal.path,
            message: refusal.message,
            isMissing: refusal.code == ModelError.Code.fieldMissing.rawValue
        )
    }

    private init(path: String, message: String, isMissing: Bool) {
        field = Self.field(of: path)
        label = Self.label(of: path)
        switch Settings.SettingsFieldName(rawValue: Self.setting(of: path)) {
        case .userTokens: text = localized("Choose disabled, optional or required.")
        // Only fields that go together are missing: others have a default.
        case _ where isMissing: text = localized("Fill in both fields, or leave both empty.")
        default: text = localized(sentence: message)
        }
    }

    /// The line about it at the top of the page.
    var line: String { PageFormatter.labeled(label, text) }

    /// The field of the form that a path of the API leads to.
    private static func field(of path: String) -> String {
        let top = setting(of: path)
        guard let setting = Settings.SettingsFieldName(rawValue: top) else { return path }
        return switch setting {
        case .refreshBurst: FormField.burst.rawValue
        case .refreshSeconds: FormField.seconds.rawValue
        case .connectedContentHosts: FormField.contentHosts.rawValue
        case .quietHours: path == "\(top).to" ? FormField.quietTo.rawValue : FormField.quietFrom.rawValue
        case .frequencyCaps: CapFields.field(of: path)
        case .rateLimits, .deviceLimits: path
        default: top
        }
    }

    /// The name of the setting that a path leads to.
    private static func setting(of path: String) -> String { String(path.prefix(before: ".").prefix(before: "[")) }

    /// Returns the form's label of the setting that a path leads to.
    private static func label(of path: String) -> String {
        guard let field = Settings.SettingsFieldName(rawValue: setting(of: path)) else { return localized("Settings") }
        let parts = path.split(at: ".").dropFirst()
        guard let limit = parts.first, field == .rateLimits || field == .deviceLimits else { return label(of: field) }
        return localized("\(label(of: field)) (\(LimitFields.label(of: String(limit))))")
    }

    /// Returns the form's label of a setting.
    static func label(of field: Settings.SettingsFieldName) -> String {
        switch field {
        case .timeZone: localized("Time zone")
        case .requireTwoFactor: localized("Require two-factor authentication")
        case .maskPersonalData: localized("Hide personal data from viewers")
        case .launchApproval: localized("Launches that need approval")
        case .userTokens: localized("User authentication")
        case .publicKeys: localized("Public keys")
        case .cardLimit: localized("Cards per user")
        case .cardSizeLimit: localized("Card size limit")
        case .refreshBurst: localized("Sync burst limit")
        case .refreshSeconds: localized("Seconds per additional sync")
        case .eventDays: localized("Event retention")
        case .connectedContentHosts: localized("Allowed hosts")
        case .quietHours: localized("Quiet hours")
        case .keySet: localized("Key set")
        case .keySetURL: localized("Key set URL")
        case .tokenIssuer: localized("Issuer")
        case .tokenAudience: localized("Audience", in: "token")
        case .tokenLifetime: localized("Maximum lifetime")
        case .auditDays: localized("Audit log retention")
        case .versionDays: localized("Campaign version retention")
        case .rateLimits: localized("Backend rate limits")
        case .deviceLimits: localized("Device limits")
        case .frequencyCaps: localized("Frequency caps")
        }
    }
}
