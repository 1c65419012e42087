@_exported import Foundation

/// Holds the inset distances of the four sides of a rectangle, in points.
public struct UIEdgeInsets: Equatable, Sendable {
    /// The distance from the top.
    public var top: CGFloat
    /// The distance from the left.
    public var left: CGFloat
    /// The distance from the bottom.
    public var bottom: CGFloat
    /// The distance from the right.
    public var right: CGFloat

    /// No insets.
    public static let zero = UIEdgeInsets()

    /// Creates no insets.
    public init() {
        self.init(top: 0, left: 0, bottom: 0, right: 0)
    }

    /// Creates insets.
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// Holds inset distances whose sides follow the direction of the text, in points.
public struct NSDirectionalEdgeInsets: Equatable, Sendable {
    /// The distance from the top.
    public var top: CGFloat
    /// The distance from the side where text begins.
    public var leading: CGFloat
    /// The distance from the bottom.
    public var bottom: CGFloat
    /// The distance from the side where text ends.
    public var trailing: CGFloat

    /// No insets.
    public static let zero = NSDirectionalEdgeInsets()

    /// Creates no insets.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }

    /// Creates insets.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}

extension IndexPath {
    /// Creates the index path of a row of a table.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// The row.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }
}

extension CGRect {
    /// Returns the rectangle of another size about the same middle.
    func resized(to size: CGSize) -> CGRect {
        CGRect(x: midX - size.width / 2, y: midY - size.height / 2, width: size.width, height: size.height)
    }
}
