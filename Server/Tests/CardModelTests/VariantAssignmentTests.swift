import CardModel
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
            ("cmp_a", [1, 1], "baabbababaaaaaabbbbaaababaaaaabbbbbbabba"),
            ("cmp_a", [50, 30, 20], "caabbababaaaaaacbbbaaacabaaaaacbcbbbacba"),
            ("cmp_b", [1, 1], "abababababbbaaaabbbbaaaabbaabbaaaaabaabb"),
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

    @Test("A place in one campaign says nothing of the place in another")
    func isIndependent() {
        let (one, two) = (Self.campaign("cmp_one", [1, 1]), Self.campaign("cmp_two", [1, 1]))
        let same = (0..<5_000).filter { Self.assign(one, "user-\($0)") == Self.assign(two, "user-\($0)") }.count
        #expect(abs(same - 2_500) < 200)
    }

    @Test("Where every weight is 0 nobody gets anything")
    func assignsNobody() {
        #expect(Self.assign(Self.campaign("c", [0, 0]), "u") == nil)
    }

    private static func name(_ index: Int) -> String { ["a", "b", "c", "d"][index] }

    private static func campaign(_ id: String, _ weights: [Int]) -> Campaign {
        Sample.campaign(id, variants: weights.enumerated().map { Sample.variant(name($0.offset), weight: $0.element) })
    }

    private static func assign(_ campaign: Campaign, _ user: String) -> String? {
        VariantAssignment.variant(of: campaign, for: UserID(rawValue: user))?.id.rawValue
    }
}
