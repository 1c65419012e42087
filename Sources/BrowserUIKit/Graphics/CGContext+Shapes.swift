// What draws a shape gives up the path that is being made, as CoreGraphics does.
extension CGContext {
    /// Fills a rectangle.
    public func fill(_ rect: CGRect) {
        draw(PathElement.rect(rect), fill: .winding, strokes: false)
        beginPath()
    }

    /// Fills rectangles.
    public func fill(_ rects: [CGRect]) {
        for rect in rects { fill(rect) }
        beginPath()
    }

    /// Fills the ellipse in a rectangle.
    public func fillEllipse(in rect: CGRect) {
        draw(PathElement.ellipse(in: rect), fill: .winding, strokes: false)
        beginPath()
    }

    /// Draws the lines of a rectangle.
    public func stroke(_ rect: CGRect) {
        draw(PathElement.rect(rect), fill: nil, strokes: true)
        beginPath()
    }

    /// Draws the lines of a rectangle in a width.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        saveGState()
        setLineWidth(width)
        stroke(rect)
        restoreGState()
    }

    /// Draws the line of the ellipse in a rectangle.
    public func strokeEllipse(in rect: CGRect) {
        draw(PathElement.ellipse(in: rect), fill: nil, strokes: true)
        beginPath()
    }

    /// Draws a plain line of one point along the inside of a rectangle, whatever lines are like otherwise.
    func strokeFrame(of rect: CGRect) {
        setLineJoin(.miter)
        setMiterLimit(GraphicsState().miterLimit)
        setLineDash(phase: 0, lengths: [])
        stroke(PathElement.inset(rect, by: 0.5), width: 1)
    }

    /// Draws what a closure draws, mixed and cut as it says, and takes back what it has set.
    func apart(_ body: () -> Void) {
        saveGState()
        body()
        restoreGState()
    }
}

extension PathElement {
    /// Returns a rectangle that is smaller at each side, and at least nothing.
    static func inset(_ rect: CGRect, by distance: CGFloat) -> CGRect {
        rect.insetBy(dx: min(distance, rect.width / 2), dy: min(distance, rect.height / 2))
    }

    /// Returns the line of one point along the inside of a rectangle, as a shape between two rectangles.
    static func frame(of rect: CGRect) -> [PathElement] { self.rect(rect) + self.rect(inset(rect, by: 1)) }
}

extension UIColor {
    /// Makes this the colour of what is filled and of lines.
    @preconcurrency @MainActor
    public func set() {
        setFill()
        setStroke()
    }

    /// Makes this the colour of what is filled.
    @preconcurrency @MainActor
    public func setFill() {
        CGContext.current?.setFillColor(cgColor)
    }

    /// Makes this the colour of lines.
    @preconcurrency @MainActor
    public func setStroke() {
        CGContext.current?.setStrokeColor(cgColor)
    }
}

extension UIBezierPath {
    /// Fills the path in the current context.
    public func fill() {
        CGContext.current?.draw(cgPath.steps, fill: rule, strokes: false)
    }

    /// Fills the path, mixed with what is below, in an opacity from 0 to 1.
    public func fill(with blendMode: CGBlendMode, alpha: CGFloat) {
        apart(blendMode, alpha) { fill() }
    }

    /// Draws the lines of the path in the current context, as wide as the path says.
    public func stroke() {
        guard let context = CGContext.current else { return }
        context.apart {
            context.setLineWidth(lineWidth)
            context.setLineCap(lineCapStyle)
            context.setLineJoin(lineJoinStyle)
            context.draw(cgPath.steps, fill: nil, strokes: true)
        }
    }

    /// Draws the lines of the path, mixed with what is below, in an opacity from 0 to 1.
    public func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {
        apart(blendMode, alpha) { stroke() }
    }

    /// Cuts what is drawn from now on to the path.
    public func addClip() {
        CGContext.current?.clip(cgPath.steps, rule)
    }

    private var rule: CGPathFillRule { usesEvenOddFillRule ? .evenOdd : .winding }

    private func apart(_ blendMode: CGBlendMode, _ alpha: CGFloat, _ body: () -> Void) {
        guard let context = CGContext.current else { return }
        context.apart {
            context.setBlendMode(blendMode)
            context.setAlpha(alpha)
            body()
        }
    }
}
