import Liquid
import WireJSON

/// A clause on an attribute, compiled.
struct AttributeTest: FilterTest {
    private enum Test: Sendable {
        case exists
        case equals(JSONValue)
        case isAnyOf(ValueChoice)
        case includes(JSONValue)
        case contains(ByteSearch)
        case matches(TextPattern)
        case ordered(Order.Relation, JSONValue, moment: UnixTime?)
        case version(Order.Relation, VersionNumber)
        case time(TimeTest)
        case never
    }

    private let name: AttributeClause.Name
    private let test: Test
    /// Whether the comparison says *not*: then it holds wherever the test does not, without an attribute too.
    private let isNegated: Bool

    init(_ clause: AttributeClause) {
        name = clause.name
        (test, isNegated) = Self.test(clause)
    }

    /// Relative to other tests.
    var cost: Int {
        switch test {
        case .exists, .never: 3
        case .equals, .isAnyOf: 4
        case .includes, .contains, .ordered, .time: 5
        case .version: 8
        case .matches: 30
        }
    }

    private static func test(_ clause: AttributeClause) -> (Test, isNegated: Bool) {
        let value = clause.value
        switch clause.comparison {
        case .exists: return (.exists, false)
        case .doesNotExist: return (.exists, true)
        case .equals: return (.equals(value), false)
        case .notEqual: return (.equals(value), true)
        case .isAnyOf: return (.isAnyOf(ValueChoice(value.array ?? [])), false)
        case .isNoneOf: return (.isAnyOf(ValueChoice(value.array ?? [])), true)
        case .includesValue: return (.includes(value), false)
        case .doesNotIncludeValue: return (.includes(value), true)
        case .contains: return (.contains(ByteSearch(value.string ?? "")), false)
        case .doesNotContain: return (.contains(ByteSearch(value.string ?? "")), true)
        case .matchesRegex: return (pattern(value), false)
        case .doesNotMatchRegex: return (pattern(value), true)
        case .greaterThan: return (ordered(.greater, clause), false)
        case .greaterThanOrEqual: return (ordered(.greaterOrSame, clause), false)
        case .lessThan: return (ordered(.less, clause), false)
        case .lessThanOrEqual: return (ordered(.lessOrSame, clause), false)
        case .before, .after, .lessThanDaysAgo, .greaterThanDaysAgo, .lessThanDaysAhead, .greaterThanDaysAhead:
            let test = Timestamp.moment(of: value).flatMap { TimeTest(clause.comparison, $0) }
            return (test.map(Test.time) ?? .never, false)
        }
    }

    private static func pattern(_ value: JSONValue) -> Test {
        (try? TextPattern(value.string ?? "")).map(Test.matches) ?? .never
    }

    private static func ordered(_ relation: Order.Relation, _ clause: AttributeClause) -> Test {
        guard clause.name == .system(.appVersion) else {
            return .ordered(relation, clause.value, moment: Timestamp.moment(of: clause.value))
        }
        return VersionNumber(clause.value).map { .version(relation, $0) } ?? .never
    }

    /// The requirements of which a user has to have one for the clause to hold, or `nil` for a clause that holds
    /// without an attribute.
    var requirements: Set<AudienceRequirement>? {
        guard !isNegated else { return nil }
        switch test {
        case .never: return []
        case .equals(let value): return requirements(of: [value])
        case .isAnyOf(let choice): return requirements(of: choice.values)
        default: return [.attribute(name)]
        }
    }

    private func requirements(of values: [JSONValue]) -> Set<AudienceRequirement> {
        let known = values.compactMap { AudienceRequirement.value(of: name, $0) }
        return known.count == values.count && known.count <= AudienceRequirement.limit ? Set(known) : [.attribute(name)]
    }

    func found(_ facts: UserFacts) -> JSONValue? { facts.profile.value(of: name) }

    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        guard let found = facts.profile.value(of: name) else { return isNegated }
        switch test {
        case .matches(let pattern): return holds(found) { facts.patterns.matches(pattern, $0) }
        case .contains(let part): return holds(found) { facts.patterns.finds(part, in: $0) }
        default: break
        }
        guard mayLook(at: found, facts.patterns) else { return false }
        return passes(found, at: facts.now, &until) != isNegated
    }

    /// Takes the work of comparing a long value, and returns whether there was as much.
    private func mayLook(at found: JSONValue, _ work: PatternWork) -> Bool {
        switch (test, found) {
        case (.isAnyOf(let choice), .string(let text)):
            let count = text.utf8.count
            return count > choice.longestText || work.takesBytes(count)
        // A time may have any number of digits.
        case (.ordered, .string(let text)), (.time, .string(let text)), (.version, .string(let text)):
            return work.takesBytes(text.utf8.count)
        case (.includes(let value), .array(let elements)):
            return work.takesSteps(elements.count * value.comparingSteps)
        default: return true
        }
    }

    /// Whether the text matches, or does not, as it should; neither where finding out takes too much work.
    private func holds(_ found: JSONValue, _ matches: (String) -> Bool?) -> Bool {
        guard case .string(let text) = found else { return isNegated }
        return matches(text).map { $0 != isNegated } ?? false
    }

    private func passes(_ found: JSONValue, at now: UnixTime, _ until: inout UnixTime) -> Bool {
        switch test {
        case .exists: return true
        case .never, .matches, .contains: return false
        case .equals(let value): return found.isEqual(to: value)
        case .isAnyOf(let choice): return choice.contains(found)
        case .includes(let value):
            guard case .array(let elements) = found else { return false }
            return elements.contains { $0.isEqual(to: value) }
        case .ordered(let relation, let value, let moment):
            return Order(found, value, moment: moment).map(relation.allows) ?? false
        case .version(let relation, let version):
            return VersionNumber(found).map { relation.allows(Order($0, version)) } ?? false
        case .time(let test):
            return Timestamp.moment(of: found).map { test.holds($0, at: now, &until) } ?? false
        }
    }
}

/// The order of one value to another.
enum Order: Sendable {
    case less
    case same
    case greater

    /// The relation that a clause asks for.
    enum Relation: Sendable {
        case less
        case lessOrSame
        case greater
        case greaterOrSame

        func allows(_ order: Order) -> Bool {
            switch self {
            case .less: order == .less
            case .lessOrSame: order != .greater
            case .greater: order == .greater
            case .greaterOrSame: order != .less
            }
        }
    }

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .less : left > right ? .greater : .same
    }

    /// Compares two numbers of which one has more digits than a `Double`, or returns `nil` for other values.
    init?(exactly left: JSONValue, _ right: JSONValue) {
        switch (left, right) {
        case (.decimal, _), (_, .decimal): break
        // As a double, the largest whole number would equal the next that is none of 64 bits.
        case (.integer(let whole), .number), (.number, .integer(let whole)):
            guard whole.magnitude > 1 << 53 else { return nil }
        default: return nil
        }
        guard let left = left.exact, let right = right.exact else { return nil }
        self.init(left, right)
    }

    /// Compares numbers, or else points in time; other values have no order.
    init?(_ left: JSONValue, _ right: JSONValue, moment: UnixTime?) {
        if case .integer(let left) = left, case .integer(let right) = right {
            self.init(left, right)
        } else if let order = Order(exactly: left, right) {
            self = order
        } else if let moment, let left = Timestamp.moment(of: left) {
            self.init(left, moment)
        } else {
            return nil
        }
    }
}
