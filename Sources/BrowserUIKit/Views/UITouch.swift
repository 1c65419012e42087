/// Stands for something that the user did.
@preconcurrency @MainActor
open class UIEvent {
    /// The view that the browser has found at the place of the touch.
    let touchedView: UIView?

    init(touchedView: UIView? = nil) {
        self.touchedView = touchedView
    }
}

/// Stands for a finger, or the mouse with its button down.
@preconcurrency @MainActor
open class UITouch {
    private let point: CGPoint
    private let previous: CGPoint

    init(at point: CGPoint, previous: CGPoint) {
        self.point = point
        self.previous = previous
    }

    /// Returns where the touch is; `nil` stands for the window, whose coordinates are the only ones that browsers tell.
    open func location(in view: UIView?) -> CGPoint { point }

    /// Returns where the touch was before, in the coordinates of the window.
    open func previousLocation(in view: UIView?) -> CGPoint { previous }
}

/// One step of a touch, in the coordinates of the window.
struct TouchReport: Decodable, Equatable {
    enum Phase: String, Decodable {
        case moved, ended, cancelled
    }

    let phase: Phase
    let isFirst: Bool
    let start: CGPoint
    let point: CGPoint

    private enum CodingKeys: String, CodingKey {
        case phase = "p"
        case isFirst = "b"
        case x, y
        case startX = "sx"
        case startY = "sy"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func length(_ key: CodingKeys) throws -> CGFloat {
            let value = try fields.decode(CGFloat.self, forKey: key)
            return value.isFinite ? min(max(value, -100_000), 100_000) : 0
        }
        phase = try fields.decode(Phase.self, forKey: .phase)
        isFirst = try fields.decodeIfPresent(Bool.self, forKey: .isFirst) ?? false
        start = CGPoint(x: try length(.startX), y: try length(.startY))
        point = CGPoint(x: try length(.x), y: try length(.y))
    }
}
