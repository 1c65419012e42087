import Foundation

extension UIImage {
    /// Draws the image as a shape in the tint; returns the id.
    @MainActor
    func drawGlyph(_ id: String, in drawing: Drawing) -> String {
        let address = drawing.register(self)
        let flips = flipsForRightToLeftLayoutDirection ? " flips" : ""
        _ = drawing.add(id, tag: "span", class: "glyph template\(flips)")
        drawing.nodes[id]?.style["--image"] = "url(\"\(address)\")"
        if let tint { drawing.nodes[id]?.style["--tint"] = tint.css }
        drawing.nodes[id]?.style["width"] = CSS.points(size.width)
        drawing.nodes[id]?.style["height"] = CSS.points(size.height)
        return id
    }

    /// Draws the image in its own colours, over all of what it is in; returns the id.
    @MainActor
    func drawPicture(_ id: String, _ contentMode: UIView.ContentMode, in drawing: Drawing) -> String {
        _ = drawing.add(id, tag: "img", class: "image")
        let address = drawing.register(self)
        drawing.nodes[id]?.attributes.merge(["src": address, "alt": "", "draggable": "false"]) { $1 }
        let fit: [UIView.ContentMode: String] = [
            .scaleAspectFit: "contain", .scaleAspectFill: "cover", .center: "none",
        ]
        drawing.nodes[id]?.style["object-fit"] = fit[contentMode] ?? "fill"
        return id
    }
}
