import WireJSON

/// The weights by which users were divided among variants: what the sample ratio is held to.
public struct VariantAllocation: Sendable, Hashable {
    /// The weights above 0.
    public let weights: [VariantID: Int]

    /// Takes the weights above 0.
    public init(_ weights: [VariantID: Int]) { self.weights = weights.filter { $0.value > 0 } }

    /// The weights as one text, the same for the same weights: `a:1,control:3`.
    public var text: String {
        weights.sorted { $0.key < $1.key }.map { "\($0.key.rawValue):\($0.value)" }
            .joined(separator: ",")
    }

    /// Reads the text, or returns `nil` where it is none.
    public init?(_ text: String) {
        var weights: [VariantID: Int] = [:]
        for part in text.split(at: ",") {
            guard let colon = part.utf8.lastIndex(of: UInt8(ascii: ":")),
                let weight = Int(part[part.utf8.index(after: colon)...]),
                // safe: an element of the text
                let variant = VariantID(checking: String(part[..<colon]))
            else { return nil }
            weights[variant] = weight
        }
        self.init(weights)
    }
}

extension Campaign {
    /// The present division of users, or `nil` where there is only one variant to get.
    public var allocation: VariantAllocation? {
        let allocation = VariantAllocation(
            Dictionary(content.variants.map { ($0.id, $0.weight) }, uniquingKeysWith: { first, _ in first })
        )
        return allocation.weights.count > 1 ? allocation : nil
    }
}
