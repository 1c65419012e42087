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
        drawing.nodes[id]?.style["object-fit"] = contentMode.fit
        if let position = contentMode.position { drawing.nodes[id]?.style["object-position"] = position }
        return id
    }
}

extension UIView.ContentMode {
    /// The way in which an image fills its element.
    fileprivate var fit: String {
        switch self {
        case .scaleToFill, .redraw: "fill"
        case .scaleAspectFit: "contain"
        case .scaleAspectFill: "cover"
        case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight: "none"
        }
    }

    /// The position of an image that keeps its size; `nil` for the middle.
    fileprivate var position: String? {
        switch self {
        case .scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw, .center: nil
        case .top: "50% 0"
        case .bottom: "50% 100%"
        case .left: "0 50%"
        case .right: "100% 50%"
        case .topLeft: "0 0"
        case .topRight: "100% 0"
        case .bottomLeft: "0 100%"
        case .bottomRight: "100% 100%"
        }
    }
}
