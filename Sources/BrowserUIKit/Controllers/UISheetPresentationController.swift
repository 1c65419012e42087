/// Is told of the height to which the user brings a sheet.
@preconcurrency @MainActor
public protocol UISheetPresentationControllerDelegate: UIAdaptivePresentationControllerDelegate {
    /// Is called after the user has brought the sheet to another height.
    func sheetPresentationControllerDidChangeSelectedDetentIdentifier(
        _ sheetPresentationController: UISheetPresentationController
    )
}

extension UISheetPresentationControllerDelegate {
    /// Does nothing.
    public func sheetPresentationControllerDidChangeSelectedDetentIdentifier(
        _ sheetPresentationController: UISheetPresentationController
    ) {}
}

/// Shows a controller as a sheet, which rests at one of several heights.
///
/// The user drags it from one to another and away, brings it to the next one by its grabber, and dismisses it by a tap
/// beside it.
open class UISheetPresentationController: UIPresentationController {
    /// The distance from the top of the screen to that of the largest sheet, in points.
    static let roomAbove: CGFloat = 54

    /// The heights, from the smallest to the largest.
    ///
    /// The default is the large one alone.
    open var detents: [Detent] = [.large()] { didSet { changed() } }
    /// The height at which the sheet rests; `nil`, the default, or one that isn't there, stands for the smallest.
    open var selectedDetentIdentifier: Detent.Identifier? {
        didSet {
            isAnimated = isAnimating
            changed()
        }
    }
    /// The largest height at which what is behind the sheet isn't dimmed and can be used; `nil`, the default, for none.
    open var largestUndimmedDetentIdentifier: Detent.Identifier? { didSet { changed() } }
    /// Whether there is a grabber.
    ///
    /// The default is `false`.
    open var prefersGrabberVisible = false { didSet { changed() } }
    /// The radius of the corners, in points; `nil`, the default, is that of the system.
    open var preferredCornerRadius: CGFloat? { didSet { changed() } }
    /// Whether scrolling to the edge makes the sheet larger; browsers scroll alone.
    ///
    /// The default is `true`.
    open var prefersScrollingExpandsWhenScrolledToEdge = true
    /// Whether the sheet stays at the bottom of a low screen; browsers keep it there.
    ///
    /// The default is `false`.
    open var prefersEdgeAttachedInCompactHeight = false
    /// Whether a sheet at the bottom is as wide as its controller prefers; browsers have it as wide as the screen.
    ///
    /// The default is `false`.
    open var widthFollowsPreferredContentSizeWhenEdgeAttached = false
    /// The view that the sheet comes from, for sheets in the middle.
    open var sourceView: UIView?
    private var isAnimating = false
    private var isAnimated = false
    /// The number of times that the user has let go of the sheet, by which the page has it settle.
    private var releases = 0

    /// Makes changes to the sheet, which are shown gradually.
    open func animateChanges(_ changes: () -> Void) {
        isAnimating = true
        changes()
        isAnimating = false
        isAnimated = true
        changed()
    }

    /// Asks for the heights again.
    open func invalidateDetents() {
        isAnimated = isAnimating
        changed()
    }

    // MARK: Heights

    /// The heights that are to be had now, in points, from the smallest to the largest.
    var heights: [(identifier: Detent.Identifier, value: CGFloat)] {
        let room = DetentRoom(environment)
        let found = detents.compactMap { detent in
            detent.resolvedValue(in: room).map { (identifier: detent.identifier, value: $0) }
        }
        return found.isEmpty ? [(.large, room.maximumDetentValue)] : found.sorted { $0.value < $1.value }
    }

    /// Returns the index of the height that the sheet has.
    func selection(among heights: [(identifier: Detent.Identifier, value: CGFloat)]) -> Int {
        heights.firstIndex { $0.identifier == selectedDetentIdentifier } ?? 0
    }

    /// Whether what is behind the sheet can be used.
    var isUndimmed: Bool {
        let heights = heights
        guard let largest = heights.firstIndex(where: { $0.identifier == largestUndimmedDetentIdentifier }) else {
            return false
        }
        return selection(among: heights) <= largest
    }

    /// Brings the sheet to the next height, or from the largest to the smallest, as the user asks for it.
    func expand() {
        let heights = heights
        guard heights.count > 1 else { return }
        let next = (selection(among: heights) + 1) % heights.count
        choose(heights[next].identifier)
    }

    /// Has the page let the sheet go to its place, gradually.
    func noteRelease() {
        releases = (releases + 1) % 1_000  // safe: it is below 1,000
        animateChanges {}
    }

    /// Adds the height and the looks to the drawn sheet; its grabber has a name.
    func draw(on sheet: String, grabber: String, in drawing: Drawing) {
        let heights = heights
        let selected = heights[selection(among: heights)]
        if selected.identifier != .large || heights.count > 1 {
            drawing.nodes[sheet]?.add(class: "resting")
            let height = selected.value + environment.safeArea.bottom
            drawing.nodes[sheet]?.style["height"] = CSS.points(height)
        }
        let curve = ".35s cubic-bezier(.2,.9,.3,1)"
        if isAnimated { drawing.nodes[sheet]?.style["transition"] = "height \(curve), translate \(curve)" }
        drawing.nodes[sheet]?.attributes["data-releases"] = String(releases)
        if let preferredCornerRadius { drawing.nodes[sheet]?.style["--corner"] = CSS.points(preferredCornerRadius) }
        guard prefersGrabberVisible else { return }
        let id = drawing.add(grabber, tag: "button", class: "grabber")
        let name = SystemStrings.grabber.text(in: environment.language)
        drawing.nodes[id]?.attributes["aria-label"] = name
        drawing.nodes[id]?.attributes[heights.count > 1 ? "data-tap" : "disabled"] = ""
        drawing.nodes[sheet]?.children.append(id)
    }
}
