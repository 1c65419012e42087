import WireJSON

/// The traffic of variants in whole per cents.
enum TrafficSplit {
    /// The share of a new control group, in per cent.
    static let usualControl = 10

    /// Returns whole numbers in proportion to some weights that add up to a total.
    ///
    /// What is left over after rounding down goes to those that lost most. Without any weight, all get the same.
    static func shares(of weights: [Double], total: Int) -> [Int] {
        guard !weights.isEmpty else { return [] }
        let sum = weights.reduce(0, +)
        let isKnown = sum > 0 && sum.isFinite
        let exact = weights.map { weight in
            isKnown ? Double(total) * (weight / sum) : Double(total) / Double(weights.count)
        }
        var shares = exact.map { Int(Int64(nearest: $0.rounded(.down))) }
        // safe: the shares of a total that is a hundred
        let left = max(0, total - shares.reduce(0, +))
        let order = exact.indices.sorted { exact[$0] - Double(shares[$0]) > exact[$1] - Double(shares[$1]) }
        // safe: places of the list
        for index in order.prefix(left) { shares[index] += 1 }
        return shares
    }

    /// Returns the whole per cents of a campaign's weights, or `nil` where they don't divide into such.
    static func percents(of variants: [JSONValue]) -> [Int64]? {
        let weights = variants.map { $0[.weight]?.integer ?? -1 }
        guard weights.allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
        let total = weights.reduce(Int64(0)) { $0.addingClamped($1) }
        // safe: a hundred times a million, and a total above 0
        guard total > 0, weights.allSatisfy({ $0 * 100 % total == 0 }) else { return nil }
        // safe: as above
        return weights.map { $0 * 100 / total }
    }

    /// Returns the weights of a campaign, by variant, where a form has the same variants with the per cents that were
    /// shown for them.
    ///
    /// Other weights in the same proportion would say the same; so only an edited split changes what is stored.
    static func unchanged(_ rows: [JSONValue], over variants: [JSONValue]) -> [String: JSONValue] {
        guard rows.count == variants.count, let percents = percents(of: variants) else { return [:] }
        let typed = Dictionary(rows.map { ($0.trimmed(.id), TypedNumber.weight(of: $0) ?? -1) }) { first, _ in first }
        var weights: [String: JSONValue] = [:]
        for (variant, percent) in zip(variants, percents) {
            let id = variant.value(.id)
            guard typed[id] == percent else { return [:] }
            weights[id] = variant[.weight]
        }
        return weights
    }

    /// The weight that a field holds; 0 for anything that is no number.
    static func weight(of variant: JSONValue) -> Double { max(0, Double(TypedNumber.weight(of: variant) ?? 0)) }
}

extension CampaignDraft {
    /// Adds a variant, so that the weights of all are per cents.
    ///
    /// A control gets the share that is asked for. Any other variant gets as much as the others have on average, and
    /// the control keeps its share.
    // safe: places of the list, and per cents
    mutating func addVariant(_ variant: JSONValue, controlShare: Int) {
        var all = variants
        let isControl = variant.isOn(.control)
        let added = all.count
        all.append(variant)
        let others = all.indices.filter { $0 != added && (isControl || !all[$0].isOn(.control)) }
        let fixed = all.indices.filter { $0 != added && !others.contains($0) }
        // The control's share is of what was there before.
        let before = TrafficSplit.shares(of: variants.map(TrafficSplit.weight), total: 100)
        let rest = 100 - fixed.reduce(0) { $0 + before[$1] }
        let share = isControl ? min(99, max(1, controlShare)) : rest / (others.count + 1)
        let shares = TrafficSplit.shares(of: others.map { TrafficSplit.weight(of: all[$0]) }, total: rest - share)
        func set(_ index: Int, _ weight: Int) {
            var members = all[index].object ?? [:]
            members[.weight] = .string(String(weight))
            all[index] = .object(members)
        }
        for index in fixed { set(index, before[index]) }
        for (index, weight) in zip(others, shares) { set(index, weight) }
        set(added, share)
        fields = FormPlace("variants").changing(fields) { _ in .array(all) }
    }

    /// Divides 100 % again among the variants that are left, in proportion to what they had.
    mutating func splitAmongVariants() {
        let shares = TrafficSplit.shares(of: variants.map(TrafficSplit.weight), total: 100)
        let all = zip(variants, shares).map { variant, share in
            var members = variant.object ?? [:]
            members[.weight] = .string(String(share))
            return JSONValue.object(members)
        }
        fields = FormPlace("variants").changing(fields) { _ in .array(all) }
    }
}
