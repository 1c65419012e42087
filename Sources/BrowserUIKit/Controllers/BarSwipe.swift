/// Says when scrolling has gone far enough one way for bars to leave or to come back.
struct BarSwipe {
    enum Change {
        case hide, show
    }

    /// The distance one way after which bars change, in points.
    private static let reach: CGFloat = 30
    /// The room that has to be left to scroll, so that bars that leave don't end the scrolling themselves.
    private static let leastRoom: CGFloat = 120
    private var way: CGFloat = 0
    /// Whether the toolbar was hidden along with the bar, and comes back with it.
    var hidToolbar = false

    /// Takes in a distance, with the room that is left below.
    mutating func move(by distance: CGFloat, room: CGFloat) -> Change? {
        guard distance != 0 else { return nil }
        way = (way < 0) == (distance < 0) ? way + distance : distance
        if way >= Self.reach, room >= Self.leastRoom { return .hide }
        return way <= -Self.reach ? .show : nil
    }
}

extension UINavigationController {
    /// Hides or shows the bars where the user scrolls, and the app wants that.
    func noteScrolling(by distance: CGFloat, room: CGFloat) {
        guard hidesBarsOnSwipe, let change = barSwipe.move(by: distance, room: room) else { return }
        switch change {
        case .hide where !isNavigationBarHidden:
            barSwipe.hidToolbar = !isToolbarHidden
            setNavigationBarHidden(true, animated: true)
            if barSwipe.hidToolbar { setToolbarHidden(true, animated: true) }
        case .show where isNavigationBarHidden:
            setNavigationBarHidden(false, animated: true)
            if barSwipe.hidToolbar { setToolbarHidden(false, animated: true) }
            barSwipe.hidToolbar = false
        case .hide, .show: break
        }
    }
}
