/// Names edges of a rectangle.
public struct UIRectEdge: OptionSet, Sendable {
    /// One bit an edge.
    public let rawValue: UInt

    /// Creates edges from their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The top.
    public static let top = UIRectEdge(rawValue: 1)
    /// The left side.
    public static let left = UIRectEdge(rawValue: 2)
    /// The bottom.
    public static let bottom = UIRectEdge(rawValue: 4)
    /// The right side.
    public static let right = UIRectEdge(rawValue: 8)
    /// All edges.
    public static let all = UIRectEdge(rawValue: 15)
}
