import CardModel
import CardServer
import Foundation
import HTTPTypes
import Hummingbird

/// The workspace's settings.
enum SettingsPages {
    struct Choice {
        let value: String
        let name: String
        let isChosen: Bool
    }

    struct View {
        let timeZone: String
        let requiresTwoFactor: Bool
        let masksPersonalData: Bool
        let zones: [String]
        let modes: [Choice]
        let publicKeys: String
        let cardLimit: String
        let cardSizeLimit: String
        let burst: String
        let seconds: String
        let eventDays: String
        let tokenFields: [SettingsField]
        let keySet: String
        let retention: [SettingsField]
        let backendLimits: [LimitFields.Row]
        let deviceRates: [LimitFields.Row]
        let deviceCounts: [SettingsField]
        let contentHosts: String
        let quietFrom: String
        let quietTo: String
        let caps: [CapFields]
        let error: String?
        /// What is wrong with a field, by its name in the API.
        let wrong: [String: String]
    }

    private static var modes: [(String, String)] {
        [
            ("disabled", localized("Disabled")), ("optional", localized("Optional")),
            ("required", localized("Required")),
        ]
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let settings = try await visit.ask { server, _ in try server.workspace.current() }
        return try page(visit, SettingsForm.form(of: settings))
    }

    private static func page(
        _ visit: Visit,
        _ form: FormData,
        refusal: ServiceRefusal? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let view = View(
            timeZone: form.value(.timeZone),
            requiresTwoFactor: form.isOn(.requireTwoFactor),
            masksPersonalData: form.isOn(.maskPersonalData),
            zones: TimeZone.knownTimeZoneIdentifiers,
            modes: modes.map { Choice(value: $0.0, name: $0.1, isChosen: form[.userTokens] == $0.0) },
            publicKeys: form.value(.publicKeys),
            cardLimit: form.value(.cardLimit),
            cardSizeLimit: form.value(.cardSizeLimit),
            burst: form.value(.burst),
            seconds: form.value(.seconds),
            eventDays: form.value(.eventDays),
            tokenFields: SettingsFields.filled(SettingsFields.tokens, form),
            keySet: form.value(.keySet),
            retention: SettingsFields.filled(SettingsFields.retention, form),
            backendLimits: LimitFields.backends(form),
            deviceRates: LimitFields.rates(form),
            deviceCounts: LimitFields.counts(form),
            contentHosts: form.value(.contentHosts),
            quietFrom: form.value(.quietFrom),
            quietTo: form.value(.quietTo),
            caps: CapFields.rows(in: form, wrong: refusal?.path),
            error: refusal.map { "\(label(of: $0.path)): \(localized(sentence: $0.message))" },
            wrong: refusal.map { [name(of: $0.path): localized(sentence: $0.message)] } ?? [:]
        )
        return try visit.page("settings", title: localized("Settings"), in: .settings, status: status, view)
    }

    @Sendable static func save(_ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.change { server, caller in
                let settings = SettingsForm.json(visit.form, over: try server.workspace.current())
                return try await server.workspace.save(settings, by: caller)
            }
            return .seeOther("/dashboard/settings?done=saved")
        } catch let refusal as ServiceRefusal where refusal.status == 400 {
            return try page(visit, visit.form, refusal: refusal, status: .badRequest)
        }
    }

    /// The name of the setting that a path leads to.
    private static func name(of path: String) -> String { String(path.prefix { $0 != "." && $0 != "[" }) }

    /// What the form calls the setting that a path leads to.
    private static func label(of path: String) -> String {
        guard let field = Settings.Field(rawValue: name(of: path)) else { return path }
        return switch field {
        case .timeZone: localized("Time zone")
        case .requireTwoFactor: localized("Require two-factor authentication")
        case .maskPersonalData: path
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
        case .rateLimits: localized("Backend rate limits (\(path))")
        case .deviceLimits: localized("Device limits (\(path))")
        case .frequencyCaps: localized("Frequency caps")
        }
    }
}
