import Statistics
import Testing

@testable import CardModel

@Suite("Weights of variants as they were when users were divided")
struct VariantAllocationModelTests {
    @Test("An allocation is the same through its text, whatever its ids and weights", arguments: 0..<30)
    func texts(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var weights: [VariantID: Int] = [:]
        for number in 0..<Int.random(in: 0...20, using: &random) {
            let id = ["a", "Z", "0", "_", "-", ".", "a.b-c_d"].randomElement(using: &random) ?? "a"
            weights[VariantID(rawValue: "\(id)\(number)")] = Int.random(in: 0...1_000_000, using: &random)
        }
        let allocation = VariantAllocation(weights)
        #expect(allocation.weights == weights.filter { $0.value > 0 })
        #expect(VariantAllocation(allocation.text) == allocation)
        // The order of a dictionary isn't that of the text.
        let reversed = weights.sorted { $1.key < $0.key }
        let other = VariantAllocation(Dictionary(uniqueKeysWithValues: reversed.map { ($0.key, $0.value) }))
        #expect(other.text == allocation.text)
    }

    @Test(
        "What is no list of ids and weights is no allocation",
        arguments: ["a", "a:", ":1", "a:1,b", "a:x", "a b:1", "a:1:b", "a:1.5", "a:99999999999999999999", "\u{E9}:1"]
    )
    func refused(text: String) {
        #expect(VariantAllocation(text) == nil)
    }

    @Test("A campaign has an allocation where its users are divided, and only then")
    func campaigns() {
        func allocation(_ weights: [Int]) -> String? {
            let variants = weights.enumerated().map { Sample.variant("v\($0.offset)", weight: $0.element) }
            return Sample.campaign("c", variants: variants).allocation?.text
        }
        #expect(allocation([1]) == nil && allocation([5, 0]) == nil && allocation([0, 0]) == nil)
        #expect(allocation([2, 1]) == "v0:2,v1:1" && allocation([1, 0, 3]) == "v0:1,v2:3")
    }

    @Test("Taking weight from a variant moves users of that one, and of no other", arguments: 0..<6)
    func moves(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let weights = (0..<Int.random(in: 2...5, using: &random)).map { _ in Int.random(in: 2...20, using: &random) }
        let changed = Int.random(in: weights.indices, using: &random)
        let less = Int.random(in: 0...weights[changed] / 2, using: &random)
        func campaign(_ weight: Int) -> Campaign {
            let variants = weights.indices.map { index in
                Sample.variant("v\(index)", weight: index == changed ? weight : weights[index])
            }
            return Sample.campaign("c\(seed)", variants: variants)
        }
        let (before, after) = (campaign(weights[changed]), campaign(less))
        var moved = 0
        for number in 0..<3_000 {
            let user = UserID(rawValue: "user-\(number)")
            let old = VariantAssignment.variant(of: before, for: user)
            let new = VariantAssignment.variant(of: after, for: user)
            guard old?.id != new?.id else { continue }
            moved += 1
            #expect(old?.id.rawValue == "v\(changed)")
        }
        #expect(moved > 0)
    }

    @Test(
        "The largest weights divide users as the smallest do, and a tiny share is hardly anybody's",
        arguments: [1, 1_000, 1_000_000]
    )
    func extremes(scale: Int) {
        func campaign(_ one: Int, _ two: Int) -> Campaign {
            Sample.campaign("c", variants: [Sample.variant("a", weight: one), Sample.variant("b", weight: two)])
        }
        func variant(_ campaign: Campaign, _ user: Int) -> String? {
            VariantAssignment.variant(of: campaign, for: UserID(rawValue: "\(user)"))?.id.rawValue
        }
        for user in 0..<500 { #expect(variant(campaign(scale, scale), user) == variant(campaign(1, 1), user)) }
        for user in 0..<500 { #expect(variant(campaign(scale, 0), user) == "a") }
        // One in a million, of two thousand.
        #expect((0..<2_000).filter { variant(campaign(1_000_000, 1), $0) == "b" }.count <= 1)
    }
}
