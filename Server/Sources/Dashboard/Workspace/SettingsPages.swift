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

    private static let modes = [
        ("disabled", "Disabled"), ("optional", "Optional"), ("required", "Required"),
    ]

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let settings = try await visit.read("/v1/settings")
        return try page(visit, fields(of: settings))
    }

    /// The settings as the form shows them.
    private static func fields(of settings: JSONValue) -> FormData {
        var form = FormData()
        let keys = settings["public_keys"]?.array?.compactMap { $0["pem"]?.string } ?? []
        form.fields = [
            ("time_zone", settings["time_zone"]?.string ?? "UTC"),
            ("require_two_factor", settings["require_two_factor"]?.bool == true ? "on" : ""),
            ("mask_personal_data", settings["mask_personal_data"]?.bool == true ? "on" : ""),
            ("user_tokens", settings["user_tokens"]?.string ?? "disabled"),
            ("public_keys", keys.joined(separator: "\n")),
            ("card_limit", settings["card_limit"]?.integer.map(String.init) ?? ""),
            ("card_size_limit", settings["card_size_limit"]?.integer.map(String.init) ?? ""),
            ("burst", settings["refresh_burst"]?.integer.map(String.init) ?? ""),
            ("seconds", settings["refresh_seconds"]?.fieldText ?? ""),
            ("event_days", settings["event_days"]?.fieldText ?? ""),
            (
                "content_hosts",
                (settings["connected_content_hosts"]?.array ?? []).compactMap(\.string).joined(separator: "\n")
            ),
            ("quiet_from", settings["quiet_hours"]?["from"]?.string ?? ""),
            ("quiet_to", settings["quiet_hours"]?["to"]?.string ?? ""),
        ]
        form.fields += SettingsFields.fields(of: settings) + LimitFields.fields(of: settings)
        form.fields += CapFields.fields(of: settings["frequency_caps"]?.array ?? [])
        return form
    }

    private static func page(
        _ visit: Visit,
        _ form: FormData,
        refusal: ManagementAPI.Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let wrong = refusal.map { [field(of: $0.path): $0.message] } ?? [:]
        let view = View(
            timeZone: form["time_zone"] ?? "",
            requiresTwoFactor: form["require_two_factor"] == "on",
            masksPersonalData: form["mask_personal_data"] == "on",
            zones: TimeZone.knownTimeZoneIdentifiers,
            modes: modes.map { Choice(value: $0.0, name: $0.1, isChosen: form["user_tokens"] == $0.0) },
            publicKeys: form["public_keys"] ?? "",
            cardLimit: form["card_limit"] ?? "",
            cardSizeLimit: form["card_size_limit"] ?? "",
            burst: form["burst"] ?? "",
            seconds: form["seconds"] ?? "",
            eventDays: form["event_days"] ?? "",
            tokenFields: SettingsFields.filled(SettingsFields.tokens, form),
            keySet: form["jwks"] ?? "",
            retention: SettingsFields.filled(SettingsFields.retention, form),
            backendLimits: LimitFields.backends(form),
            deviceRates: LimitFields.rates(form),
            deviceCounts: LimitFields.counts(form),
            contentHosts: form["content_hosts"] ?? "",
            quietFrom: form["quiet_from"] ?? "",
            quietTo: form["quiet_to"] ?? "",
            caps: CapFields.rows(in: form, wrong: refusal?.path ?? ""),
            error: refusal.map { "\(label(of: $0.path)): \($0.message)" },
            wrong: wrong
        )
        return try visit.page("settings", title: "Settings", in: .settings, status: status, view)
    }

    @Sendable static func save(_ visit: Visit) async throws -> Response {
        do {
            // What the form does not show stays as it is.
            var members = try await visit.read("/v1/settings").object ?? [:]
            members["time_zone"] = .string(visit.form.text("time_zone") ?? "")
            for name in ["require_two_factor", "mask_personal_data"] {
                if let choice = visit.form[name] { members[name] = .bool(choice == "on") }
            }
            members["user_tokens"] = .string(visit.form["user_tokens"] ?? "")
            members["public_keys"] = .array(
                publicKeys(visit.form["public_keys"] ?? "", known: members["public_keys"]?.array ?? [])
            )
            members["card_limit"] = number(visit.form["card_limit"])
            members["card_size_limit"] = number(visit.form["card_size_limit"])
            members["refresh_burst"] = number(visit.form["burst"])
            members["refresh_seconds"] = number(visit.form["seconds"])
            members["event_days"] = visit.form.text("event_days").map { number($0) } ?? .null
            if let text = visit.form["content_hosts"] { members["connected_content_hosts"] = .array(hosts(text)) }
            SettingsFields.write(visit.form, to: &members)
            LimitFields.write(visit.form, to: &members)
            members["quiet_hours"] = quietHours(visit.form)
            members["frequency_caps"] = .array(CapFields.rows(in: visit.form).compactMap(\.json))
            _ = try await visit.change(.put, "/v1/settings", .object(members))
            return .seeOther("/dashboard/settings?done=saved")
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            return try page(visit, visit.form, refusal: refusal, status: .badRequest)
        }
    }

    /// The name of the field of the settings that a path leads to.
    private static func field(of path: String) -> String { String(path.prefix { $0 != "." && $0 != "[" }) }

    /// What the form calls a field of the settings.
    private static func label(of path: String) -> String {
        switch field(of: path) {
        case "time_zone": "Time zone"
        case "require_two_factor": "Require two-factor authentication"
        case "user_tokens": "User authentication"
        case "public_keys": "Public keys"
        case "card_limit": "Cards per user"
        case "card_size_limit": "Card size limit"
        case "refresh_burst": "Sync burst limit"
        case "refresh_seconds": "Seconds per additional sync"
        case "event_days": "Event retention"
        case "connected_content_hosts": "Allowed hosts"
        case "quiet_hours": "Quiet hours"
        case "jwks": "Key set"
        case "jwks_url": "Key set URL"
        case "token_issuer": "Issuer"
        case "token_audience": "Audience"
        case "token_max_lifetime_seconds": "Maximum lifetime"
        case "audit_days": "Audit log retention"
        case "version_days": "Campaign version retention"
        case "rate_limits": "Backend rate limits (\(path))"
        case "device_limits": "Device limits (\(path))"
        case "frequency_caps": "Frequency caps"
        default: path
        }
    }

    static func number(_ text: String?) -> JSONValue {
        let text = text?.trimmingSpaces ?? ""
        if let integer = Int64(text) { return .integer(integer) }
        return Double(text).map(JSONValue.number) ?? .string(text)
    }

    private static func quietHours(_ form: FormData) -> JSONValue {
        let (from, to) = (form.text("quiet_from"), form.text("quiet_to"))
        return from == nil && to == nil ? .null : ["from": .string(from ?? ""), "to": .string(to ?? "")]
    }

    private static func hosts(_ text: String) -> [JSONValue] {
        text.split { $0.isWhitespace || $0 == "," }.map { .string(String($0)) }
    }

    /// The keys of the form; one that the settings have already keeps its id, and a new one verifies tokens of any `kid`.
    private static func publicKeys(_ text: String, known: [JSONValue]) -> [JSONValue] {
        let end = "-----END PUBLIC KEY-----"
        let pems = text.components(separatedBy: end).map(\.trimmingSpaces).filter { !$0.isEmpty }
        return pems.map { pem in
            let whole = pem.contains("-----BEGIN") ? "\(pem)\n\(end)\n" : pem
            let same = known.first { $0["pem"]?.string?.trimmingSpaces == whole.trimmingSpaces }
            return ["id": same?["id"] ?? "", "pem": .string(whole)]
        }
    }
}
