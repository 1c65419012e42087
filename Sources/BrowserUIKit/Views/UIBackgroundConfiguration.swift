/// Describes the background of a cell, a header, a footer or a button, as a value.
@preconcurrency @MainActor
public struct UIBackgroundConfiguration {
    /// A view of the app's own.
    ///
    /// The default is none.
    public var customView: UIView?
    /// The radius of the corners, in points.
    ///
    /// The default is 0.
    public var cornerRadius: CGFloat = 0
    /// The room between the background and the edges of the view.
    ///
    /// The default is none.
    public var backgroundInsets = NSDirectionalEdgeInsets.zero
    /// The colour; `nil` stands for the tint of the view.
    public var backgroundColor: UIColor?
    /// The blur that what lies behind shines through.
    ///
    /// The default is none.
    public var visualEffect: UIVisualEffect?
    /// An image over the colour.
    ///
    /// The default is none.
    public var image: UIImage?
    /// The way in which the image fits.
    ///
    /// The default is `scaleToFill`.
    public var imageContentMode = UIView.ContentMode.scaleToFill
    /// The colour of the line around the background; `nil` stands for the tint of the view.
    public var strokeColor: UIColor? = .clear
    /// The width of the line, in points.
    ///
    /// The default is 0.
    public var strokeWidth: CGFloat = 0
    /// The distance of the line outside of the background, in points.
    ///
    /// The default is 0.
    public var strokeOutset: CGFloat = 0

    private init(_ color: UIColor?) {
        backgroundColor = color
    }

    /// Returns a background that is not seen.
    public static func clear() -> UIBackgroundConfiguration { Self(.clear) }

    /// Returns the background of a row of a plain list.
    public static func listPlainCell() -> UIBackgroundConfiguration { Self(.systemBackground) }

    /// Returns the background of a header or footer of a plain list.
    public static func listPlainHeaderFooter() -> UIBackgroundConfiguration { Self(.systemBackground) }

    /// Returns the background of a row of a list in groups.
    public static func listGroupedCell() -> UIBackgroundConfiguration { Self(.secondarySystemGroupedBackground) }

    /// Returns the background of a header or footer of a list in groups.
    public static func listGroupedHeaderFooter() -> UIBackgroundConfiguration { Self(.clear) }

    /// Returns the colour of the background under a tint.
    public func resolvedBackgroundColor(for tintColor: UIColor) -> UIColor { backgroundColor ?? tintColor }

    /// Returns the colour of the line under a tint.
    public func resolvedStrokeColor(for tintColor: UIColor) -> UIColor { strokeColor ?? tintColor }

    /// Draws the background as an element that lies under the content of a view, in place of the colour of the view.
    func draw(_ id: String, on node: inout Node, in drawing: Drawing) -> String {
        node.style["background-color"] = "transparent"
        _ = drawing.add(id, class: "v background-fill")
        let insets = backgroundInsets
        drawing.nodes[id]?.style = [
            "inset-block": "\(CSS.points(insets.top)) \(CSS.points(insets.bottom))",
            "inset-inline": "\(CSS.points(insets.leading)) \(CSS.points(insets.trailing))",
            "background-color": backgroundColor?.css ?? "var(--tint)",
        ]
        if cornerRadius > 0 { drawing.nodes[id]?.style["border-radius"] = CSS.points(cornerRadius) }
        if strokeWidth > 0 {
            let color = strokeColor?.css ?? "var(--tint)"
            drawing.nodes[id]?.style["outline"] = "\(CSS.points(strokeWidth)) solid \(color)"
            drawing.nodes[id]?.style["outline-offset"] = CSS.points(strokeOutset - strokeWidth)
        }
        if let blur = visualEffect?.css { drawing.nodes[id]?.style.merge(blur) { $1 } }
        var children: [String] = []
        if let image { children.append(image.drawPicture("\(id)image", imageContentMode, in: drawing)) }
        if let customView { children.append(customView.render(drawing)) }
        drawing.nodes[id]?.children = children
        return id
    }
}
