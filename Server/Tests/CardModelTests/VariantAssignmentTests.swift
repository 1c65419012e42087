import CardModel
import Statistics
import Testing

@Suite("Users are divided among variants")
struct VariantAssignmentTests {
    @Test(
        "The hash is the one that it always was",
        arguments: [
            ("", "", 0xB903_4AD3_7056_F5FB), ("cmp_a", "user-1", 0x57D5_4647_469F_2988),
            ("cmp_a", "user-2", 0x0906_D1E8_486F_8F02),
            ("cmp_b", "user-1", 0xE0F2_70E5_E11F_DE75), ("cmp_a", "ユーザー", 0xC509_FC6E_908C_E6EE),
            ("a", "bc", 0xDF52_F2B0_1FB6_2DC7),
            ("ab", "c", 0xC87D_91E7_DC16_F99D),
        ] as [(String, String, UInt64)]
    )
    func hashes(first: String, second: String, hash: UInt64) {
        #expect(StableHash.of(first, second) == hash)
    }

    @Test(
        "The first forty users get the variants that they always got",
        arguments: [
            ("cmp_a", [1, 1], "aabaaaaabababbabbaaaaababbababbaabaaabba"),
            ("cmp_a", [50, 30, 20], "aacacaacaabacbabaacaaaaabbaccbbacbaaccbc"),
            ("cmp_b", [1, 1], "aabbabbbabaaaaaabbabaaabbbbaababbbbbbaaa"),
        ]
    )
    func assigns(campaign: String, weights: [Int], variants: String) {
        let campaign = Self.campaign(campaign, weights)
        let assigned = (0..<40).compactMap { Self.assign(campaign, "user-\($0)") }
        #expect(assigned.joined() == variants)
    }

    @Test("Shares are as the weights say", arguments: [[1, 1], [90, 10], [1, 0, 2], [5, 5, 5, 5], [1_000_000, 1]])
    func divides(weights: [Int]) {
        let campaign = Self.campaign("cmp_shares", weights)
        let count = 10_000
        var found: [String: Int] = [:]
        for number in 0..<count { found[Self.assign(campaign, "user-\(number)") ?? "-", default: 0] += 1 }
        let total = Double(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            let share = Double(weight) / total
            let expected = share * Double(count)
            // Five standard deviations, and one for the share that is next to nothing.
            let margin = 5 * (expected * (1 - share)).squareRoot() + 1
            #expect(abs(Double(found[Self.name(index), default: 0]) - expected) <= margin)
        }
        #expect(found["-"] == nil)
    }

    @Test("Shares pass a chi-square test, for ids of several kinds", arguments: [[1, 1], [50, 30, 20], [1, 99]])
    func isUniform(weights: [Int]) throws {
        let campaign = Self.campaign("cmp_uniform", weights)
        for prefix in ["", "user-", "0190b2f0-5f3e-7cc1-8000-", "ユーザー"] {
            var counts = [Int64](repeating: 0, count: weights.count)
            for number in 0..<10_000 {
                let name = try #require(Self.assign(campaign, "\(prefix)\(number)"))
                counts[try #require(Self.names.firstIndex(of: name))] += 1
            }
            let group = SampleRatioTest.Group(weights: weights.map(Double.init), counts: counts)
            #expect(try #require(SampleRatioTest([group])).singleLookPValue > 0.0005)
        }
    }

    @Test("A place in one campaign says nothing of the place in another, nor under another salt")
    func isIndependent() throws {
        let one = Self.campaign("cmp_one", [1, 1])
        var salted = one
        salted.content.salt = "again"
        for other in [Self.campaign("cmp_two", [1, 1]), Self.campaign("cmp_ond", [1, 1]), salted] {
            var counts: [String: Int64] = [:]
            for number in 0..<10_000 {
                let user = "user-\(number)"
                counts[(Self.assign(one, user) ?? "") + (Self.assign(other, user) ?? ""), default: 0] += 1
            }
            #expect(counts.count == 4)
            let group = SampleRatioTest.Group(weights: [1, 1, 1, 1], counts: Array(counts.values))
            #expect(try #require(SampleRatioTest([group])).singleLookPValue > 0.0005)
        }
    }

    @Test(
        "A weight that is raised moves only users to its variant, and one that is lowered only users from it",
        arguments: [
            ([1, 1, 1], [2, 1, 1], 0), ([5, 3, 2], [5, 3, 20], 2), ([4, 3, 3], [1, 3, 3], 0),
            ([1, 1, 0], [1, 1, 1], 2),
            ([2, 1, 1], [2, 1, 0], 2),
        ]
    )
    func movesFew(before: [Int], after: [Int], changed: Int) {
        let (old, new) = (Self.campaign("cmp_move", before), Self.campaign("cmp_move", after))
        var moved = 0
        for number in 0..<10_000 {
            let (from, to) = (Self.assign(old, "user-\(number)"), Self.assign(new, "user-\(number)"))
            guard from != to else { continue }
            moved += 1
            #expect((after[changed] > before[changed] ? to : from) == Self.name(changed))
        }
        // No fewer can move than the share of the changed variant changes by.
        func share(_ weights: [Int]) -> Double { Double(weights[changed]) / Double(weights.reduce(0, +)) }
        #expect(abs(Double(moved) / 10_000 - abs(share(after) - share(before))) < 0.02)
    }

    @Test("Neither the order of the variants nor the scale of their weights moves anybody")
    func isStable() {
        let campaign = Self.campaign("cmp_stable", [3, 2, 1])
        var turned = Self.campaign("cmp_stable", [30, 20, 10])
        turned.content.variants.reverse()
        #expect((0..<2_000).allSatisfy { Self.assign(campaign, "user-\($0)") == Self.assign(turned, "user-\($0)") })
    }

    @Test("Where every weight is 0 nobody gets anything")
    func assignsNobody() {
        #expect(Self.assign(Self.campaign("c", [0, 0]), "u") == nil)
    }

    private static let names = ["a", "b", "c", "d"]
    private static func name(_ index: Int) -> String { names[index] }

    private static func campaign(_ id: String, _ weights: [Int]) -> Campaign {
        Sample.campaign(id, variants: weights.enumerated().map { Sample.variant(name($0.offset), weight: $0.element) })
    }

    private static func assign(_ campaign: Campaign, _ user: String) -> String? {
        VariantAssignment.variant(of: campaign, for: UserID(rawValue: user))?.id.rawValue
    }
}
