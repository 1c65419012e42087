/// Takes in what is drawn into an image.
///
/// Nothing is turned into pixels here: the image is an SVG, which the browser draws.
@preconcurrency @MainActor
public final class CGContext {
    /// The contexts that are drawn into; the last one is the current one.
    static var stack: [CGContext] = []
    static var current: CGContext? { stack.last }

    let bounds: CGRect
    let scale: CGFloat
    let isOpaque: Bool
    var state = GraphicsState()
    private var saved: [GraphicsState] = []
    private var steps: [PathElement] = []
    private var elements: [String] = []
    private var definitions: [String] = []

    init(bounds: CGRect, scale: CGFloat, isOpaque: Bool) {
        self.bounds = bounds
        self.scale = scale
        self.isOpaque = isOpaque
    }

    // MARK: State

    /// Keeps colours, lines, the transform and what is cut off, for `restoreGState()`.
    public func saveGState() {
        saved.append(state)
    }

    /// Takes back what was kept last.
    public func restoreGState() {
        if let last = saved.popLast() { state = last }
    }

    /// The transform from points of what is drawn to points of the image.
    public var ctm: CGAffineTransform { state.transform }

    /// Applies a transform to what is drawn from now on.
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }

    /// Moves what is drawn from now on.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        concatenate(CGAffineTransform(translationX: tx, y: ty))
    }

    /// Scales what is drawn from now on.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) {
        concatenate(CGAffineTransform(scaleX: sx, y: sy))
    }

    /// Turns what is drawn from now on, by radians.
    public func rotate(by angle: CGFloat) {
        concatenate(CGAffineTransform(rotationAngle: angle))
    }

    /// Sets the colour of what is filled.
    public func setFillColor(_ color: CGColor) {
        state.fill = color
    }

    /// Sets the colour of what is filled, by parts from 0 to 1.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha)
    }

    /// Sets the colour of lines.
    public func setStrokeColor(_ color: CGColor) {
        state.stroke = color
    }

    /// Sets the colour of lines, by parts from 0 to 1.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha)
    }

    /// Sets the width of lines, in points.
    public func setLineWidth(_ width: CGFloat) {
        state.lineWidth = width
    }

    /// Sets how the ends of lines are drawn.
    public func setLineCap(_ cap: CGLineCap) {
        state.cap = cap
    }

    /// Sets how lines are joined.
    public func setLineJoin(_ join: CGLineJoin) {
        state.join = join
    }

    /// Sets how long a corner may be, in widths of the line, before it is cut off.
    public func setMiterLimit(_ limit: CGFloat) {
        state.miterLimit = limit
    }

    /// Sets the lengths of dashes and gaps, and how far into them lines begin.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        state.dash = (phase, lengths)
    }

    /// Sets the opacity, from 0 to 1.
    public func setAlpha(_ alpha: CGFloat) {
        state.alpha = alpha
    }

    /// Sets how what is drawn is mixed with what is below.
    public func setBlendMode(_ mode: CGBlendMode) {
        state.blending = mode
    }

    // MARK: Paths

    /// The path that is being made, in the points of what is drawn; `nil` where there is none.
    public var path: CGPath? { steps.isEmpty ? nil : CGPath(steps: ownSteps) }

    /// The path is kept in points of the image, since the transform may change while it is made.
    private var ownSteps: [PathElement] {
        let back = state.transform.inverted()
        return steps.map { $0.map { $0.applying(back) } }
    }

    func add(_ new: [PathElement]) {
        let transform = state.transform
        steps += new.map { $0.map { $0.applying(transform) } }
    }

    /// Begins an empty path.
    public func beginPath() {
        steps = []
    }

    /// Begins at a point.
    public func move(to point: CGPoint) {
        add([.move(point)])
    }

    /// Adds a line.
    public func addLine(to point: CGPoint) {
        add([.line(point)])
    }

    /// Adds lines from each point to the next.
    public func addLines(between points: [CGPoint]) {
        add(points.enumerated().map { $0 == 0 ? .move($1) : .line($1) })
    }

    /// Adds a curve that one point steers.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        add([.quadratic(control, end)])
    }

    /// Adds a curve that two points steer.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        add([.cubic(control1, control2, end)])
    }

    /// Adds a part of a circle, and a line to where it begins.
    ///
    /// Angles are in radians. As the direction is that of a page whose points grow upwards, `clockwise` goes the other
    /// way than with `UIBezierPath`.
    public func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        let start = CGPoint(x: center.x + radius * cos(startAngle), y: center.y + radius * sin(startAngle))
        add([steps.isEmpty ? .move(start) : .line(start)])
        add(PathElement.arc(center: center, radius: radius, from: startAngle, to: endAngle, clockwise: !clockwise))
    }

    /// Adds a rectangle.
    public func addRect(_ rect: CGRect) {
        add(PathElement.rect(rect))
    }

    /// Adds the ellipse that fills a rectangle.
    public func addEllipse(in rect: CGRect) {
        add(PathElement.ellipse(in: rect))
    }

    /// Adds what a path has.
    public func addPath(_ path: CGPath) {
        add(path.steps)
    }

    /// Adds a line to where the path began.
    public func closePath() {
        add([.close])
    }

    // MARK: Drawing

    /// Fills the path, and begins another one.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        finishPath { draw($0, fill: rule, strokes: false) }
    }

    /// Draws the lines of the path, and begins another one.
    public func strokePath() {
        finishPath { draw($0, fill: nil, strokes: true) }
    }

    /// Draws the path, and begins another one.
    public func drawPath(using mode: CGPathDrawingMode) {
        let rule: CGPathFillRule? =
            switch mode {
            case .fill, .fillStroke: .winding
            case .eoFill, .eoFillStroke: .evenOdd
            case .stroke: nil
            }
        finishPath { draw($0, fill: rule, strokes: mode.rawValue >= CGPathDrawingMode.stroke.rawValue) }
    }

    /// Cuts what is drawn from now on to the path, and begins another one.
    public func clip(using rule: CGPathFillRule = .winding) {
        finishPath { clip($0, rule) }
    }

    /// Cuts what is drawn from now on to a rectangle.
    ///
    /// A path that was being made is given up, as by all that draws a shape.
    public func clip(to rect: CGRect) {
        clip(PathElement.rect(rect), .winding)
        beginPath()
    }

    private func finishPath(_ use: ([PathElement]) -> Void) {
        use(ownSteps)
        steps = []
    }

    func draw(_ steps: [PathElement], fill rule: CGPathFillRule?, strokes: Bool) {
        guard !steps.isEmpty else { return }
        var names = state.common
        names["d"] = CGPath(steps: steps).svg
        names["fill"] = rule == nil ? "none" : state.fill.css
        if rule == .evenOdd { names["fill-rule"] = "evenodd" }
        if strokes { names.merge(state.lines) { $1 } }
        append(SVG.element("path", names))
    }

    func clip(_ steps: [PathElement], _ rule: CGPathFillRule) {
        var names = ["d": CGPath(steps: steps).svg]
        if rule == .evenOdd { names["clip-rule"] = "evenodd" }
        if !state.transform.isIdentity { names["transform"] = state.transform.css }
        var outer = ["id": newName]
        if let clip = state.clip { outer["clip-path"] = "url(#\(clip))" }
        define(SVG.element("clipPath", outer, SVG.element("path", names)))
        state.clip = outer["id"]
    }

    /// The name of what is defined next.
    var newName: String { "d\(definitions.count)" }

    func define(_ element: String) {
        definitions.append(element)
    }

    /// Adds an element, cut to what is left of the image.
    func append(_ element: String) {
        guard let clip = state.clip else { return elements.append(element) }
        elements.append(SVG.element("g", state.mixing.merging(["clip-path": "url(#\(clip))"]) { $1 }, element))
    }

    /// Takes away what has been drawn in a shape, as far as nothing is cut off there.
    func erase(_ steps: [PathElement], _ rule: CGPathFillRule = .winding) {
        guard !isOpaque else { return eraseToBlack(steps, rule) }
        var hole = ["d": CGPath(steps: steps).svg]
        if rule == .evenOdd { hole["fill-rule"] = "evenodd" }
        if !state.transform.isIdentity { hole["transform"] = state.transform.css }
        var cut = SVG.element("path", hole)
        if let clip = state.clip { cut = SVG.element("g", ["clip-path": "url(#\(clip))"], cut) }
        let all = SVG.element("path", ["d": CGPath(steps: PathElement.rect(bounds)).svg, "fill": "#fff"])
        var names = SVG.frame(bounds).merging(["maskUnits": "userSpaceOnUse"]) { $1 }
        names["id"] = newName
        define(SVG.element("mask", names, all + cut))
        elements = [SVG.element("g", ["mask": "url(#\(names["id"] ?? ""))"], elements.joined())]
    }

    /// Covers a shape with the ground of an opaque image.
    private func eraseToBlack(_ steps: [PathElement], _ rule: CGPathFillRule) {
        saveGState()
        (state.fill, state.alpha) = (GraphicsState().fill, 1)
        draw(steps, fill: rule, strokes: false)
        restoreGState()
    }

    /// Whether what is below shines through what is filled.
    var isFillingClear: Bool { state.alpha < 1 || state.fill.alpha < 1 }
    /// Whether what is below shines through lines.
    var isStrokingClear: Bool { state.alpha < 1 || state.stroke.alpha < 1 }

    /// Makes an image of what has been drawn.
    func image() -> UIImage {
        let size = [bounds.width, bounds.height].map { side in
            side.isFinite ? (min(max(side, 0), 20_000) * scale).rounded(.up) / scale : 0
        }
        var names = ["xmlns": "http://www.w3.org/2000/svg"]
        (names["width"], names["height"]) = (CSS.number(size[0]), CSS.number(size[1]))
        names["viewBox"] = ([bounds.minX, bounds.minY] + size).map(CSS.number).joined(separator: " ")
        names["font-family"] = "-apple-system, system-ui, Inter, Arial, sans-serif"
        let ground = isOpaque ? [SVG.element("path", ["d": CGPath(steps: PathElement.rect(bounds)).svg])] : []
        let content = [SVG.element("defs", [:], definitions.joined())] + ground + elements
        return UIImage(
            drawing: SVG.element("svg", names, content.joined()),
            size: CGSize(width: size[0], height: size[1]),
            scale: scale,
            renderingMode: .automatic
        )
    }
}
