extension UIImage {
    /// Creates the image of a symbol by the name that iOS knows it by; `nil` for those that are not drawn here.
    ///
    /// The drawings are this project's own: lines on a square of 24 points.
    public convenience init?(systemName name: String) {
        self.init(systemName: name, withConfiguration: nil)
    }

    /// Creates the image of a symbol in a size, weight and colour; `nil` for those that are not drawn here.
    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        guard let symbol = Symbol(name) else { return nil }
        let configuration = configuration as? SymbolConfiguration ?? .unspecified
        let side = configuration.side
        self.init(
            drawing: symbol.svg(lineWidth: configuration.lineWidth),
            size: CGSize(width: side, height: side),
            tint: configuration.color,
            symbol: (name, configuration)
        )
    }

    /// Returns a symbol in another size, weight or colour; the image itself where it is no symbol.
    public func withConfiguration(_ configuration: Configuration) -> UIImage { configured(configuration) ?? self }

    /// Returns a symbol with what a configuration says beyond its own; `nil` where it is no symbol.
    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        configured(symbol?.configuration.applying(configuration))
    }

    /// Returns the symbol in another configuration, with all else that was set for the image.
    private func configured(_ configuration: Configuration?) -> UIImage? {
        guard let symbol, let made = UIImage(systemName: symbol.name, withConfiguration: configuration) else {
            return nil
        }
        // A colour of the former configuration goes with that; one that the image was given stays.
        let given = tint === symbol.configuration.color ? nil : tint
        return made.with(
            renderingMode: renderingMode,
            flips: flipsForRightToLeftLayoutDirection,
            tint: made.tint ?? given
        )
    }
}

/// A drawing of lines, and of shapes that are filled.
private struct Symbol {
    private let shapes: String
    private let isFilled: Bool

    init?(_ name: String) {
        if let line = Self.lines[name] {
            (shapes, isFilled) = (line, false)
        } else if name.hasSuffix(".fill"), let line = Self.lines[String(name.dropLast(5))] {
            (shapes, isFilled) = (line, true)
        } else if let (inner, outer) = Self.framed(name) {
            (shapes, isFilled) = (inner + outer, false)
        } else {
            return nil
        }
    }

    /// Symbols in a circle: `plus.circle` has a smaller plus in it.
    private static func framed(_ name: String) -> (String, String)? {
        guard name.hasSuffix(".circle"), let inner = lines[String(name.dropLast(7))] else { return nil }
        return ("<g transform=\"translate(5.4 5.4) scale(.55)\">\(inner)</g>", "<circle cx=\"12\" cy=\"12\" r=\"9\"/>")
    }

    func svg(lineWidth: CGFloat) -> String {
        let fill = isFilled ? "#000" : "none"
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\" width=\"24\" "
            + "height=\"24\" fill=\"\(fill)\" "
            + "stroke=\"#000\" stroke-width=\"\(CSS.number(lineWidth))\" stroke-linecap=\"round\" "
            + "stroke-linejoin=\"round\">\(shapes)</svg>"
    }

    private static func path(_ data: String) -> String { "<path d=\"\(data)\"/>" }

    private static let lines: [String: String] = [
        "xmark": path("M5 5l14 14M19 5L5 19"),
        "checkmark": path("M4 13l5 6L20 5"),
        "plus": path("M12 4v16M4 12h16"),
        "minus": path("M4 12h16"),
        "chevron.left": path("M15 4l-8 8 8 8"),
        "chevron.right": path("M9 4l8 8-8 8"),
        "chevron.backward": path("M15 4l-8 8 8 8"),
        "chevron.forward": path("M9 4l8 8-8 8"),
        "chevron.up": path("M4 15l8-8 8 8"),
        "chevron.down": path("M4 9l8 8 8-8"),
        "arrow.left": path("M20 12H4M11 5l-7 7 7 7"),
        "arrow.right": path("M4 12h16M13 5l7 7-7 7"),
        "arrow.up": path("M12 20V4M5 11l7-7 7 7"),
        "arrow.down": path("M12 4v16M5 13l7 7 7-7"),
        "arrow.clockwise": path("M19.5 9A8 8 0 1 0 20 13M20 4v5h-5"),
        "arrowshape.turn.up.left": path("M10 5l-7 6 7 6v-4c5 0 8 1 11 6 0-7-4-11-11-11z"),
        "square.and.arrow.up": path("M8 9H5v12h14V9h-3M12 15V3M8 7l4-4 4 4"),
        "square.and.arrow.down": path("M8 9H5v12h14V9h-3M12 3v12M8 11l4 4 4-4"),
        "square.and.pencil": path("M13 5H4v15h15v-9M10 14l1-4 8-8 3 3-8 8z"),
        "pencil": path("M4 20l1-5L16 4l4 4L9 19z"),
        "trash": path("M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7"),
        "magnifyingglass": "<circle cx=\"10\" cy=\"10\" r=\"6.5\"/>" + path("M15 15l6 6"),
        "ellipsis": path("M5 12h.01M12 12h.01M19 12h.01"),
        "line.3.horizontal": path("M4 6h16M4 12h16M4 18h16"),
        "list.bullet": path("M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01"),
        "square.grid.2x2": path("M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"),
        "circle": "<circle cx=\"12\" cy=\"12\" r=\"9\"/>",
        "square": path("M4 4h16v16H4z"),
        "star": path("M12 3l2.8 6 6.4.8-4.7 4.5 1.2 6.5L12 17.6l-5.7 3.2 1.2-6.5L2.8 9.8 9.2 9z"),
        "heart": path("M12 20S3 14.5 3 8.5A4.7 4.7 0 0 1 12 6.5a4.7 4.7 0 0 1 9 2C21 14.5 12 20 12 20z"),
        "bell": path("M6 17c1-2 1-4 1-7a5 5 0 0 1 10 0c0 3 0 5 1 7zM10 20a2 2 0 0 0 4 0"),
        "gearshape": "<circle cx=\"12\" cy=\"12\" r=\"3.5\"/>"
            + path("M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2 2M16.4 16.4l2 2M18.4 5.6l-2 2M7.6 16.4l-2 2"),
        "gear": "<circle cx=\"12\" cy=\"12\" r=\"3.5\"/><circle cx=\"12\" cy=\"12\" r=\"7.5\"/>"
            + path("M12 2v3M12 19v3M2 12h3M19 12h3"),
        "person": "<circle cx=\"12\" cy=\"8\" r=\"4.2\"/>" + path("M4 21c0-5 4-6.5 8-6.5s8 1.5 8 6.5z"),
        "house": path("M3 11l9-8 9 8M6 9v11h12V9"),
        "cart": "<circle cx=\"9\" cy=\"20\" r=\"1.2\"/><circle cx=\"17\" cy=\"20\" r=\"1.2\"/>"
            + path("M2 4h3l3 12h10l3-9H6"),
        "bag": path("M5 8h14l1 13H4zM8.5 8V6.5a3.5 3.5 0 0 1 7 0V8"),
        "envelope": path("M3 5h18v14H3zM3 6l9 7 9-7"),
        "tray": path("M3 13l3-8h12l3 8v6H3zM3 13h5l1 3h6l1-3h5"),
        "message": path("M3 5h18v12H11l-5 4v-4H3z"),
        "bookmark": path("M6 3h12v18l-6-5-6 5z"),
        "book": path("M12 6c-3-2-6-2-9-1v14c3-1 6-1 9 1 3-2 6-2 9-1V5c-3-1-6-1-9 1zM12 6v14"),
        "tag": path("M3 3h8l10 10-8 8L3 11zM7 7h.01"),
        "gift": path("M3 9h18v4H3zM5 13v8h14v-8M12 9v12M12 9C9 9 6 8 7 5s5 0 5 4c0-4 4-7 5-4s-2 4-5 4"),
        "creditcard": path("M3 5h18v14H3zM3 10h18M6 15h4"),
        "info": path("M12 10v9M12 5h.01"),
        "questionmark": path("M8 8a4 4 0 1 1 5.5 3.7C12 12.4 12 13.5 12 15M12 20h.01"),
        "exclamationmark": path("M12 4v11M12 20h.01"),
        "exclamationmark.triangle": path("M12 3l10 18H2zM12 10v5M12 18h.01"),
        "lock": path("M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3"),
        "eye": path("M2 12c5-8 15-8 20 0-5 8-15 8-20 0z") + "<circle cx=\"12\" cy=\"12\" r=\"3\"/>",
        "clock": "<circle cx=\"12\" cy=\"12\" r=\"9\"/>" + path("M12 7v5l4 2"),
        "calendar": path("M4 5h16v16H4zM4 10h16M8 3v4M16 3v4"),
        "photo": path("M3 5h18v14H3zM3 17l6-6 4 4 3-3 5 5M15.5 9h.01"),
        "camera": path("M3 8h4l2-3h6l2 3h4v12H3z") + "<circle cx=\"12\" cy=\"13.5\" r=\"4\"/>",
        "link": path("M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"),
        "folder": path("M3 5h6l2 3h10v12H3z"),
        "doc": path("M6 3h8l4 4v14H6zM14 3v4h4"),
        "play": path("M7 4l13 8-13 8z"),
        "pause": path("M8 5v14M16 5v14"),
        "bolt": path("M13 2L5 14h6l-1 8 9-13h-6z"),
        "phone": path("M5 3h4l2 5-3 2c1 3 3 5 6 6l2-3 5 2v4c-9 2-18-7-16-16z"),
        "map": path("M3 6l6-3 6 3 6-3v15l-6 3-6-3-6 3zM9 3v15M15 6v15"),
        "location": path("M21 3L3 11l8 2 2 8z"),
        "globe": "<circle cx=\"12\" cy=\"12\" r=\"9\"/>" + path("M3 12h18M12 3c-5 6-5 12 0 18M12 3c5 6 5 12 0 18"),
        "hand.thumbsup": path("M4 11h4v9H4zM8 11l4-8c2 0 3 1 2.5 3L14 9h6l-2 11H8"),
        "slider.horizontal.3": path("M3 6h10M17 6h4M3 12h4M11 12h10M3 18h8M15 18h6M15 4v4M9 10v4M13 16v4"),
    ]
}
