import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Which of several users is meant")
struct UserChoiceTests {
    private typealias Step = MatchPreference.Step

    private func match(_ id: String, _ updatedAt: UnixTime, isClaimed: Bool = false) -> UserMatch {
        UserMatch(id: UserID(rawValue: id), updatedAt: updatedAt, isClaimed: isClaimed)
    }

    @Test("A user has an id of their own unless it begins as one that was made for them")
    func identified() {
        for (id, isIdentified) in [
            ("ann", true), ("unidentified", true), ("Unidentified-1", true), ("x-unidentified-1", true),
            ("unidentified-", false), ("unidentified-1", false), ("anonymous-", false), ("anonymous-x", false),
            ("anonymous", true),
        ] {
            #expect(UserID(rawValue: id).isIdentified == isIdentified, "\(id)")
        }
    }

    @Test("Each step leaves those that it is for")
    func steps() {
        let users = [match("ann", 3), match("unidentified-1", 5), match("bob", 1)]
        func choice(_ steps: [Step], prefersIdentified: Bool = false) -> String? {
            MatchPreference(steps, prefersIdentified: prefersIdentified).choose(from: users)?.rawValue
        }
        #expect(choice([]) == nil && choice([.identified]) == nil)
        #expect(choice([.unidentified]) == "unidentified-1")
        #expect(choice([.mostRecentlyUpdated]) == "unidentified-1" && choice([.leastRecentlyUpdated]) == "bob")
        #expect(choice([.identified, .mostRecentlyUpdated]) == "ann")
        #expect(choice([.identified, .leastRecentlyUpdated]) == "bob")
        // Whoever was updated last isn't identified, so that nobody is left.
        #expect(choice([.mostRecentlyUpdated, .identified]) == nil)
        #expect(choice([.mostRecentlyUpdated], prefersIdentified: true) == "ann")
        #expect(choice([.unidentified], prefersIdentified: true) == nil)
    }

    @Test("Of users who were updated at one moment one is chosen by id, whatever their order", arguments: 0..<10)
    func ties(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let users = ["c", "a", "d", "b"].map { match($0, 7) }.shuffled(using: &random)
        #expect(MatchPreference([.mostRecentlyUpdated]).choose(from: users)?.rawValue == "d")
        #expect(MatchPreference([.leastRecentlyUpdated]).choose(from: users)?.rawValue == "a")
    }

    @Test(
        "The usual choice is the user updated last among those with an id of their own, if there are any",
        arguments: 0..<30
    )
    func usual(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let users = (0..<Int.random(in: 0...6, using: &random)).map { number in
            match(
                Bool.random(using: &random) ? "u\(number)" : "unidentified-\(number)",
                Double(Int.random(in: 0...100, using: &random)) * 10 + Double(number),
                isClaimed: Bool.random(using: &random)
            )
        }
        let own = users.filter(\.id.isIdentified)
        let expected = (own.isEmpty ? users : own).max { $0.updatedAt < $1.updatedAt }
        #expect(MatchPreference.usual.choose(from: users) == expected?.id)
        let vouched = users.filter { !$0.isClaimed }
        let among = vouched.isEmpty ? users : vouched
        let ownAmong = among.filter(\.id.isIdentified)
        let chosen = (ownAmong.isEmpty ? among : ownAmong).max { $0.updatedAt < $1.updatedAt }
        #expect(UserReference.email("a@b", .usual).choose(from: users) == chosen?.id)
        #expect(UserReference.phone("1", .usual).choose(from: users) == chosen?.id)
        #expect(users.found(where: .required) == vouched)
        #expect(users.found(where: .optional) == users && users.found(where: .disabled) == users)
    }

    @Test("An id and an alias name one user, however they are claimed")
    func direct() {
        let users = [match("ann", 1, isClaimed: true), match("bob", 2)]
        let alias = UserAlias(label: "crm", name: "7")
        #expect(UserReference.id(UserID(rawValue: "ann")).choose(from: users)?.rawValue == "ann")
        #expect(UserReference.alias(alias).choose(from: users)?.rawValue == "ann")
        #expect(UserReference.alias(alias).choose(from: []) == nil)
    }

    @Test("What a newer device says comes before what an older one said, part by part")
    func devices() {
        let new = DeviceContext(locale: "de", timeZone: nil, appVersion: "2")
        let old = DeviceContext(locale: "en", timeZone: "Asia/Tokyo", appVersion: nil)
        #expect(new.completed(by: old) == DeviceContext(locale: "de", timeZone: "Asia/Tokyo", appVersion: "2"))
        #expect(new.completed(by: DeviceContext()) == new && DeviceContext().completed(by: new) == new)
        #expect(DeviceContext(locale: "").completed(by: old).locale?.isEmpty == true)
    }

    @Test("A zone that isn't known is left out of what a device says")
    func zones() {
        let known = DeviceContext(locale: "de", timeZone: "Asia/Tokyo", appVersion: "1")
        #expect(known.withKnownZone == known && DeviceContext().withKnownZone == DeviceContext())
        for zone in ["Nowhere/City", "GMT+18", "Asia/Tokyo ", "\u{C5}sia/Tokyo"] {
            let context = DeviceContext(locale: "de", timeZone: zone, appVersion: "1").withKnownZone
            #expect(context == DeviceContext(locale: "de", timeZone: nil, appVersion: "1"), "\(zone)")
        }
    }

    @Test("An alias has a label and a name of 1 to 255 bytes without control characters")
    func aliases() {
        let long = String(repeating: "x", count: 255)
        #expect(UserAlias(checkingLabel: "crm", name: long)?.name == long)
        #expect(UserAlias(checkingLabel: long, name: "7")?.label == long)
        for wrong in ["", long + "x", "a\tb", "\u{2066}"] {
            #expect(UserAlias(checkingLabel: wrong, name: "7") == nil)
            #expect(UserAlias(checkingLabel: "crm", name: wrong) == nil)
        }
        #expect(UserAlias(label: "caf\u{E9}", name: "1") != UserAlias(label: "cafe\u{301}", name: "1"))
        #expect(UserAlias(label: "crm", name: "7").json == ["alias_name": "7", "alias_label": "crm"])
    }
}

@Suite("What a user's attributes may be")
struct UserUpdateFieldTests {
    private func error(_ json: JSONValue) -> ModelError? {
        do throws(ModelError) {
            _ = try UserUpdate(id: UserID(rawValue: "u"), json: json)
            return nil
        } catch {
            return error
        }
    }

    @Test("A text has as many bytes as its attribute may have, and not one more", arguments: StandardAttribute.allCases)
    func sizes(attribute: StandardAttribute) {
        let forms: Set<StandardAttribute> = [
            .country, .timeZone, .gender, .dateOfBirth, .emailSubscription, .pushSubscription,
        ]
        let limit = attribute == .biography || attribute == .imageURL ? 2_048 : 255
        #expect(attribute.valueLimit == limit)
        let (longest, longer) = (String(repeating: "x", count: limit), String(repeating: "x", count: limit + 1))
        #expect(attribute.value(of: longer) == nil)
        #expect(attribute.value(of: longest) == (forms.contains(attribute) ? nil : longest))
        let place = "attributes.\(attribute.rawValue)"
        for wrong in [.string(longer), 1, true, [], [:]] as [JSONValue] {
            let error = error(["attributes": [attribute.rawValue: wrong]])
            #expect(error?.path == place && error?.code == .fieldInvalid)
        }
        // null takes the attribute away.
        #expect(error(["attributes": [attribute.rawValue: .null]]) == nil)
    }

    @Test(
        "What is wrong in an update is named where it is",
        arguments: [
            ([], "field_invalid", ""), (["attributes": []], "field_invalid", "attributes"),
            (["custom_attributes": "x"], "field_invalid", "custom_attributes"),
            (["attributes": ["plan": "x"]], "field_unknown", "attributes.plan"),
            (["custom_attributes": ["": 1]], "field_invalid", "custom_attributes"),
            (["custom_attributes": ["a\nb": 1]], "field_invalid", "custom_attributes"),
            (["attributes": ["email": "a\u{202E}b@c"]], "field_invalid", "attributes.email"),
            (["attributes": ["phone": "1\n2"]], "field_invalid", "attributes.phone"),
            (["attributes": ["dob": "1990-02-30"]], "field_invalid", "attributes.dob"),
            (["attributes": ["dob": "1990-12-31T00:00"]], "field_invalid", "attributes.dob"),
            (["attributes": ["gender": "m"]], "field_invalid", "attributes.gender"),
            (["name": "x"], "field_unknown", "name"),
        ] as [(JSONValue, String, String)]
    )
    func refuses(json: JSONValue, code: String, path: String) {
        let error = error(json)
        #expect(error?.code.rawValue == code && error?.path == path)
    }

    @Test("A custom value has 50 KB of JSON and a name 255 bytes, and both may be anything else")
    func custom() throws {
        let limit = UserLimits.valueBytes
        func value(_ bytes: Int) -> JSONValue { .string(String(repeating: "x", count: bytes - 2)) }
        #expect(error(["custom_attributes": ["a": value(limit)]]) == nil)
        #expect(error(["custom_attributes": ["a": value(limit + 1)]])?.path == "custom_attributes.a")
        let long = String(repeating: "n", count: 255)
        #expect(error(["custom_attributes": .object([long: 1])]) == nil)
        #expect(error(["custom_attributes": .object([long + "n": 1])])?.path == "custom_attributes")
        let id = UserID(rawValue: "u")
        let json: JSONValue = ["custom_attributes": ["a": .null, "b": [1, ["c": 2]]], "attributes": .null]
        let update = try UserUpdate(id: id, json: json)
        #expect(update == UserUpdate(id: id, custom: ["a": .null, "b": [1, ["c": 2]]]))
        #expect(try UserUpdate(id: id, json: ["token": 1], allowing: ["token"]) == UserUpdate(id: id))
        // An address may be empty, so that none is left of another.
        #expect(error(["attributes": ["email": "", "phone": ""]]) == nil)
    }
}
