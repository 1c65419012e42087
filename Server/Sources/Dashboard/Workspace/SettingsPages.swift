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
        let zones: [String]
        let modes: [Choice]
        let publicKeys: String
        let cardLimit: String
        let cardSizeLimit: String
        let burst: String
        let seconds: String
        let error: String?
    }

    private static let modes = [
        ("disabled", "Not asked for"), ("optional", "Checked where an app sends one"), ("required", "Required"),
    ]

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let settings = try await visit.read("/v1/settings")
        return try page(visit, fields(of: settings), error: nil)
    }

    /// The settings as the form shows them.
    private static func fields(of settings: JSONValue) -> FormData {
        var form = FormData()
        let keys = settings["public_keys"]?.array?.compactMap { $0["pem"]?.string } ?? []
        form.fields = [
            ("time_zone", settings["time_zone"]?.string ?? "UTC"),
            ("user_tokens", settings["user_tokens"]?.string ?? "disabled"),
            ("public_keys", keys.joined(separator: "\n")),
            ("card_limit", settings["card_limit"]?.integer.map(String.init) ?? ""),
            ("card_size_limit", settings["card_size_limit"]?.integer.map(String.init) ?? ""),
            ("burst", settings["refresh_burst"]?.integer.map(String.init) ?? ""),
            ("seconds", settings["refresh_seconds"]?.double.map { Wording.decimal($0, digits: 0) } ?? ""),
        ]
        return form
    }

    private static func page(
        _ visit: Visit,
        _ form: FormData,
        error: String?,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let view = View(
            timeZone: form["time_zone"] ?? "",
            zones: TimeZone.knownTimeZoneIdentifiers,
            modes: modes.map { Choice(value: $0.0, name: $0.1, isChosen: form["user_tokens"] == $0.0) },
            publicKeys: form["public_keys"] ?? "",
            cardLimit: form["card_limit"] ?? "",
            cardSizeLimit: form["card_size_limit"] ?? "",
            burst: form["burst"] ?? "",
            seconds: form["seconds"] ?? "",
            error: error
        )
        return try visit.page("settings", title: "Settings", in: .settings, status: status, view)
    }

    @Sendable static func save(_ visit: Visit) async throws -> Response {
        do {
            // What the form does not show stays as it is.
            var members = try await visit.read("/v1/settings").object ?? [:]
            members["time_zone"] = .string(visit.form.text("time_zone") ?? "")
            members["user_tokens"] = .string(visit.form["user_tokens"] ?? "")
            members["public_keys"] = .array(publicKeys(visit.form["public_keys"] ?? ""))
            members["card_limit"] = number(visit.form["card_limit"])
            members["card_size_limit"] = number(visit.form["card_size_limit"])
            members["refresh_burst"] = number(visit.form["burst"])
            members["refresh_seconds"] = number(visit.form["seconds"])
            _ = try await visit.change(.put, "/v1/settings", .object(members))
            return .seeOther("/dashboard/settings?done=saved")
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            return try page(visit, visit.form, error: "\(refusal.path): \(refusal.message)", status: .badRequest)
        }
    }

    private static func number(_ text: String?) -> JSONValue {
        let text = text?.trimmingSpaces ?? ""
        if let integer = Int64(text) { return .integer(integer) }
        return Double(text).map(JSONValue.number) ?? .string(text)
    }

    private static func publicKeys(_ text: String) -> [JSONValue] {
        let end = "-----END PUBLIC KEY-----"
        let pems = text.components(separatedBy: end).map(\.trimmingSpaces).filter { !$0.isEmpty }
        return pems.enumerated().map { index, pem in
            let whole = pem.contains("-----BEGIN") ? "\(pem)\n\(end)\n" : pem
            return ["id": .string("key-\(index + 1)"), "pem": .string(whole)]
        }
    }
}
