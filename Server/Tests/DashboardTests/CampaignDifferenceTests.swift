import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: what differs between two versions of a campaign")
struct CampaignDifferenceTests {
    private func differences(_ before: JSONValue, _ after: JSONValue) -> [CampaignDifference] {
        CampaignDifference.list(before, after, timeZone: "UTC")
    }

    /// Every way to change one value of what people write, each with the path of the value.
    private func mutations(of json: JSONValue, at path: String = "") -> [(path: String, json: JSONValue)] {
        switch json {
        case .object(let members):
            return members.flatMap { name, value in
                mutations(of: value, at: path.isEmpty ? name : "\(path).\(name)").map { found in
                    var changed = members
                    changed[name] = found.json
                    return (found.path, .object(changed))
                }
            }
        case .array(let elements):
            let fewer = (path, JSONValue.array(Array(elements.dropLast())))
            let others = elements.indices.flatMap { index in
                mutations(of: elements[index], at: "\(path)[\(index)]").map { found in
                    var changed = elements
                    changed[index] = found.json
                    return (found.path, JSONValue.array(changed))
                }
            }
            return elements.isEmpty ? [] : [fewer] + others
        case .string(let text): return [(path, .string(text + "x"))]
        case .integer(let number): return [(path, .integer(number + 1)), (path, .string("\(number)"))]
        case .number, .decimal: return [(path, .integer(77))]
        case .bool(let flag): return [(path, .bool(!flag))]
        case .null: return []
        }
    }

    @Test("Whatever is changed, a difference shows it")
    func everything() throws {
        let campaign = try EverythingCampaign.campaign()
        let content = (campaign.object ?? [:]).filter { name, _ in !Campaign.keptFieldNames.contains(name) }
        let mutations = mutations(of: .object(content))
        #expect(mutations.count > 100)
        for (path, changed) in mutations {
            #expect(!differences(.object(content), changed).isEmpty, "\(path)")
        }
        #expect(differences(campaign, campaign).isEmpty)
    }

    @Test("Of a campaign with thousands of fields the changes are told, too", arguments: [50, 300])
    func large(conditions: Int) {
        func campaign(_ user: String) -> JSONValue {
            let users = (0..<conditions).map { number in
                JSONValue.object(["users": .array([.string("u\(number)"), .string(user)])])
            }
            return ["id": "big", "name": "Big", "audience": ["any": .array(users)]]
        }
        let found = differences(campaign("ann"), campaign("bob"))
        #expect((1...100).contains(found.count))
        #expect(found.contains { $0.before.contains("ann") && $0.after.contains("bob") })
    }

    @Test(
        "What the words of an audience leave out is shown as JSON",
        arguments: [
            (["users": ["a", "b"]], ["users": ["a", "c"]], "\"b\"", "\"c\""),
            (["attribute": "x", "value": "41"], ["attribute": "x", "value": 41], "\"41\"", "41"),
            (["attribute": "x", "value": "true"], ["attribute": "x", "value": true], "\"true\"", "true"),
            (
                ["all": [["users": ["a", "b", "c"]], ["attribute": "x", "value": 1]]],
                ["all": [["users": ["z", "b", "c"]], ["attribute": "x", "value": 2]]], "\"a\"", "\"z\""
            ),
            (
                ["attribute": "x", "value": "\u{E9}"], ["attribute": "x", "value": "e\u{301}"], "x is \\u{e9}",
                "x is e\\u{301}"
            ),
        ] as [(JSONValue, JSONValue, String, String)]
    )
    func audiences(before: JSONValue, after: JSONValue, gone: String, came: String) {
        func campaign(_ audience: JSONValue) -> JSONValue { ["name": "n", "audience": audience, "variants": []] }
        let found = differences(campaign(before), campaign(after))
        #expect(found.contains { $0.before == gone && $0.after == came }, "\(found)")
    }

    @Test("Fields that say it in words aren't repeated as JSON")
    func words() throws {
        let campaign = try EverythingCampaign.campaign()
        var members = campaign.object ?? [:]
        members["name"] = "Another"
        let found = differences(campaign, .object(members))
        #expect(found.count == 1 && found[0].after == "Another")
    }
}
