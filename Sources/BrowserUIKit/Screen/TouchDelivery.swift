/// Brings a touch to the view that it came down on, until the finger leaves or a gesture takes it.
@MainActor
final class TouchDelivery {
    private var touch: UITouch?
    private var lastEnd: (point: CGPoint, time: TimeInterval, count: Int)?

    /// Takes in a step of a finger that came down on a view.
    func take(_ report: FingerReport, on touched: UIView?) {
        switch report.phase {
        case .began:
            cancel()
            guard let touched, let view = Self.hit(touched, report) else { return }
            let new = UITouch(
                at: report.point,
                previous: report.point,
                in: view,
                type: report.type,
                tapCount: tapCount(at: report.point),
                origins: report.origins
            )
            guard view.mayGet(new) else { return }
            touch = new
            send(.began)
        case .moved: advance(to: .moved, at: report.point)
        case .ended:
            if let touch { lastEnd = (report.point, UIPanGestureRecognizer.now(), touch.tapCount) }
            advance(to: .ended, at: report.point)
        case .cancelled: cancel()
        }
    }

    /// Takes the touch from its view, where that is in one whose gesture was found.
    func cancel(in view: UIView) {
        if touch?.view?.isDescendant(of: view) == true { cancel() }
    }

    private func cancel() {
        guard touch != nil else { return }
        lastEnd = nil
        advance(to: .cancelled, at: nil)
    }

    private func advance(to phase: UITouch.Phase, at point: CGPoint?) {
        touch?.move(to: phase, at: point)
        send(phase)
        if phase != .moved { touch = nil }
    }

    private func send(_ phase: UITouch.Phase) {
        guard let touch, let view = touch.view else { return }
        let event = UIEvent(touchedView: view, touches: [touch])
        switch phase {
        case .began: view.touchesBegan([touch], with: event)
        case .moved, .stationary: view.touchesMoved([touch], with: event)
        case .ended: view.touchesEnded([touch], with: event)
        case .cancelled: view.touchesCancelled([touch], with: event)
        case .regionEntered, .regionMoved, .regionExited: break
        }
    }

    /// Counts taps that follow one another at one place.
    private func tapCount(at point: CGPoint) -> Int {
        guard let lastEnd, UIPanGestureRecognizer.now() - lastEnd.time < 0.35,
            hypot(point.x - lastEnd.point.x, point.y - lastEnd.point.y) < 40
        else { return 1 }
        return min(lastEnd.count, 1_000) + 1  // safe: bounded before it is added to
    }

    /// Returns the view that a touch is for: the one that the browser has found, unless a view around that says
    /// otherwise.
    private static func hit(_ touched: UIView, _ report: FingerReport) -> UIView? {
        var path = [touched]
        while let superview = path.last?.superview { path.append(superview) }
        let event = UIEvent(touchedView: touched)
        var last: UIView?
        for view in path.reversed() {
            let origin = report.origins[view.nodeID] ?? .zero
            let bounds = view.bounds.origin
            let point = CGPoint(x: report.point.x - origin.x + bounds.x, y: report.point.y - origin.y + bounds.y)
            guard let found = view.hitTest(point, with: event) else { return last }
            if found !== touched { return found }
            last = view
        }
        return last
    }
}

extension FingerReport {
    /// The kind of thing that touches.
    fileprivate var type: UITouch.TouchType {
        switch pointer {
        case "mouse": .indirectPointer
        case "pen": .pencil
        default: .direct
        }
    }
}
