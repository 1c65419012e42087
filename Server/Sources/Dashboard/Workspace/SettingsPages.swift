import CardModel
import CardServer
import Foundation
import HTTPTypes
import Hummingbird
import WireJSON

extension Section {
    static let settings = Section(
        "settings",
        in: .workspace,
        icon: """
            <path d='M1.5 4.5h7M12.5 4.5h2M1.5 11.5h2M7.5 11.5h7'/>\
            <circle cx='10.5' cy='4.5' r='2'/>\
            <circle cx='5.5' cy='11.5' r='2'/>
            """
    ) { localized("Settings") }
}

extension PageDescriptor {
    static let settings = PageDescriptor(
        .settings,
        templates: [
            "settings": PackageResources.settings_mustache,
            "settings-limit": PackageResources.settings_limit_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/settings", .viewer, SettingsPages.show)
        routes.post("/dashboard/settings", .admin, isSensitive: true, SettingsPages.save)
    }
}

/// The workspace's settings.
enum SettingsPages {
    struct SettingOption {
        let value: String
        let name: String
        let isChosen: Bool
        /// Whether saving it is asked about first.
        var asks = false
    }

    struct SettingsLine {
        let inputID: String
        let text: String
    }

    struct SettingsView {
        let timeZone: String
        let requiresTwoFactor: Bool
        let masksPersonalData: Bool
        let zones: [String]
        let approvals: [SettingOption]
        let modes: [SettingOption]
        let publicKeys: String
        let cardLimit: String
        let cardSizeLimit: String
        let burst: String
        let seconds: String
        let eventDays: String
        let tokenFields: [SettingsField]
        let keySet: String
        let retention: [SettingsField]
        let backendLimits: [LimitFields.LimitRow]
        let deviceRates: [LimitFields.LimitRow]
        let deviceCounts: [SettingsField]
        let contentHosts: String
        let quietFrom: String
        let quietTo: String
        let caps: [CapFields]
        let hasProblems: Bool
        /// The problems, with the names of the settings, as links to their fields.
        let problems: [SettingsLine]
        /// The problems of fields, by name.
        let wrong: [String: FieldMark]
        /// The settings that the form was made from, as JSON.
        let base: String
        let isConflict: Bool
        /// The settings that others have changed to other values since the page was opened.
        let conflicts: [String]
    }

    /// A form that changes what others have changed since its page was opened.
    private struct Conflict {
        let merge: SettingsMerge
        let current: Settings
    }

    /// The outcome of a form.
    private enum Outcome {
        case saved
        case conflict(Conflict)
        case wrong([SettingsProblem])
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let settings = try await context.ask { server, _ in try await server.workspace.stored() }
        return try page(context, SettingsForm.form(of: settings), base: settings.json.text)
    }

    private static func page(
        _ context: PageContext,
        _ form: FormData,
        base: String,
        problems: [SettingsProblem] = [],
        conflicts: [Settings.SettingsFieldName] = [],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let marks = FieldMark.marks(problems.map { (name: $0.field, problem: $0.text) }, of: context.form)
        let known = try? JSONValue(parsing: base)
        let mode = known?[Settings.SettingsFieldName.userTokens.rawValue]?.string
        let requiresTokens = mode == Settings.UserTokenMode.required.rawValue
        let view = SettingsView(
            timeZone: form.value(.timeZone),
            requiresTwoFactor: form.isOn(.requireTwoFactor),
            masksPersonalData: form.isOn(.maskPersonalData),
            zones: TimeZone.knownTimeZoneIdentifiers,
            approvals: SettingsChoices.approvals.map {
                SettingOption(value: $0.0, name: $0.1, isChosen: form[.launchApproval] == $0.0)
            },
            modes: SettingsChoices.modes.map {
                SettingOption(
                    value: $0.0,
                    name: $0.1,
                    isChosen: form[.userTokens] == $0.0,
                    asks: $0.0 == Settings.UserTokenMode.required.rawValue && !requiresTokens
                )
            },
            publicKeys: form.value(.publicKeys),
            cardLimit: form.value(.cardLimit),
            cardSizeLimit: form.value(.cardSizeLimit),
            burst: form.value(.burst),
            seconds: form.value(.seconds),
            eventDays: form.value(.eventDays),
            tokenFields: SettingsFields.filled(SettingsFields.tokens, form, marks),
            keySet: form.value(.keySet),
            retention: SettingsFields.filled(SettingsFields.retention, form, marks),
            backendLimits: LimitFields.backends(form, marks),
            deviceRates: LimitFields.rates(form, marks),
            deviceCounts: LimitFields.counts(form, marks),
            contentHosts: form.value(.contentHosts),
            quietFrom: form.value(.quietFrom),
            quietTo: form.value(.quietTo),
            caps: CapFields.rows(in: form, marks),
            hasProblems: !problems.isEmpty,
            problems: problems.map { SettingsLine(inputID: FieldMark.inputID($0.field), text: $0.line) },
            wrong: marks,
            base: base,
            isConflict: !conflicts.isEmpty,
            conflicts: conflicts.map(SettingsProblem.label(of:))
        )
        return try context.page("settings", title: localized("Settings"), in: .settings, status: status, view)
    }

    @Sendable static func save(_ context: PageContext) async throws -> Response {
        do {
            switch try await outcome(context) {
            case .saved: return .seeOther("/dashboard/settings?done=saved")
            case .conflict(let conflict): return try page(context, conflict)
            case .wrong(let problems): return try page(context, problems)
            }
        } catch let refusal as ServiceError where refusal.status == 400 {
            return try page(context, [SettingsProblem(refusal)])
        }
    }

    /// Saves what the form asks for, unless something of it is wrong or takes back what others have saved.
    private static func outcome(_ context: PageContext) async throws -> Outcome {
        try await context.change { server, caller -> Outcome in
            var outcome = Outcome.saved
            _ = try await server.workspace.edit(by: caller) { current in
                do throws(ModelErrors) {
                    let merge = try SettingsMerge(context.form, over: current)
                    outcome = merge.conflicts.isEmpty ? .saved : .conflict(Conflict(merge: merge, current: current))
                    return merge.conflicts.isEmpty ? merge.settings.json : nil
                } catch {
                    outcome = .wrong(error.all.map { SettingsProblem($0) })
                    return nil
                }
            }
            return outcome
        }
    }

    /// Shows what was typed, with all that is wrong in it.
    private static func page(_ context: PageContext, _ problems: [SettingsProblem]) throws -> Response {
        // Without a base, the form stands for the settings as they are.
        let base = context.form[.base] ?? context.site.server.settings().json.text
        return try page(context, context.form, base: base, problems: problems, status: .badRequest)
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
}
