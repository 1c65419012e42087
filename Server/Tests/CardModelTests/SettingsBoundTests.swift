import CardModel
import Testing
import WireJSON

@Suite("Settings at their bounds")
struct SettingsBoundTests {
    private static let wholeNumbers: [(String, Int64, Int64)] = [
        ("card_limit", 1, 1_000), ("card_size_limit", 256, 65_536), ("refresh_burst", 1, 1_000),
        ("event_days", 31, 3_650), ("audit_days", 30, 3_650), ("version_days", 1, 3_650),
    ]

    private func read(_ members: JSONObject) throws(ModelError) -> Settings { try Settings(json: .object(members)) }

    private func path(_ members: JSONObject) -> String? {
        do throws(ModelError) {
            _ = try read(members)
            return nil
        } catch {
            return error.path
        }
    }

    @Test(arguments: wholeNumbers)
    func `A whole number is taken at both of its bounds and not beyond, nor with a fraction`(
        name: String,
        low: Int64,
        high: Int64
    ) throws {
        for number in [low, low + 1, high - 1, high] {
            #expect(try read([name: .integer(number)]).json[name] == .integer(number))
        }
        // 5.0 is the whole number 5, as JSON has it.
        #expect(try read([name: .number(Double(low))]).json[name] == .integer(low))
        let wrong: [JSONValue] = [
            .integer(low - 1), .integer(high + 1), .integer(.min), .integer(.max), .number(Double(low) + 0.5),
            .number(1e300), .string("\(low)"), .bool(true), [.integer(low)],
        ]
        for value in wrong { #expect(path([name: value]) == name, "\(value.text)") }
        // null is the default, as if the field were absent.
        #expect(try read([name: .null]) == Settings())
    }

    @Test(
        arguments: [
            ("refresh_seconds", 0, 86_400), ("token_max_lifetime_seconds", 60, 3_153_600_000),
        ] as [(String, Double, Double)]
    )
    func `A number of seconds is taken at both of its bounds and not beyond`(
        name: String,
        low: Double,
        high: Double
    ) throws {
        for number in [low, low + 0.25, high - 0.25, high] {
            #expect(try read([name: .number(number)]).json[name]?.double == number)
        }
        for number in [low - 0.001, high + 0.001, -1e300, 1e300] { #expect(path([name: .number(number)]) == name) }
    }

    @Test func `Limits of requests are taken at their bounds and not beyond, for each group`() throws {
        for group in RateLimit.Group.allCases.map(\.rawValue) {
            for (requests, seconds) in [(1, 1), (1_000_000_000, 86_400)] as [(Int64, Int64)] {
                let limit: JSONValue = ["requests": .integer(requests), "seconds": .integer(seconds)]
                let settings = try read(["rate_limits": [group: limit]])
                #expect(settings.rateLimits.count == 1)
                #expect(settings.json["rate_limits"]?[group]?["requests"] == .integer(requests))
            }
            let place = "rate_limits.\(group)"
            for (member, value) in [("requests", 0), ("requests", 1_000_000_001), ("seconds", 0), ("seconds", 86_401)] {
                var limit: JSONObject = ["requests": 5, "seconds": 5]
                limit[member] = .integer(Int64(value))
                #expect(path(["rate_limits": [group: .object(limit)]]) == "\(place).\(member)")
            }
        }
    }

    @Test func `Caps are taken at their bounds and not beyond, and ten of them`() throws {
        func cap(_ cards: Int64, _ days: Int64) -> JSONValue { ["cards": .integer(cards), "days": .integer(days)] }
        for (cards, days) in [(1, 1), (1_000, 90)] as [(Int64, Int64)] {
            let caps = try read(["frequency_caps": [cap(cards, days)]]).frequencyCaps
            #expect(caps == [FrequencyCap(cards: Int(cards), days: Int(days))])
        }
        #expect(path(["frequency_caps": [cap(0, 1)]]) == "frequency_caps[0].cards")
        #expect(path(["frequency_caps": [cap(1, 1), cap(1_001, 1)]]) == "frequency_caps[1].cards")
        #expect(path(["frequency_caps": [cap(1, 0)]]) == "frequency_caps[0].days")
        #expect(path(["frequency_caps": [cap(1, 91)]]) == "frequency_caps[0].days")
        let ten = [JSONValue](repeating: cap(1, 1), count: 10)
        #expect(try read(["frequency_caps": .array(ten)]).frequencyCaps.count == 10)
        #expect(path(["frequency_caps": .array(ten + [cap(1, 1)])]) == "frequency_caps")
    }

    @Test func `Lists have as many elements as they may have, and not one more`() throws {
        let hosts = (0..<50).map { JSONValue.string("h\($0).example.com") }
        #expect(try read(["connected_content_hosts": .array(hosts)]).connectedContentHosts.count == 50)
        #expect(path(["connected_content_hosts": .array(hosts + ["one.more"])]) == "connected_content_hosts")
        // Written twice, a host is one.
        #expect(try read(["connected_content_hosts": ["a.b", "a.b"]]).connectedContentHosts.count == 1)
        let keys = (0..<3).map { JSONValue.object(["id": .string("\($0)"), "pem": "x"]) }
        #expect(try read(["public_keys": .array(keys)]).publicKeys.count == 3)
        #expect(path(["public_keys": .array(keys + [["id": "3", "pem": "x"]])]) == "public_keys")
        #expect(path(["public_keys": [["id": "a", "pem": "x"], ["id": "a", "pem": "y"]]]) == "public_keys[1].id")
        #expect(try read(["public_keys": [["id": "", "pem": "x"], ["id": "", "pem": "y"]]]).publicKeys.count == 2)
    }

    @Test func `Texts have as many bytes as they may have, and not one more`() throws {
        let bounds = [("token_issuer", 255), ("token_audience", 255), ("jwks_url", 2_048)]
        for (name, limit) in bounds {
            let longest = String(repeating: "\u{E9}", count: limit / 2) + (limit % 2 == 0 ? "" : "x")
            #expect(try read([name: .string(longest)]).json[name]?.string?.utf8.count == limit)
            for wrong in [longest + "x", "", "a\nb", "a\u{202E}b"] { #expect(path([name: .string(wrong)]) == name) }
        }
        let pem = String(repeating: "x", count: 8_192)
        #expect(try read(["public_keys": [["id": "k", "pem": .string(pem)]]]).publicKeys.first?.pem == pem)
        #expect(path(["public_keys": [["id": "k", "pem": .string(pem + "x")]]]) == "public_keys[0].pem")
    }

    @Test func `Settings that have everything read back as they were, and one wrong field is named alone`() throws {
        let json: JSONObject = [
            "time_zone": "Asia/Tokyo", "user_tokens": "required", "public_keys": [["id": "k", "pem": "x"]],
            "jwks_url": "https://id.example/keys", "token_issuer": "i", "token_audience": "a",
            "token_max_lifetime_seconds": 3_600, "card_limit": 9, "card_size_limit": 1_024, "refresh_burst": 3,
            "refresh_seconds": 1.5, "event_days": 40, "audit_days": 41, "version_days": 42,
            "rate_limits": ["users_track": ["requests": 1, "seconds": 2]],
            "device_limits": ["attributes_per_user": 7], "frequency_caps": [["cards": 1, "days": 2, "tag": "t"]],
            "quiet_hours": ["from": "22:30", "to": "08:00"], "connected_content_hosts": ["*.example.com:8443"],
            "require_two_factor": true, "mask_personal_data": true, "launch_approval": "everyone",
        ]
        let settings = try read(json)
        #expect(try Settings(json: settings.json) == settings)
        #expect(try Settings(json: JSONValue(parsing: settings.json.text)) == settings)
        for (name, value) in json where name != "device_limits" && name != "rate_limits" {
            let read = settings.json[name]
            // A number is the same with a fraction of nothing.
            #expect(value.double.map { read?.double == $0 } ?? (read?.text == value.text), "\(name)")
        }
        for field in Settings.SettingsFieldName.allCases.map(\.rawValue) {
            var wrong = json
            wrong[field] = .object(["no": "such"])
            let errors = #expect(throws: ModelErrors.self) { try Settings.read(.object(wrong)) }
            let paths = errors?.all.map(\.path) ?? []
            #expect(!paths.isEmpty && paths.allSatisfy { $0.hasPrefix(field) }, "\(field): \(paths)")
        }
    }
}
