/// The scale of the content of a scroll view, and the bounds of that scale.
struct ZoomState {
    var scale: CGFloat = 1
    var least: CGFloat = 1
    var greatest: CGFloat = 1
    var bounces = true
    var isZooming = false
    /// The point of the content that the app wants in the middle, with the number of times that it has wanted one.
    var center: (point: CGPoint, number: Int)?
}

extension UIScrollView {
    /// The smallest scale of the content.
    ///
    /// The default is 1.
    public var minimumZoomScale: CGFloat {
        get { zoomState.least }
        set {
            zoomState.least = newValue
            setNeedsDisplay()
        }
    }

    /// The greatest scale of the content; where it isn't more than the smallest one, fingers don't change the scale.
    ///
    /// The default is 1.
    public var maximumZoomScale: CGFloat {
        get { zoomState.greatest }
        set {
            zoomState.greatest = newValue
            setNeedsDisplay()
        }
    }

    /// The scale of the view that the delegate gives for that.
    ///
    /// The default is 1.
    public var zoomScale: CGFloat {
        get { zoomState.scale }
        set { setZoomScale(newValue, animated: false) }
    }

    /// Whether two fingers change the scale now.
    public var isZooming: Bool { zoomState.isZooming }

    /// Whether the scale goes beyond its limits, and comes back; browsers keep to them.
    ///
    /// The default is `true`.
    public var bouncesZoom: Bool {
        get { zoomState.bounces }
        set { zoomState.bounces = newValue }
    }

    /// Changes the scale, around the middle of what is seen; browsers do so at once.
    public func setZoomScale(_ scale: CGFloat, animated: Bool) {
        enlarge(to: scale)
    }

    /// Changes the scale and moves the content so that a part of it, as large as it is at the scale 1, fills the view;
    /// browsers do so at once.
    public func zoom(to rect: CGRect, animated: Bool) {
        guard rect.width > 0, rect.height > 0, !bounds.isEmpty else { return }
        let number = (zoomState.center?.number ?? 0) % 1_000 + 1  // safe: it is at most 1,000
        zoomState.center = (CGPoint(x: rect.midX, y: rect.midY), number)
        enlarge(to: min(bounds.width / rect.width, bounds.height / rect.height))
        setNeedsDisplay()
    }

    private func enlarge(to scale: CGFloat) {
        guard let view = delegate?.viewForZooming(in: self), scale.isFinite else { return }
        let limited = min(max(scale, zoomState.least), max(zoomState.greatest, zoomState.least))
        guard limited > 0, limited != zoomState.scale else { return }
        zoomState.scale = limited
        view.transform = CGAffineTransform(scaleX: limited, y: limited)
        setNeedsDisplay()
        delegate?.scrollViewDidZoom(self)
    }

    /// Follows two fingers.
    func take(zoom scale: CGFloat, _ phase: ScrollPhase?) {
        guard let view = delegate?.viewForZooming(in: self), zoomState.least < zoomState.greatest else { return }
        if !zoomState.isZooming, phase != .ended {
            zoomState.isZooming = true
            delegate?.scrollViewWillBeginZooming(self, with: view)
        }
        enlarge(to: scale)
        guard phase == .ended, zoomState.isZooming else { return }
        zoomState.isZooming = false
        delegate?.scrollViewDidEndZooming(self, with: view, atScale: zoomState.scale)
    }

    /// Tells the page of the scale: what is enlarged grows to the right and down, where one can scroll to.
    func drawZoom(_ node: inout Node, in drawing: Drawing) {
        guard let view = delegate?.viewForZooming(in: self) else { return }
        drawing.nodes[view.nodeID]?.style["transform-origin"] = "0 0"
        if isScrollEnabled { node.style["overflow"] = "auto" }
        var parts = [zoomState.least, max(zoomState.greatest, zoomState.least), zoomState.scale].map(CSS.number)
        if let (point, number) = zoomState.center {
            parts += [String(number), CSS.number(point.x), CSS.number(point.y)]
        }
        node.attributes["data-zoom"] = parts.joined(separator: " ")
    }
}
