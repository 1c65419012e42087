/// The layout that the constraints of one subview describe, seen from the superview: positions as distances, and
/// lengths.
@preconcurrency @MainActor
struct ChildLayout {
    /// One side of the subview, tied to the superview or to a sibling.
    struct Tie {
        /// `nil` means the superview.
        let sibling: UIView?
        let attribute: NSLayoutConstraint.Attribute
        /// Added to the other side; the insets of a guide are part of it.
        let constant: CGFloat
        let relation: NSLayoutConstraint.Relation
        let priority: Float
    }

    var ties: [NSLayoutConstraint.Attribute: [Tie]] = [:]
    var style: [String: String] = [:]
    var width: CGFloat?
    var height: CGFloat?
    var maximumWidth: CGFloat?
    var fixesHeight = false

    init(of view: UIView, in container: UIView) {
        for constraint in view.involved.sorted(by: { $0.priority.rawValue < $1.priority.rawValue }) {
            read(constraint, of: view, in: container)
        }
    }

    /// The strongest tie of a side that holds exactly; among equally strong ones that to the superview.
    func tie(_ attribute: NSLayoutConstraint.Attribute) -> Tie? {
        exactTies(attribute).first
    }

    /// The ties of a side that hold exactly: the strongest first, and among equally strong ones that to the superview.
    func exactTies(_ attribute: NSLayoutConstraint.Attribute) -> [Tie] {
        let exact = (ties[attribute] ?? []).filter { $0.relation == .equal }
        return exact.reversed().enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.priority != second.priority { return first.priority > second.priority }
            if (first.sibling == nil) != (second.sibling == nil) { return first.sibling == nil }
            return left.offset < right.offset
        }.map(\.element)
    }

    private mutating func read(_ constraint: NSLayoutConstraint, of view: UIView, in container: UIView) {
        let isFirst = Self.item(constraint.firstItem, is: view)
        guard isFirst || Self.item(constraint.secondItem, is: view) else { return }
        if isFirst, constraint.isSizeOnly || constraint.firstAttribute.isLength {
            readLength(constraint, in: container)
        } else if !constraint.firstAttribute.isLength {
            readTie(constraint, of: view, isFirst: isFirst, in: container)
        }
    }

    /// Returns whether an item is a view, or the guide of the app's own that the view stands for.
    private static func item(_ item: AnyObject?, is view: UIView) -> Bool {
        item === view || (item as? UILayoutGuide)?.standIn === view
    }

    private mutating func readTie(
        _ constraint: NSLayoutConstraint,
        of view: UIView,
        isFirst: Bool,
        in container: UIView
    ) {
        let other = isFirst ? constraint.secondItem : constraint.firstItem
        let own = isFirst ? constraint.firstAttribute : constraint.secondAttribute
        let named = isFirst ? constraint.secondAttribute : constraint.firstAttribute
        // The keyboard begins where the rest of the view ends.
        let attribute = other is UIKeyboardLayoutGuide && named == .top ? .bottom : named
        guard let otherView = NSLayoutConstraint.view(of: other) else { return }
        let isContainer = otherView === container
        guard isContainer || otherView.superview === container else { return }
        let (ownEdge, otherEdge) = (own.edge(of: view), attribute.edge(of: otherView))
        let constant = (isFirst ? constraint.constant : -constraint.constant) + otherEdge.distance - ownEdge.distance
        let flipped = NSLayoutConstraint.Relation(rawValue: -constraint.relation.rawValue) ?? .equal
        let tie = Tie(
            sibling: isContainer ? nil : otherView,
            attribute: otherEdge.attribute,
            constant: constant + Self.inset(of: other, at: otherEdge.attribute),
            relation: isFirst ? constraint.relation : flipped,
            priority: constraint.priority.rawValue
        )
        ties[ownEdge.attribute, default: []].append(tie)
    }

    private static func inset(of item: AnyObject?, at attribute: NSLayoutConstraint.Attribute) -> CGFloat {
        guard let insets = (item as? UILayoutGuide)?.insets else { return 0 }
        switch attribute {
        case .top: return insets.top
        case .bottom: return -insets.bottom
        case .leading: return insets.leading
        case .trailing: return -insets.trailing
        default: return 0
        }
    }

    private mutating func readLength(_ constraint: NSLayoutConstraint, in container: UIView) {
        let isWidth = constraint.firstAttribute == .width
        let name = isWidth ? "width" : "height"
        if constraint.secondItem == nil {
            readFixedLength(constraint, name: name)
        } else if constraint.secondItem === constraint.firstItem,
            constraint.firstAttribute != constraint.secondAttribute
        {
            let ratio = isWidth ? constraint.multiplier : 1 / constraint.multiplier
            if ratio.isFinite, ratio > 0 { style["aspect-ratio"] = CSS.number(ratio) }
            fixesHeight = true
        } else if NSLayoutConstraint.view(of: constraint.secondItem) === container, constraint.relation == .equal {
            let share = CSS.number(constraint.multiplier * 100) + "%"
            style[name] =
                constraint.constant == 0 ? share : "calc(\(share) + \(CSS.points(constraint.constant)))"
            fixesHeight = fixesHeight || !isWidth
        }
    }

    private mutating func readFixedLength(_ constraint: NSLayoutConstraint, name: String) {
        let value = constraint.constant
        switch constraint.relation {
        case .equal:
            style[name] = CSS.points(value)
            if name == "width" {
                width = value
            } else {
                height = value
                fixesHeight = true
            }
        case .lessThanOrEqual:
            style["max-\(name)"] = CSS.points(value)
            if name == "width" { maximumWidth = value }
        case .greaterThanOrEqual:
            style["min-\(name)"] = CSS.points(value)
        }
    }
}

extension NSLayoutConstraint.Attribute {
    var isLength: Bool { self == .width || self == .height }

    /// The other end.
    var opposite: Self? {
        switch self {
        case .top: .bottom
        case .bottom: .top
        case .leading: .trailing
        case .trailing: .leading
        default: nil
        }
    }

    /// Left and right stand for leading and trailing: no view of ours ties them where text runs the other way.
    var directional: Self {
        switch self {
        case .left: .leading
        case .right: .trailing
        default: self
        }
    }
}
