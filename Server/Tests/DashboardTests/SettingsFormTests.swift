import CardModel
import CardStore
import Foundation
import Testing
import WireJSON

@testable import Dashboard

@Suite("The form of the settings")
struct SettingsFormTests {
    private static let key: JSONValue = [
        "kty": "EC", "crv": "P-256", "kid": "one", "alg": "ES256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]

    /// The same key in PEM.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----

        """

    /// Settings of which every one differs from its default, but for the URL, which would be fetched.
    private static var everything: JSONValue {
        get throws {
            var groups: JSONObject = [:]
            for (index, group) in RateLimit.Group.allCases.enumerated() {
                groups[group.rawValue] = ["requests": .integer(Int64(100 + index)), "seconds": 7.5]
            }
            var devices: JSONObject = [:]
            for (index, name) in DeviceLimits.rateNames.enumerated() {
                devices[name] = ["burst": .integer(Int64(1_000 + index)), "per_second": 900.5]
            }
            for (name, range) in DeviceLimits.countRanges { devices[name] = .integer(range.lowerBound + 7) }
            return [
                "time_zone": "Asia/Tokyo", "user_tokens": "optional",
                "public_keys": [["id": "", "pem": .string(pem)]], "jwks": ["keys": [key]],
                "token_issuer": "https://id.example.com/ü", "token_audience": "shop \"&<", "card_limit": 17,
                "token_max_lifetime_seconds": 3_600.5, "card_size_limit": 999, "refresh_burst": 3,
                "refresh_seconds": 12.5, "rate_limits": .object(groups), "device_limits": .object(devices),
                "event_days": 33, "audit_days": 44, "version_days": 55,
                "frequency_caps": [["cards": 2, "days": 3, "tag": "promo"]],
                "quiet_hours": ["from": "22:00", "to": "08:00"], "connected_content_hosts": ["api.example.com"],
                "require_two_factor": false, "mask_personal_data": true, "launch_approval": "editors",
            ]
        }
    }

    @Test("Every setting of the API has a field, which shows it and sends it back as it is")
    func everyField() async throws {
        let json = try Self.everything
        let settings = try Settings(json: json)
        // A setting that is added has to be here, and then in the form.
        #expect(Set((json.object ?? [:]).keys).union(["jwks_url"]) == Settings.fieldNames)
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            let (page, fields) = try await shown(anna, when: "value=\"44\"")
            #expect(fields["jwks_url"] == "")
            #expect(try await anna.post("/dashboard/settings", fields).status == 303, "\(page.text)")
            #expect(try await place.store.loadCatalog().settings == settings)
            #expect(try await place.audit().filter { $0 == "settings.update" }.count == 1)

            // The same form gives other settings all of these, so none only stayed.
            try await place.store.saveSettings(Settings(), at: place.time.now, by: .command)
            let again = try await shown(anna, when: "name=\"audit_days\" value=\"\"").page
            let base = FormReader.fields(of: again.text, to: "/dashboard/settings")["base"] ?? ""
            let sent = fields.merging(["csrf": again.token ?? "", "base": base]) { $1 }
            #expect(try await anna.post("/dashboard/settings", sent).status == 303)
            let kept = try await place.store.loadCatalog().settings
            for (name, value) in settings.json.object ?? [:] {
                #expect(kept.json[name] == value, "\(name)")
            }
        }
    }

    @Test("Fields that are emptied go back to their defaults, and wrong ones are named with what was typed")
    func emptied() async throws {
        let settings = try Settings(json: try Self.everything)
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            var fields = try await shown(anna, when: "value=\"44\"").fields
            for name in fields.keys where name.hasPrefix("rate_limits") || name.hasPrefix("device_limits") {
                fields[name] = ""
            }
            for name in ["audit_days", "version_days", "jwks", "token_issuer", "token_audience"] { fields[name] = "" }
            fields["token_max_lifetime_seconds"] = ""
            #expect(try await anna.post("/dashboard/settings", fields).status == 303)
            let kept = try await place.store.loadCatalog().settings
            #expect(kept.auditDays == nil && kept.versionDays == nil && kept.keySet == nil)
            #expect(kept.rateLimits.isEmpty && kept.deviceLimits == DeviceLimits())
            #expect(kept.tokenRules == Settings.TokenRules())

            for (name, value, label) in [
                ("audit_days", "7", "Audit log retention"), ("version_days", "x", "Campaign version retention"),
                ("jwks", "{", "Key set"), ("rate_limits.other.requests", "5", "Backend rate limits"),
                ("device_limits.aliases_per_user", "0", "Device limits"),
            ] {
                fields["csrf"] = try await anna.get("/dashboard/settings").token
                let answer = try await anna.post("/dashboard/settings", fields.merging([name: value]) { $1 })
                #expect(answer.status == 400 && answer.text.contains(label), "\(name)")
                #expect(answer.text.contains("name=\"\(name)\""))
            }
            #expect(try await place.store.loadCatalog().settings == kept)
        }
    }

    @Test("Requiring user tokens is asked about, as long as they aren't required")
    func question() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let question = "data-confirm=\"Require user tokens? "
            let before = try await anna.get("/dashboard/settings").text
            #expect(before.contains("<option value=\"required\" \(question)"))
            #expect(before.ranges(of: question).count == 1)
            var settings = Settings()
            settings.userTokens = .required
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            let page = try await shown(anna, when: "value=\"required\" selected").page
            #expect(!page.text.contains(question))
        }
    }

    @Test("What others saved since the page was opened stays, unless the form changes it")
    func others() async throws {
        let settings = try Settings(json: try Self.everything)
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            try await place.store.saveSettings(settings, at: place.time.now, by: .command)
            let fields = try await shown(anna, when: "value=\"44\"").fields
            var theirs = settings
            (theirs.userTokens, theirs.publicKeys, theirs.frequencyCaps) = (.required, [], [])
            (theirs.cardLimit, theirs.masksPersonalData, theirs.rateLimits) = (123, false, [:])
            try await place.store.saveSettings(theirs, at: place.time.now, by: .member("ben@example.com"))

            // A form that nobody touched changes nothing, and one that was touched only that.
            #expect(try await anna.post("/dashboard/settings", fields).status == 303)
            #expect(try await place.store.settings() == theirs)
            let token = try await anna.get("/dashboard/settings").token ?? ""
            let touched = fields.merging(["event_days": "90", "csrf": token]) { $1 }
            #expect(try await anna.post("/dashboard/settings", touched).status == 303)
            theirs.eventDays = 90
            #expect(try await place.store.settings() == theirs)
        }
    }

    @Test("Where others changed the same setting, the form comes back and names it, and its next save replaces theirs")
    func conflict() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let fields = try await shown(anna, when: "name=\"card_limit\" value=\"250\"").fields
            var theirs = Settings()
            (theirs.cardLimit, theirs.eventDays) = (123, 60)
            try await place.store.saveSettings(theirs, at: place.time.now, by: .member("ben@example.com"))
            let form = fields.merging(["card_limit": "99", "audit_days": "77"]) { $1 }
            let answer = try await anna.post("/dashboard/settings", form)
            #expect(answer.status == 409 && answer.text.contains("<li>Cards per user</li>"))
            #expect(!answer.text.contains("<li>Event retention</li>") && !answer.text.contains("<li>Audit log"))
            #expect(try await place.store.settings() == theirs)

            let merged = FormReader.fields(of: answer.text, to: "/dashboard/settings")
            #expect(merged["card_limit"] == "99" && merged["event_days"] == "60" && merged["audit_days"] == "77")
            #expect(try await anna.post("/dashboard/settings", merged).status == 303)
            (theirs.cardLimit, theirs.auditDays) = (99, 77)
            #expect(try await place.store.settings() == theirs)

            // What a page has shown can't be told: nothing of others is replaced unseen.
            let token = try await anna.get("/dashboard/settings").token ?? ""
            let unreadable = fields.merging(["base": "{", "csrf": token]) { $1 }
            #expect(try await anna.post("/dashboard/settings", unreadable).status == 409)
            #expect(try await place.store.settings() == theirs)
        }
    }

    /// The page, once the server has read the settings that it is to show, and the fields of its form.
    private func shown(
        _ anna: Visitor,
        when text: String
    ) async throws -> (page: Visitor.Page, fields: [String: String]) {
        while true {
            let page = try await anna.get("/dashboard/settings")
            if page.text.contains(text) { return (page, FormReader.fields(of: page.text, to: "/dashboard/settings")) }
        }
    }
}

/// Reads a form of a page as a browser would send it.
enum FormReader {
    static func fields(of page: String, to action: String) -> [String: String] {
        guard let start = page.range(of: "action=\"\(action)\""),
            let end = page.range(of: "</form>", range: start.upperBound..<page.endIndex)
        else { return [:] }
        let form = String(page[start.upperBound..<end.lowerBound])
        var fields: [String: String] = [:]
        for match in form.matches(of: /<input ([^>]*)>/) {
            let attributes = String(match.1)
            let isSwitch = attributes.contains("type=\"checkbox\"") || attributes.contains("type=\"radio\"")
            guard let name = value(of: "name", in: attributes), !isSwitch || attributes.contains(" checked") else {
                continue
            }
            fields[name] = value(of: "value", in: attributes) ?? ""
        }
        for match in form.matches(of: /<textarea ([^>]*)>([^<]*)</) {
            // A line end at the beginning isn't part of the text.
            let text = String(match.2.first == "\n" ? match.2.dropFirst() : match.2)
            if let name = value(of: "name", in: String(match.1)) { fields[name] = unescaped(text) }
        }
        for match in form.matches(of: /<select ([^>]*)>(.*?)<\/select>/.dotMatchesNewlines()) {
            guard let name = value(of: "name", in: String(match.1)) else { continue }
            let options = String(match.2).matches(of: /<option ([^>]*)>/).map { String($0.1) }
            let chosen = options.first { $0.contains(" selected") } ?? options.first
            fields[name] = chosen.flatMap { value(of: "value", in: $0) } ?? ""
        }
        return fields
    }

    private static func value(of name: String, in attributes: String) -> String? {
        guard let start = attributes.range(of: "\(name)=\""),
            let end = attributes.range(of: "\"", range: start.upperBound..<attributes.endIndex)
        else { return nil }
        return unescaped(String(attributes[start.upperBound..<end.lowerBound]))
    }

    private static func unescaped(_ text: String) -> String {
        let names = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#10;": "\n"]
        return names.reduce(text) { $0.replacing($1.key, with: $1.value) }.replacing("&amp;", with: "&")
    }
}
