import CardModel
import OrderedCollections
import Simulation
import WireJSON

/// Audiences made up by chance, as JSON.
enum RandomAudience {
    static let plans: [JSONValue] = ["gold", "silver", "Gold", "", 7, "gold plus"]
    static let numbers: [JSONValue] = [0, 1, 2.5, 7, -3, 1_000_000, "7", 9_007_199_254_740_991]
    static let times: [JSONValue] = [
        "2026-11-10", "2026-11-21T12:00:00Z", "2026-11-24T00:00:00+09:00", "2026-12-24", 1_795_000_000, "soon",
    ]
    static let events = ["cart", "often", "none-of-these"]
    static let products = ["book", "pen"]
    static let campaigns = ["sale", "news"]
    /// The last is not there.
    static let segments = ["one", "two", "missing"]

    static func tree(depth: Int, using random: inout SeededRandom) -> JSONValue {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return leaf(using: &random) }
        let branches = (0..<Int.random(in: 0...3, using: &random)).map { _ in tree(depth: depth - 1, using: &random) }
        return [pick(["all", "any", "none", "AND", "OR"], &random): .array(branches)]
    }

    /// A tree that asks about days, so that its answer may change as they pass.
    static func passing(using random: inout SeededRandom) -> JSONValue {
        while true {
            let tree = tree(depth: 2, using: &random)
            if tree.text.contains("days") { return tree }
        }
    }

    // MARK: Attributes

    static func attribute(_ random: inout SeededRandom) -> JSONValue {
        let name = pick(
            [
                "plan", "plan", "age", "vip", "tags", "since", "since", "country", "language", "app_version",
                "created_at", "last_seen_at", "user_id",
            ],
            &random
        )
        var members: JSONObject = [:]
        let isCustom =
            ["plan", "age", "vip", "tags", "since"].contains(name) && Int.random(in: 0..<3, using: &random) == 0
        members[isCustom ? "custom_attribute_name" : "attribute"] = .string(name)
        let (comparison, value) = comparison(of: name, &random)
        members["comparison"] = .string(comparison)
        if !value.isNull { members["value"] = value }
        return isCustom ? ["custom_attribute": .object(members)] : .object(members)
    }

    private static func comparison(of name: String, _ random: inout SeededRandom) -> (String, JSONValue) {
        let words: [JSONValue] = plans + ["JP", "FR", "ja", "a", true, false, 1, 2, "2.10", "person-7"]
        let orders = ["greater_than", "greater_than_or_equal_to", "less_than", "less_than_or_equal_to"]
        if name == "app_version", Bool.random(using: &random) {
            return (pick(orders, &random), .string(pick(["1.0", "2.9", "2.10", "3"], &random)))
        }
        if ["since", "created_at", "last_seen_at"].contains(name), Int.random(in: 0..<4, using: &random) > 0 {
            return timeComparison(&random)
        }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return (pick(["exists", "does_not_exist"], &random), .null)
        case 1 where name != "app_version": return (pick(orders, &random), pick(numbers.filter { $0 != "7" }, &random))
        case 2:
            let values = (0..<3).map { _ in pick(words, &random) }
            return (pick(["is_any_of", "is_none_of"], &random), .array(values))
        case 3:
            return (
                pick(["contains", "does_not_contain"], &random), .string(pick(["ol", "g", "1", "person-1"], &random))
            )
        case 4:
            let patterns = ["^g", "(old|er)$", "^[A-Z]", "\\d+$", "(?i)^GOLD", "l{1}d? ?p", "^$", "[^a-z]"]
            return (pick(["matches_regex", "does_not_match_regex"], &random), .string(pick(patterns, &random)))
        case 5: return (pick(["includes_value", "does_not_include_value"], &random), pick(words, &random))
        default: return (pick(["equals", "not_equal"], &random), pick(words + numbers, &random))
        }
    }

    private static func timeComparison(_ random: inout SeededRandom) -> (String, JSONValue) {
        if Bool.random(using: &random) {
            return (pick(["before", "after"], &random), pick(times.filter { $0 != "soon" }, &random))
        }
        let names = [
            "less_than_x_days_ago", "greater_than_x_days_ago", "less_than_x_days_in_the_future",
            "greater_than_x_days_in_the_future",
        ]
        return (pick(names, &random), .number(Double(Int.random(in: 0...60, using: &random)) / 2).whole)
    }

    // MARK: History

    static func history(
        _ subject: JSONObject,
        _ random: inout SeededRandom
    ) -> JSONValue {
        var members = subject
        let orders = [
            "equals", "not_equal", "greater_than", "greater_than_or_equal_to", "less_than", "less_than_or_equal_to",
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1:
            members["measure"] = .string(pick(["first", "last"], &random))
            switch Int.random(in: 0..<3, using: &random) {
            case 0: members["comparison"] = .string(pick(["exists", "does_not_exist"], &random))
            case 1:
                members["comparison"] = .string(pick(["before", "after"], &random))
                members["value"] = pick(times.filter { $0 != "soon" }, &random)
            default:
                members["comparison"] = .string(pick(["less_than_x_days_ago", "greater_than_x_days_ago"], &random))
                members["value"] = .integer(Int64.random(in: 0...12, using: &random))
            }
            return .object(members)
        default:
            members["comparison"] = .string(pick(orders, &random))
            members["value"] = .integer(pick([0, 1, 2, 3, 5, 60, 99], &random))
        }
        addWindow(to: &members, &random)
        return .object(members)
    }

    static func purchase(_ random: inout SeededRandom) -> JSONValue {
        var members: JSONObject = [:]
        if Bool.random(using: &random) { members["product_id"] = .string(pick(products, &random)) }
        guard Int.random(in: 0..<3, using: &random) == 0 else { return ["purchase": history(members, &random)] }
        members["measure"] = "revenue"
        members["currency"] = .string(pick(["USD", "JPY", "EUR"], &random))
        members["comparison"] = .string(pick(["greater_than", "less_than", "equals"], &random))
        members["value"] = .integer(pick([0, 6, 20], &random))
        addWindow(to: &members, &random)
        return ["purchase": .object(members)]
    }

    static func addWindow(to members: inout JSONObject, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: members["within_days"] = .integer(Int64.random(in: 1...13, using: &random))
        case 1: members["within_calendar_days"] = .integer(Int64.random(in: 1...13, using: &random))
        default: break
        }
    }

    static func pick<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}

extension JSONValue {
    /// The number as parsing would give it.
    fileprivate var whole: JSONValue { integer.map(JSONValue.integer) ?? self }
}
