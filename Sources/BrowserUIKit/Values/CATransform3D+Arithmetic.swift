// swift-format-ignore: AlwaysUseLowerCamelCase
/// The transform that changes nothing.
public let CATransform3DIdentity = CATransform3D(
    rows: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
)

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns whether a transform changes nothing.
public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool {
    CATransform3DEqualToTransform(t, CATransform3DIdentity)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns whether two transforms are equal.
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool {
    a.rows == b.rows
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns a transform that moves by distances, in points.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    var made = CATransform3DIdentity
    (made.m41, made.m42, made.m43) = (tx, ty, tz)
    return made
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns a transform that scales.
public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    var made = CATransform3DIdentity
    (made.m11, made.m22, made.m33) = (sx, sy, sz)
    return made
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns a transform that turns by radians about an axis; one without a length turns nothing.
public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0, length.isFinite, angle.isFinite else { return CATransform3DIdentity }
    let (x, y, z) = (x / length, y / length, z / length)
    let (sine, cosine) = (sin(angle), cos(angle))
    let rest = 1 - cosine
    return CATransform3D(rows: [
        [cosine + x * x * rest, x * y * rest + z * sine, x * z * rest - y * sine, 0],
        [x * y * rest - z * sine, cosine + y * y * rest, y * z * rest + x * sine, 0],
        [x * z * rest + y * sine, y * z * rest - x * sine, cosine + z * z * rest, 0],
        [0, 0, 0, 1],
    ])
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the transform that moves before another one.
public func CATransform3DTranslate(
    _ t: CATransform3D,
    _ tx: CGFloat,
    _ ty: CGFloat,
    _ tz: CGFloat
) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the transform that scales before another one.
public func CATransform3DScale(
    _ t: CATransform3D,
    _ sx: CGFloat,
    _ sy: CGFloat,
    _ sz: CGFloat
) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the transform that turns before another one, by radians about an axis.
public func CATransform3DRotate(
    _ t: CATransform3D,
    _ angle: CGFloat,
    _ x: CGFloat,
    _ y: CGFloat,
    _ z: CGFloat
) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the transform that does one first, and then another.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
    let (left, right) = (a.rows, b.rows)
    return CATransform3D(
        rows: left.map { row in
            (0..<4).map { column in
                row[0] * right[0][column] + row[1] * right[1][column] + row[2] * right[2][column]
                    + row[3] * right[3][column]
            }
        }
    )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the transform that takes another one back; that one where nothing can.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
    var (left, right) = (t.rows, CATransform3DIdentity.rows)
    for column in 0..<4 {
        let best = (column..<4).max { abs(left[$0][column]) < abs(left[$1][column]) } ?? column
        let pivot = left[best][column]
        guard pivot != 0, pivot.isFinite else { return t }
        left.swapAt(column, best)
        right.swapAt(column, best)
        left[column] = left[column].map { $0 / pivot }
        right[column] = right[column].map { $0 / pivot }
        for row in 0..<4 where row != column {
            let factor = left[row][column]
            left[row] = zip(left[row], left[column]).map { $0 - factor * $1 }
            right[row] = zip(right[row], right[column]).map { $0 - factor * $1 }
        }
    }
    return CATransform3D(rows: right)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns a transform that does in space what another one does in the plane.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
    CATransform3D(rows: [[m.a, m.b, 0, 0], [m.c, m.d, 0, 0], [0, 0, 1, 0], [m.tx, m.ty, 0, 1]])
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns whether a transform stays in the plane.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool {
    CATransform3DEqualToTransform(t, CATransform3DMakeAffineTransform(CATransform3DGetAffineTransform(t)))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Returns the part of a transform that stays in the plane.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform {
    CGAffineTransform(a: t.m11, b: t.m12, c: t.m21, d: t.m22, tx: t.m41, ty: t.m42)
}
