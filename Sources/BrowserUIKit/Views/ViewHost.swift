/// Shows views in a page.
///
/// Views know no more of the screen that they are drawn on.
@MainActor
protocol ViewHost: AnyObject {
    /// The surroundings.
    var environment: BrowserEnvironment { get }
    /// The elements that the page shows, by their names.
    var shown: [String: Node] { get }
    /// The views that were drawn, by the names of their elements.
    var views: [String: UIView] { get }
    /// The object that manages the view which fills the window.
    var rootOwner: (any ViewOwner)? { get }
    /// Whether views are drawn just now.
    var isDrawing: Bool { get }
    /// Whether there is a page.
    var isConnected: Bool { get }
    /// The content that the app has copied.
    var pasteboard: UIPasteboard { get }

    /// Draws views at the end of the turn.
    func setNeedsDrawing()

    /// Draws now what else would be drawn at the end of the turn.
    func drawIfNeeded()

    /// Returns what would be on the page now, without telling it.
    func looks() -> [String: Node]

    /// Has the page move an element through values, until that is stopped by its name.
    func play(_ animation: PageAnimation, as name: String, on element: String)

    /// Ends animations of elements.
    func stop(_ animations: [(element: String, name: String)])

    /// Ends animations without an end that move a property of an element.
    func stopEndless(_ property: String, on element: String)

    /// Ends every animation of an element.
    func stopAll(on element: String)

    /// Notes that a view is typed into.
    func begin(_ view: any TypedInto)

    /// Notes that a view is no longer typed into.
    func end(_ view: any TypedInto)

    /// Tells apps where a keyboard came or went.
    func settleKeyboard()

    /// Hands a text to the clipboard of the browser.
    func copy(_ text: String)

    /// Opens an address outside of the app; returns whether the browser is asked for it.
    func open(_ url: URL) -> Bool
}
