/// Hears what happens to a scroll view.
///
/// Browsers don't tell a finger that drags from content that glides on, or from a wheel: where the user scrolls,
/// dragging begins with the first movement, and ends with gliding when the content has come to rest.
@preconcurrency @MainActor
public protocol UIScrollViewDelegate: AnyObject {
    /// Is called after the content has moved.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    /// Is called when the user begins to scroll.
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    /// Is called before it is told that the user has let go; another place is scrolled to, where one is set.
    ///
    /// Content has come to rest by then, as browsers tell of it: the velocity is none.
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    )
    /// Is called after the user has let go.
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    /// Is called when the content glides on.
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView)
    /// Is called when the content that the user scrolled has come to rest.
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    /// Is called when the content that the app scrolled has come to rest.
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    /// Returns whether a tap on what stands for the whole screen scrolls to the top.
    ///
    /// The default is `true`.
    func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool
    /// Is called after such a tap has scrolled to the top.
    func scrollViewDidScrollToTop(_ scrollView: UIScrollView)
    /// Returns the view in the content that a change of the scale enlarges; `nil` where none is.
    func viewForZooming(in scrollView: UIScrollView) -> UIView?
    /// Is called when two fingers begin to change the scale.
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?)
    /// Is called after the scale has changed.
    func scrollViewDidZoom(_ scrollView: UIScrollView)
    /// Is called after two fingers have changed the scale.
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat)
}

extension UIScrollViewDelegate {
    /// Does nothing.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {}
    /// Does nothing.
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    /// Does nothing.
    public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    /// Lets it.
    public func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool { true }
    /// Does nothing.
    public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {}
    /// Returns none.
    public func viewForZooming(in scrollView: UIScrollView) -> UIView? { nil }
    /// Does nothing.
    public func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {}
    /// Does nothing.
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {}
}
