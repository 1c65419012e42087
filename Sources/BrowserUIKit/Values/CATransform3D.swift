/// Moves, scales, turns and tilts what a layer draws, in space.
public struct CATransform3D: Sendable {
    /// The part of the horizontal that counts to the horizontal.
    public var m11: CGFloat
    /// The part of the horizontal that counts to the vertical.
    public var m12: CGFloat
    /// The part of the horizontal that counts to the depth.
    public var m13: CGFloat
    /// The part of the horizontal that counts to the perspective.
    public var m14: CGFloat
    /// The part of the vertical that counts to the horizontal.
    public var m21: CGFloat
    /// The part of the vertical that counts to the vertical.
    public var m22: CGFloat
    /// The part of the vertical that counts to the depth.
    public var m23: CGFloat
    /// The part of the vertical that counts to the perspective.
    public var m24: CGFloat
    /// The part of the depth that counts to the horizontal.
    public var m31: CGFloat
    /// The part of the depth that counts to the vertical.
    public var m32: CGFloat
    /// The part of the depth that counts to the depth.
    public var m33: CGFloat
    /// The part of the depth that counts to the perspective.
    public var m34: CGFloat
    /// The part of the offset that counts to the horizontal.
    public var m41: CGFloat
    /// The part of the offset that counts to the vertical.
    public var m42: CGFloat
    /// The part of the offset that counts to the depth.
    public var m43: CGFloat
    /// The part of the offset that counts to the perspective.
    public var m44: CGFloat

    /// Creates a transform that makes every point the origin.
    public init() {
        self.init(rows: Array(repeating: [0, 0, 0, 0], count: 4))
    }

    /// Creates a transform from its sixteen numbers.
    public init(
        m11: CGFloat,
        m12: CGFloat,
        m13: CGFloat,
        m14: CGFloat,
        m21: CGFloat,
        m22: CGFloat,
        m23: CGFloat,
        m24: CGFloat,
        m31: CGFloat,
        m32: CGFloat,
        m33: CGFloat,
        m34: CGFloat,
        m41: CGFloat,
        m42: CGFloat,
        m43: CGFloat,
        m44: CGFloat
    ) {
        (self.m11, self.m12, self.m13, self.m14) = (m11, m12, m13, m14)
        (self.m21, self.m22, self.m23, self.m24) = (m21, m22, m23, m24)
        (self.m31, self.m32, self.m33, self.m34) = (m31, m32, m33, m34)
        (self.m41, self.m42, self.m43, self.m44) = (m41, m42, m43, m44)
    }

    /// Creates a transform from four rows of four numbers.
    init(rows: [[CGFloat]]) {
        (m11, m12, m13, m14) = (rows[0][0], rows[0][1], rows[0][2], rows[0][3])
        (m21, m22, m23, m24) = (rows[1][0], rows[1][1], rows[1][2], rows[1][3])
        (m31, m32, m33, m34) = (rows[2][0], rows[2][1], rows[2][2], rows[2][3])
        (m41, m42, m43, m44) = (rows[3][0], rows[3][1], rows[3][2], rows[3][3])
    }

    var rows: [[CGFloat]] {
        [[m11, m12, m13, m14], [m21, m22, m23, m24], [m31, m32, m33, m34], [m41, m42, m43, m44]]
    }

    var numbers: [CGFloat] { rows.flatMap { $0 } }

    /// Whether nothing but the perspective changes.
    var isPerspective: Bool {
        var flat = self
        flat.m34 = 0
        return m34 < 0 && CATransform3DIsIdentity(flat)
    }

    var css: String {
        if CATransform3DIsAffine(self) { return CATransform3DGetAffineTransform(self).css }
        return "matrix3d(" + numbers.map(Self.precise).joined(separator: ",") + ")"
    }

    /// Returns a number of a style sheet; a perspective is the inverse of a distance, and needs more digits.
    private static func precise(_ value: CGFloat) -> String {
        guard value.isFinite, abs(value) < 1 else { return CSS.number(value) }
        let rounded = (value * 10_000_000).rounded() / 10_000_000
        return rounded == rounded.rounded() ? CSS.number(rounded) : plain(rounded)
    }

    /// Returns a number below 1 without an exponent.
    private static func plain(_ value: CGFloat) -> String {
        let digits = String(Int((abs(value) * 10_000_000).rounded()))
        let text = String(repeating: "0", count: max(7 - digits.count, 0)) + digits
        return (value < 0 ? "-0." : "0.") + String(text.reversed().drop { $0 == "0" }.reversed())
    }
}
