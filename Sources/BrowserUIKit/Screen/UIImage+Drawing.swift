import Foundation

extension UIImage {
    /// Draws the image as a shape in the tint; returns the id.
    @MainActor
    func drawGlyph(_ id: String, in drawing: Drawing) -> String {
        let address = drawing.register(self)
        let flips = flipsForRightToLeftLayoutDirection ? " flips" : ""
        _ = drawing.add(id, tag: "span", class: "glyph template\(flips)")
        drawing.nodes[id]?.style["--image"] = "url(\"\(address)\")"
        drawing.nodes[id]?.style["width"] = CSS.points(size.width)
        drawing.nodes[id]?.style["height"] = CSS.points(size.height)
        return id
    }
}
