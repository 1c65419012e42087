/// Says which moves of a finger on a view that follows it are left to what scrolls around it.
enum FollowedMoves: String {
    /// None are.
    case all = ""
    /// Those up and down are, before the finger has rested for a moment.
    case rested
    /// Those up and down are.
    case level
    /// Those from side to side are.
    case upright

    /// The name of the attribute that says so to the page.
    static let attribute = "data-track"

    /// Returns what is left to what scrolls where two parties follow the same finger: nothing, unless they agree.
    static func both(_ one: String?, _ other: String) -> String { one == nil || one == other ? other : all.rawValue }
}

extension UIView {
    /// The innermost scroll view around this view.
    private var enclosingScrollView: UIScrollView? {
        var next = superview
        while let view = next {
            if let found = view as? UIScrollView { return found }
            next = view.superview
        }
        return nil
    }

    /// The moves that the view follows as a control.
    var followedMoves: FollowedMoves {
        guard let scroll = enclosingScrollView, scroll.isScrollEnabled else { return .all }
        if scroll.canCancelContentTouches, scroll.touchesShouldCancel(in: self) { return .level }
        return scroll.delaysContentTouches ? .rested : .all
    }

    /// Returns whether what scrolls around the view lets it have a touch.
    func mayGet(_ touch: UITouch) -> Bool {
        guard let scroll = enclosingScrollView else { return true }
        let event = UIEvent(touchedView: self, touches: [touch])
        return scroll.touchesShouldBegin([touch], with: event, in: self)
    }
}
