import CardModel
import CardServer
import Foundation
import HTTPTypes
import Hummingbird
import WireJSON

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
        let approvals: [Choice]
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
        /// The settings that the form was made from, as JSON.
        let base: String
        let isConflict: Bool
        /// What others have changed to other values since the page was opened.
        let conflicts: [String]
    }

    /// A form that changes what others have changed since its page was opened.
    private struct Conflict {
        let merge: SettingsMerge
        let current: Settings
    }

    private static var modes: [(String, String)] {
        [
            ("disabled", localized("Disabled")), ("optional", localized("Optional")),
            ("required", localized("Required")),
        ]
    }

    private static var approvals: [(String, String)] {
        [
            (ApprovalPolicy.none.rawValue, localized("No one")),
            (ApprovalPolicy.editors.rawValue, localized("Editors, and keys without full access")),
            (ApprovalPolicy.everyone.rawValue, localized("Everyone, including administrators")),
        ]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let settings = try await context.ask { server, _ in try await server.workspace.stored() }
        return try page(context, SettingsForm.form(of: settings), base: settings.json.text)
    }

    private static func page(
        _ context: PageContext,
        _ form: FormData,
        base: String,
        refusal: ServiceRefusal? = nil,
        conflicts: [Settings.Field] = [],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let view = View(
            timeZone: form.value(.timeZone),
            requiresTwoFactor: form.isOn(.requireTwoFactor),
            masksPersonalData: form.isOn(.maskPersonalData),
            zones: TimeZone.knownTimeZoneIdentifiers,
            approvals: approvals.map {
                Choice(value: $0.0, name: $0.1, isChosen: form[.launchApproval] == $0.0)
            },
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
            wrong: refusal.map { [name(of: $0.path): localized(sentence: $0.message)] } ?? [:],
            base: base,
            isConflict: !conflicts.isEmpty,
            conflicts: conflicts.map { label(of: $0.rawValue) }
        )
        return try context.page("settings", title: localized("Settings"), in: .settings, status: status, view)
    }

    @Sendable static func save(_ context: PageContext) async throws -> Response {
        do {
            let conflict = try await context.change { server, caller -> Conflict? in
                var conflict: Conflict?
                _ = try await server.workspace.edit(by: caller) { current in
                    let merge = try SettingsMerge(context.form, over: current)
                    conflict = merge.conflicts.isEmpty ? nil : Conflict(merge: merge, current: current)
                    return conflict == nil ? merge.settings.json : nil
                }
                return conflict
            }
            if let conflict { return try page(context, conflict) }
            return .seeOther("/dashboard/settings?done=saved")
        } catch let refusal as ServiceRefusal where refusal.status == 400 {
            // Without a base, the form stands for the settings as they are.
            let base = context.form[.base] ?? context.site.server.settings().json.text
            return try page(context, context.form, base: base, refusal: refusal, status: .badRequest)
        }
    }

    /// Shows what was typed over what others have saved; the next save goes on top of theirs.
    private static func page(_ context: PageContext, _ conflict: Conflict) throws -> Response {
        try page(
            context,
            SettingsForm.form(of: conflict.merge.settings),
            base: conflict.current.json.text,
            conflicts: conflict.merge.conflicts,
            status: .conflict
        )
    }

    /// The name of the setting that a path leads to.
    private static func name(of path: String) -> String { String(path.prefix { $0 != "." && $0 != "[" }) }

    /// What the form calls the setting that a path leads to.
    private static func label(of path: String) -> String {
        guard let field = Settings.Field(rawValue: name(of: path)) else { return path }
        return switch field {
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
        case .rateLimits where path == field.rawValue: localized("Backend rate limits")
        case .rateLimits: localized("Backend rate limits (\(path))")
        case .deviceLimits where path == field.rawValue: localized("Device limits")
        case .deviceLimits: localized("Device limits (\(path))")
        case .frequencyCaps: localized("Frequency caps")
        }
    }
}
