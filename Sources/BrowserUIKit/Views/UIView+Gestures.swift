extension UIView {
    /// The recognisers of the view's touches; `nil` where there are none.
    public var gestureRecognizers: [UIGestureRecognizer]? {
        get { recognizers.isEmpty ? nil : recognizers }
        set {
            for recognizer in recognizers { recognizer.view = nil }
            recognizers = []
            for recognizer in newValue ?? [] { addGestureRecognizer(recognizer) }
            setNeedsDisplay()
        }
    }

    /// Looks for a gesture in the touches of the view; takes the recogniser from the view that had it.
    public func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        recognizers.append(gestureRecognizer)
        gestureRecognizer.view = self
        setNeedsDisplay()
    }

    /// Looks for a gesture no longer.
    public func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        recognizers.removeAll { $0 === gestureRecognizer }
        if gestureRecognizer.view === self { gestureRecognizer.view = nil }
        setNeedsDisplay()
    }

    func drawGestures(_ node: inout Node) {
        for (name, value) in recognizers.filter(\.isEnabled).flatMap(\.attributes) {
            let isFollowing = name == FollowedMoves.attribute
            node.attributes[name] = isFollowing ? FollowedMoves.both(node.attributes[name], value) : value
        }
    }

    /// Offers an event to the recognisers; returns whether the view should not get it.
    func recognize(_ event: BrowserEvent) -> Bool {
        guard event.part.isEmpty else { return false }
        var found: [UIGestureRecognizer] = []
        let touch = event.beginning(in: self)
        let going = recognizers.filter { $0.state == .began || $0.state == .changed }
        // Those that others wait for come first.
        let order = recognizers.filter(\.required.isEmpty) + recognizers.filter { !$0.required.isEmpty }
        for recognizer in order where recognizer.isEnabled {
            let rivals = recognizer.required
            guard !found.contains(where: { one in rivals.contains { $0 === one } }) else { continue }
            if recognizer.state == .possible {
                guard (going + found).allSatisfy({ $0.goesAlong(with: recognizer) }) else { continue }
                if let touch, !recognizer.looks(at: touch) { continue }
            }
            if recognizer.take(event) { found.append(recognizer) }
        }
        return found.contains(where: \.cancelsTouchesInView)
    }
}

extension BrowserEvent {
    /// Returns the touch with which a gesture of a view can begin; `nil` for what goes on, and for keys.
    @MainActor
    fileprivate func beginning(in view: UIView) -> UITouch? {
        switch kind {
        case .tap:
            guard let touch else { return nil }
            let id = String(touch.element.prefix { $0 != "." })
            let touched = view.screen?.views[id] ?? view
            return UITouch(at: touch.point, previous: touch.point, in: touched, tapCount: tapCount)
        case .touch(let report), .hold(let report):
            guard report.isFirst || report.phase == .ended else { return nil }
            return UITouch(at: report.start, previous: report.start, in: view, origins: report.origins)
        default: return nil
        }
    }
}
