/// Stands for the screen of the device: the frame that the browser shows the app in.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    /// The tab whose app runs now: several can share a process.
    static weak var current: (any ViewHost)?
    /// The tabs that will draw at the end of the turn.
    static var scheduled: [any ViewHost] = []
    /// The screen of the tab whose app runs now.
    public static let main = UIScreen()

    private var environment: BrowserEnvironment { Self.current?.environment ?? BrowserEnvironment() }

    /// The rectangle of the screen, in points, as it is turned now.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: environment.width, height: environment.height) }
    /// The number of pixels in a point.
    open var scale: CGFloat { environment.traits.displayScale }
    /// The rectangle of the screen, in pixels, held upright.
    open var nativeBounds: CGRect {
        let sides = [environment.width * scale, environment.height * scale].sorted()
        return CGRect(x: 0, y: 0, width: sides[0], height: sides[1])
    }
    /// The number of pixels in a point.
    open var nativeScale: CGFloat { scale }
    /// The surroundings.
    open var traitCollection: UITraitCollection { environment.traits }

    /// Draws every tab that would be drawn at the end of the turn.
    static func drawPending() {
        for host in scheduled where !host.isDrawing { host.drawIfNeeded() }
    }
}
