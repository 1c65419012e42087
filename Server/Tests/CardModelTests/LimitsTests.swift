import CardModel
import Testing
import WireJSON

@Suite("Limits")
struct LimitsTests {
    private static let user = UserID(rawValue: "ann")

    private func profile(_ custom: JSONObject = [:]) -> UserProfile {
        var profile = UserProfile(id: Self.user, createdAt: 0)
        profile.custom = custom
        return profile
    }

    private func limits(attributes: Int = 3, bytes: Int = 1_024) -> UserLimits {
        var limits = UserLimits()
        limits.attributes = attributes
        limits.attributeBytes = bytes
        return limits
    }

    @Test("Limits of devices read back as they were written")
    func roundTrip() throws {
        var limits = DeviceLimits()
        limits.requestsPerAddress = .init(burst: 7, perSecond: 0.5)
        limits.user.attributes = 12
        #expect(try DeviceLimits(json: limits.json, at: "device_limits") == limits)
        #expect(try DeviceLimits(json: [:], at: "") == DeviceLimits())
        var settings = Settings()
        settings.deviceLimits = limits
        #expect(try Settings(json: settings.json).deviceLimits == limits)
    }

    @Test(
        "A wrong limit is named",
        arguments: [
            (#"{"requests_per_user":{"burst":0,"per_second":1}}"#, "device_limits.requests_per_user.burst"),
            (#"{"requests_per_user":{"burst":1,"per_second":0}}"#, "device_limits.requests_per_user.per_second"),
            (#"{"requests_per_user":{"burst":1}}"#, "device_limits.requests_per_user.per_second"),
            (#"{"requests_per_user":5}"#, "device_limits.requests_per_user"),
            (#"{"attributes_per_user":0}"#, "device_limits.attributes_per_user"),
            (#"{"attribute_bytes_per_user":9223372036854775807}"#, "device_limits.attribute_bytes_per_user"),
            (#"{"live_streams_per_user":1e300}"#, "device_limits.live_streams_per_user"),
            (#"{"requests":1}"#, "device_limits.requests"),
        ]
    )
    func wrong(_ json: String, _ path: String) throws {
        let value = try JSONValue(parsing: json)
        let error = #expect(throws: ModelError.self) { try DeviceLimits(json: value, at: "device_limits") }
        #expect(error?.path == path)
    }

    @Test("All that is wrong in settings is named at once, in the order of their fields, with numbers in groups")
    func everything() throws {
        let json: JSONValue = [
            "time_zone": "Nowhere", "user_tokens": "required", "public_keys": 3, "card_limit": "x", "audit_days": 7,
            "rate_limits": ["users_track": ["requests": 0], "other": 5],
            "device_limits": ["requests_per_user": ["burst": 0], "aliases_per_user": 0],
            "frequency_caps": [["days": 91], ["cards": 1, "days": 1]], "quiet_hours": ["from": "24:00"],
            "launch_approval": "nobody",
        ]
        let errors = #expect(throws: ModelErrors.self) { try Settings.read(json) }
        #expect(
            errors?.all.map(\.path) == [
                "time_zone", "public_keys", "card_limit", "rate_limits.users_track.requests",
                "rate_limits.users_track.seconds", "rate_limits.other", "device_limits.requests_per_user.burst",
                "device_limits.requests_per_user.per_second", "device_limits.aliases_per_user", "audit_days",
                "frequency_caps[0].cards", "frequency_caps[0].days", "quiet_hours.from", "quiet_hours.to",
                "launch_approval",
            ]
        )
        let first = #expect(throws: ModelError.self) { try Settings(json: json) }
        #expect(first == errors?.first)
        let texts = errors?.all.map(\.message) ?? []
        #expect(texts.contains("A whole number from 30 to 3,650 is expected."))
        #expect(texts.contains("A whole number from 1 to 1,000,000,000 is expected."))
    }

    @Test("A change that would make one attribute too many is refused as a whole")
    func count() throws {
        var profile = profile(["a": 1, "b": 2])
        var usage = AttributeUsage(of: profile)
        let before = profile
        let tooMany = AttributeChanges(custom: ["a": .increment(by: 1), "c": .set(3), "d": .set(4)])
        let excess = #expect(throws: UserLimits.Excess.self) {
            try profile.apply(tooMany, within: limits(), &usage)
        }
        #expect(excess == UserLimits.Excess(.attributes, limit: 3))
        #expect(profile == before)

        #expect(try profile.apply(AttributeChanges(custom: ["c": .set(3)]), within: limits(), &usage))
        let swap = AttributeChanges(custom: ["a": .set(.null), "d": .set(4)])
        #expect(try profile.apply(swap, within: limits(), &usage))
        #expect(Set(profile.custom.keys) == ["b", "c", "d"])
        #expect(usage == AttributeUsage(of: profile))
    }

    @Test("The attributes of a user have a number of bytes at most, however they come to grow")
    func bytes() throws {
        var profile = profile(["list": [], "text": "x"])
        var usage = AttributeUsage(of: profile)
        let long = JSONValue.string(String(repeating: "é", count: 300))
        for number in 0... {
            let change = AttributeChanges(custom: [
                "list": .edit(adding: [long, .integer(Int64(number))], removing: [])
            ])
            do throws(UserLimits.Excess) {
                #expect(try profile.apply(change, within: limits(), &usage))
            } catch {
                #expect(error == UserLimits.Excess(.attributeBytes, limit: 1_024))
                break
            }
            #expect(JSONValue.object(profile.custom).encodedSize <= 1_024)
        }
        let merge = AttributeChanges(custom: ["object": .merge(["a": long])])
        #expect(throws: UserLimits.Excess.self) { try profile.apply(merge, within: limits(), &usage) }
    }

    @Test("What is beyond a limit that was lowered may become less, and not more")
    func lowered() throws {
        var profile = profile(["a": 1, "b": 2, "c": 3, "d": 4])
        var usage = AttributeUsage(of: profile)
        let limits = limits(attributes: 2)
        #expect(try profile.apply(AttributeChanges(custom: ["a": .increment(by: 1)]), within: limits, &usage))
        #expect(try profile.apply(AttributeChanges(custom: ["b": .set(.null)]), within: limits, &usage))
        #expect(throws: UserLimits.Excess.self) {
            try profile.apply(AttributeChanges(custom: ["e": .set(1)]), within: limits, &usage)
        }
        #expect(Array(profile.custom.keys) == ["a", "c", "d"])
    }

    @Test("Two users together may have no more than one")
    func joined() throws {
        var first = profile(["a": 1, "b": 2])
        try first.absorb(profile(["b": 9, "c": 3]), within: limits())
        #expect(first.custom == ["a": 1, "b": 2, "c": 3])
        #expect(throws: UserLimits.Excess.self) { try first.absorb(profile(["d": 1]), within: limits()) }
    }

    @Test("What a device says in part is completed by the other of two users")
    func joinedDevices() {
        var first = profile()
        first.device = DeviceContext(locale: "ja-JP")
        var second = profile()
        second.device = DeviceContext(locale: "de-DE", timeZone: "Europe/Berlin", appVersion: "3.1")
        first.absorb(second)
        #expect(first.device == DeviceContext(locale: "ja-JP", timeZone: "Europe/Berlin", appVersion: "3.1"))
    }

    @Test(
        "The size of a value is the length of its text",
        arguments: [
            #"{}"#, #"[]"#, #"[1,-20,null,true,false]"#, #"{"a":{"b":[1,2]},"c":"\"\\\n\u0001é😀"}"#,
            #"-9223372036854775808"#,
            #"0"#, #"10"#, #"99"#, #"{"":[[]]}"#,
        ]
    )
    func size(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.encodedSize == value.bytes.count)
    }
}
