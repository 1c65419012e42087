import CardModel
import Foundation
import WireJSON

/// The meaning of an audience, written again from its documentation, in the plainest way and from the JSON alone.
struct NaiveAudience {
    static let workspaceZone = "Asia/Kathmandu"
    private static let day = 86_400.0

    let now: UnixTime
    let segments: [SegmentID: JSONValue]

    func means(_ person: RandomPerson, _ json: JSONValue) -> Bool {
        guard let members = json.object, let (name, value) = members.elements.first else { return true }
        let branches = value.array ?? []
        switch name {
        case "all", "AND": return branches.filter { !means(person, $0) }.isEmpty
        case "any", "OR": return !branches.filter { means(person, $0) }.isEmpty
        case "none": return branches.filter { means(person, $0) }.isEmpty
        default: return holds(name, value, in: json, of: person)
        }
    }

    // MARK: Attributes

    func attribute(_ name: String, of person: RandomPerson) -> JSONValue? {
        switch name {
        case "country": person.country.map { .string($0) } ?? person.locale.map { .string(String($0.suffix(2))) }
        case "language": person.locale.map { .string(String($0.prefix(2))) }
        case "time_zone": person.zone.map { .string($0) }
        case "app_version": person.appVersion.map { .string($0) }
        case "created_at": .number(person.createdAt)
        case "last_seen_at": person.seenAt.map { .number($0) }
        case "user_id": .string(person.id.rawValue)
        default: person.custom[name]
        }
    }

    func compare(_ found: JSONValue?, _ clause: JSONValue) -> Bool {
        let comparison = clause["comparison"]?.string ?? "equals"
        let value = clause["value"] ?? .null
        switch comparison {
        case "exists": return found != nil
        case "does_not_exist": return found == nil
        case "not_equal": return !same(found, value)
        case "is_none_of": return !(value.array ?? []).contains { same(found, $0) }
        case "does_not_include_value": return !(found?.array ?? []).contains { same($0, value) }
        case "does_not_contain": return !(found?.string?.contains(value.string ?? "") ?? false)
        case "does_not_match_regex": return !matches(found, value)
        case "equals": return same(found, value)
        case "is_any_of": return (value.array ?? []).contains { same(found, $0) }
        case "includes_value": return (found?.array ?? []).contains { same($0, value) }
        case "contains": return found?.string?.contains(value.string ?? "") ?? false
        case "matches_regex": return matches(found, value)
        default: break
        }
        guard let found else { return false }
        if clause["attribute"]?.string == "app_version" { return compareVersions(found, comparison, value) }
        guard let moment = moment(found) else { return false }
        return compare(moment, comparison, value)
    }

    private func same(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        guard let left else { return false }
        if let left = left.double, let right = right.double { return left == right }
        return left == right
    }

    private func matches(_ found: JSONValue?, _ value: JSONValue) -> Bool {
        guard let text = found?.string, let pattern = value.string else { return false }
        let all = NSRange(text.startIndex..., in: text)
        return (try? NSRegularExpression(pattern: pattern))?.firstMatch(in: text, range: all) != nil
    }

    private func compareVersions(_ found: JSONValue, _ comparison: String, _ value: JSONValue) -> Bool {
        let order = (found.string ?? "").compare(value.string ?? "", options: .numeric)
        switch comparison {
        case "greater_than": return order == .orderedDescending
        case "greater_than_or_equal_to": return order != .orderedAscending
        case "less_than": return order == .orderedAscending
        case "less_than_or_equal_to": return order != .orderedDescending
        default: return false
        }
    }

    private func moment(_ value: JSONValue) -> Double? {
        guard let text = value.string else { return value.double }
        let formatter = ISO8601DateFormatter()
        // plain: only tests read texts with it, and theirs are plain
        if let date = formatter.date(from: text) { return date.timeIntervalSince1970 }
        formatter.formatOptions = [.withFullDate]
        // plain: only tests read texts with it, and theirs are plain
        return formatter.date(from: text)?.timeIntervalSince1970
    }

    private func compare(_ found: Double, _ comparison: String, _ value: JSONValue) -> Bool {
        let number = moment(value) ?? 0
        switch comparison {
        case "equals": return found == number
        case "not_equal": return found != number
        case "greater_than", "after": return found > number
        case "greater_than_or_equal_to": return found >= number
        case "less_than", "before": return found < number
        case "less_than_or_equal_to": return found <= number
        case "less_than_x_days_ago": return found <= now && now - found < number * Self.day
        case "greater_than_x_days_ago": return now - found >= number * Self.day
        case "less_than_x_days_in_the_future": return found > now && found - now <= number * Self.day
        case "greater_than_x_days_in_the_future": return found - now > number * Self.day
        default: fatalError("The reference does not know \(comparison).")
        }
    }

    // MARK: What was done

    func isRecent(_ time: UnixTime, _ person: RandomPerson, _ clause: JSONValue) -> Bool {
        if let days = clause["within_days"]?.double { return now - time < days * Self.day }
        guard let days = clause["within_calendar_days"]?.integer else { return true }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: person.zone ?? Self.workspaceZone) ?? .gmt
        let today = calendar.startOfDay(for: Date(timeIntervalSince1970: now))
        guard let first = calendar.date(byAdding: .day, value: 1 - Int(days), to: today) else { return false }
        return time >= calendar.startOfDay(for: first).timeIntervalSince1970
    }

    func compare(_ times: [UnixTime], _ person: RandomPerson, _ clause: JSONValue) -> Bool {
        let comparison = clause["comparison"]?.string
        switch clause["measure"]?.string ?? "count" {
        case "count":
            let count = times.filter { isRecent($0, person, clause) }.count
            return compare(Double(count), comparison ?? "greater_than_or_equal_to", clause["value"] ?? 1)
        case "first": return compare(times.min(), comparison ?? "", clause)
        default: return compare(times.max(), comparison ?? "", clause)
        }
    }

    private func compare(_ time: UnixTime?, _ comparison: String, _ clause: JSONValue) -> Bool {
        if comparison == "exists" { return time != nil }
        if comparison == "does_not_exist" { return time == nil }
        guard let time else { return false }
        return compare(time, comparison, clause["value"] ?? .null)
    }

    func comparePurchases(_ person: RandomPerson, _ clause: JSONValue) -> Bool {
        let product = clause["product_id"]?.string
        let purchases = person.purchases.filter { product == nil || $0.product == product }
        guard clause["measure"] == "revenue" else { return compare(purchases.map(\.at), person, clause) }
        let paid = purchases.filter { .string($0.currency) == clause["currency"] && isRecent($0.at, person, clause) }
            .map { $0.price.double * Double($0.quantity) }.reduce(0, +)
        return compare(paid, clause["comparison"]?.string ?? "", clause["value"] ?? .null)
    }
}
