/// Moves and scales what a view draws.
public struct CGAffineTransform: Equatable, Sendable {
    /// The part of the horizontal that stays horizontal.
    public var a: CGFloat
    /// The part of the horizontal that becomes vertical.
    public var b: CGFloat
    /// The part of the vertical that becomes horizontal.
    public var c: CGFloat
    /// The part of the vertical that stays vertical.
    public var d: CGFloat
    /// The way from left to right, in points.
    public var tx: CGFloat
    /// The way from top to bottom, in points.
    public var ty: CGFloat

    /// Changes nothing.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Creates a transform from its six numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Creates a transform that moves by a distance, in points.
    public init(translationX tx: CGFloat, y ty: CGFloat) {
        self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
    }

    /// Creates a transform that scales.
    public init(scaleX sx: CGFloat, y sy: CGFloat) {
        self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
    }

    /// Whether it changes nothing.
    public var isIdentity: Bool { self == .identity }

    var css: String {
        "matrix(" + [a, b, c, d, tx, ty].map(CSS.number).joined(separator: ",") + ")"
    }
}

/// Holds a direction with a length.
public struct CGVector: Hashable, Sendable {
    /// The part from left to right.
    public var dx: CGFloat
    /// The part from top to bottom.
    public var dy: CGFloat

    /// Creates a vector without length.
    public init() {
        self.init(dx: 0, dy: 0)
    }

    /// Creates a vector.
    public init(dx: CGFloat, dy: CGFloat) {
        self.dx = dx
        self.dy = dy
    }

    /// The vector without length.
    public static let zero = CGVector()
}
