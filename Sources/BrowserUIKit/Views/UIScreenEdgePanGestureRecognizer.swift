/// Follows a finger that comes from an edge of the screen.
open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
    /// The edges from which the finger may come.
    ///
    /// The default is none.
    open var edges: UIRectEdge = []
    /// The distance from the edge within which a finger has to come down, in points.
    private static let reach: CGFloat = 24

    override func mayBegin() -> Bool {
        guard let environment = view?.screen?.environment else { return false }
        var found: UIRectEdge = []
        if origin.x <= Self.reach { found.insert(.left) }
        if origin.x >= environment.width - Self.reach { found.insert(.right) }
        if origin.y <= Self.reach { found.insert(.top) }
        if origin.y >= environment.height - Self.reach { found.insert(.bottom) }
        return !found.isDisjoint(with: edges) && super.mayBegin()
    }
}

// MARK: What one finger can't do

/// Finds two fingers that move apart or together: none, since browsers tell of one.
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    /// The distance of the fingers, by that at the beginning.
    ///
    /// The default is 1.
    open var scale: CGFloat = 1
    /// The speed at which the scale changes, in its units a second.
    public var velocity: CGFloat { 0 }
}

/// Finds two fingers that turn around each other: none, since browsers tell of one.
open class UIRotationGestureRecognizer: UIGestureRecognizer {
    /// The angle by which they have turned, in radians.
    ///
    /// The default is 0.
    open var rotation: CGFloat = 0
    /// The speed at which they turn, in radians a second.
    public var velocity: CGFloat { 0 }
}

/// Finds a pointer over its view that presses nothing: none, since browsers show that by themselves.
open class UIHoverGestureRecognizer: UIGestureRecognizer {}
