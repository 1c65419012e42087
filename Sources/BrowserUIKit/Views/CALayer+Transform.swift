extension CALayer {
    /// Returns the part of the transform that stays in the plane.
    public func affineTransform() -> CGAffineTransform { CATransform3DGetAffineTransform(transform) }

    /// Sets a transform in the plane.
    public func setAffineTransform(_ m: CGAffineTransform) {
        transform = CATransform3DMakeAffineTransform(m)
    }

    /// Adds the transform to the element of the layer, and the perspective of what is in it.
    func drawTransform(_ node: inout Node) {
        let outer = outerTransform
        // Most layers have neither, and are drawn often.
        if !CATransform3DIsIdentity(transform) || !CATransform3DIsIdentity(outer) {
            let whole = CATransform3DConcat(transform, outer)
            if !CATransform3DIsIdentity(whole) { node.style["transform"] = whole.css }
        }
        // The browser knows the middle, also of what constraints place.
        if sublayerTransform.isPerspective { node.style["perspective"] = CSS.points(-1 / sublayerTransform.m34) }
    }

    /// The transform that the layer around this one has for it, about the middle of this one.
    private var outerTransform: CATransform3D {
        guard let outer = view?.superview?.layer ?? superlayer, !outer.sublayerTransform.isPerspective,
            !CATransform3DIsIdentity(outer.sublayerTransform)
        else { return CATransform3DIdentity }
        let (x, y) = (position.x - outer.bounds.midX, position.y - outer.bounds.midY)
        let moved = CATransform3DConcat(CATransform3DMakeTranslation(x, y, 0), outer.sublayerTransform)
        return CATransform3DConcat(moved, CATransform3DMakeTranslation(-x, -y, 0))
    }
}

extension UIView {
    /// The transform of what the view draws, in space.
    ///
    /// The default is none.
    public var transform3D: CATransform3D {
        get { layer.transform }
        set { layer.transform = newValue }
    }
}
