import Statistics
import Testing
import WireJSON

@testable import CardModel

/// Compares what is counted of a user's attributes, change by change, with counting them all.
@Suite("The room that attributes take, and its model")
struct AttributeUsageModelTests {
    private func value(_ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0...6, using: &random) {
        case 0: .null
        case 1: .integer(Int64.random(in: -1_000...1_000, using: &random))
        case 2: .string(String(repeating: "\u{E9}\"", count: Int.random(in: 0...20, using: &random)))
        case 3: .array((0..<Int.random(in: 0...8, using: &random)).map { .integer(Int64($0)) })
        case 4: ["a": .bool(Bool.random(using: &random)), "b": [1.5, "x"]]
        case 5: .number(Double.random(in: -1...1, using: &random))
        default: .bool(true)
        }
    }

    private func change(_ random: inout SplitMix) -> AttributeChange {
        switch Int.random(in: 0...5, using: &random) {
        case 0: .increment(by: .integer(Int64.random(in: -5...5, using: &random)))
        case 1: .edit(adding: [value(&random)], removing: [value(&random)])
        case 2: .merge(["a": value(&random), "c": value(&random)])
        default: .set(value(&random))
        }
    }

    /// The bytes of a user's attributes as members of an object, each with its quotes, colon and comma.
    private func counted(_ profile: UserProfile) -> (count: Int, bytes: Int) {
        let members = profile.custom.filter { !$0.value.isNull }
        return (members.count, members.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes.count + 4 })
    }

    @Test("Whatever is changed, the room is that of what is there, and a refusal changes nothing", arguments: 0..<30)
    func changes(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var limits = UserLimits()
        limits.attributes = Int.random(in: 1...6, using: &random)
        limits.attributeBytes = Int.random(in: 40...400, using: &random)
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        var usage = AttributeUsage(of: profile)
        var refusals = 0
        for _ in 0..<300 {
            var changes = AttributeChanges()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changes.custom["n\(Int.random(in: 0...8, using: &random))"] = change(&random)
            }
            let (before, room) = (profile, usage)
            do throws(UserLimits.Excess) {
                let isChanged = try profile.apply(changes, within: limits, &usage)
                #expect(isChanged == (profile != before))
                #expect(usage.count <= limits.attributes || usage.count <= room.count)
                #expect(usage.bytes <= limits.attributeBytes || usage.bytes <= room.bytes)
            } catch {
                refusals += 1
                #expect(profile == before && usage == room)
                #expect(error.kind == .attributes || error.kind == .attributeBytes)
            }
            let expected = counted(profile)
            #expect(usage.count == expected.count && usage.bytes == expected.bytes)
            #expect(AttributeUsage(of: profile) == usage)
        }
        #expect(refusals > 0, "The limits were reached.")
    }

    @Test(
        "Attributes of a merged user come where there is none of that name, and the room is for both",
        arguments: 0..<30
    )
    func absorbing(seed: Int) {
        var random = SplitMix(seed: UInt64(100 + seed))
        var limits = UserLimits()
        limits.attributes = Int.random(in: 2...10, using: &random)
        func user(_ id: String) -> UserProfile {
            var user = UserProfile(id: UserID(rawValue: id), createdAt: 0)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                user.custom["n\(Int.random(in: 0...9, using: &random))"] = value(&random)
            }
            return user
        }
        let (one, two) = (user("one"), user("two"))
        var merged = one
        let names = Set(one.custom.keys).union(two.custom.keys)
        do throws(UserLimits.Excess) {
            try merged.absorb(two, within: limits)
            #expect(Set(merged.custom.keys) == names)
            for name in names { #expect(merged.custom[name] == one.custom[name] ?? two.custom[name]) }
            let count = counted(merged).count
            #expect(count <= limits.attributes || count <= counted(one).count)
        } catch {
            #expect(error == UserLimits.Excess(.attributes, limit: limits.attributes))
            #expect(names.count > limits.attributes)
        }
    }
}
