/// Says how much a constraint matters.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// From 1 to 1000.
    public var rawValue: Float

    /// Creates a priority from its value.
    public init(rawValue: Float) {
        self.rawValue = rawValue
    }

    /// Creates a priority from its value.
    public init(_ rawValue: Float) {
        self.rawValue = rawValue
    }

    /// Must hold.
    public static let required = UILayoutPriority(1_000)
    /// Matters much.
    public static let defaultHigh = UILayoutPriority(750)
    /// Matters little.
    public static let defaultLow = UILayoutPriority(250)
    /// As close to the smallest size as possible.
    public static let fittingSizeLevel = UILayoutPriority(50)
}

/// Ties an edge or length of one view to that of another.
@preconcurrency @MainActor
open class NSLayoutConstraint: NSObject {
    /// Names an edge or length.
    public enum Attribute: Int, Sendable {
        /// The left edge.
        case left = 1
        /// The right edge.
        case right = 2
        /// The upper edge.
        case top = 3
        /// The lower edge.
        case bottom = 4
        /// The edge where text begins.
        case leading = 5
        /// The edge where text ends.
        case trailing = 6
        /// The width.
        case width = 7
        /// The height.
        case height = 8
        /// The middle from side to side.
        case centerX = 9
        /// The middle from top to bottom.
        case centerY = 10
        /// The line that the last line of text stands on.
        case lastBaseline = 11
        /// The line that the first line of text stands on.
        case firstBaseline = 12
        /// Nothing.
        case notAnAttribute = 0
    }

    /// Says how two sides compare.
    public enum Relation: Int, Sendable {
        /// At most as large.
        case lessThanOrEqual = -1
        /// Equal.
        case equal = 0
        /// At least as large.
        case greaterThanOrEqual = 1
    }

    /// Names the direction of a stack.
    public enum Axis: Int, Sendable {
        /// From side to side.
        case horizontal = 0
        /// From top to bottom.
        case vertical = 1
    }

    /// The view or guide that is tied.
    public private(set) weak var firstItem: AnyObject?
    /// The view or guide it is tied to; `nil` for a fixed length.
    public private(set) weak var secondItem: AnyObject?
    /// The attribute of the first item that is tied.
    public let firstAttribute: Attribute
    /// The attribute that it is tied to.
    public let secondAttribute: Attribute
    /// The relation of both.
    public let relation: Relation
    /// The factor that the second side is multiplied with.
    public let multiplier: CGFloat
    /// The number that is added to the second side, in points.
    open var constant: CGFloat { didSet { changed() } }
    /// The priority of the constraint.
    ///
    /// The default is `required`.
    open var priority = UILayoutPriority.required { didSet { changed() } }
    /// Whether the constraint holds.
    ///
    /// The default is `false`.
    open var isActive = false { didSet { if isActive != oldValue { install() } } }
    /// A name for people.
    open var identifier: String?

    /// Creates a constraint.
    ///
    /// The multiplier is 1 and the constant 0 by default.
    public init(
        item view1: Any,
        attribute attr1: Attribute,
        relatedBy relation: Relation,
        toItem view2: Any?,
        attribute attr2: Attribute,
        multiplier: CGFloat,
        constant: CGFloat
    ) {
        firstItem = view1 as AnyObject
        secondItem = view2.map { $0 as AnyObject }
        firstAttribute = attr1
        secondAttribute = attr2
        self.relation = relation
        self.multiplier = multiplier
        self.constant = constant
        super.init()
    }

    /// Makes all given constraints hold.
    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Makes none of the given constraints hold.
    open class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    var isSizeOnly: Bool { secondItem == nil || secondItem === firstItem }

    static func view(of item: AnyObject?) -> UIView? {
        (item as? UIView) ?? (item as? UILayoutGuide).flatMap { $0.standIn ?? $0.owningView }
    }

    private var views: [UIView] {
        let first = Self.view(of: firstItem)
        let second = Self.view(of: secondItem)
        return [first, second === first ? nil : second].compactMap { $0 }
    }

    private func install() {
        for view in views {
            view.involved.removeAll { $0 === self }
            if isActive { view.involved.append(self) }
        }
        changed()
    }

    private func changed() {
        Self.view(of: firstItem)?.setNeedsDisplay()
    }
}

extension UIView {
    /// Makes a constraint hold.
    public func addConstraint(_ constraint: NSLayoutConstraint) {
        constraint.isActive = true
    }

    /// Makes constraints hold.
    public func addConstraints(_ constraints: [NSLayoutConstraint]) {
        NSLayoutConstraint.activate(constraints)
    }

    /// Lets a constraint hold no longer.
    public func removeConstraint(_ constraint: NSLayoutConstraint) {
        constraint.isActive = false
    }

    /// Lets constraints hold no longer.
    public func removeConstraints(_ constraints: [NSLayoutConstraint]) {
        NSLayoutConstraint.deactivate(constraints)
    }
}
