extension UIFont {
    /// Creates a font that iOS brings, by its PostScript name or that of its family; `nil` for any other.
    ///
    /// Browsers show another font of the kind where the device has none of the name. Fonts of the app's own are not
    /// found.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        let parts = fontName.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let key = parts[0].filter { $0 != " " }.lowercased()
        guard let family = Self.families[key], fontSize.isFinite else { return nil }
        let face = parts.count > 1 ? parts[1].lowercased() : ""
        self.init(
            size: fontSize > 0 ? fontSize : 17,
            weight: Self.weight(of: face),
            isItalic: face.contains("italic") || face.contains("oblique"),
            family: family
        )
    }

    private static func weight(of face: String) -> Weight {
        let weights: [(String, Weight)] = [
            ("demibold", .semibold), ("semibold", .semibold), ("heavy", .heavy), ("black", .heavy), ("bold", .bold),
            ("medium", .medium), ("w6", .semibold), ("light", .light), ("thin", .light),
        ]
        return weights.first { face.contains($0.0) }?.1 ?? .regular
    }

    /// The names in style sheets of the families that iOS brings.
    private static let families = [
        "helvetica": "Helvetica, Arial, sans-serif",
        "helveticaneue": "\"Helvetica Neue\", Helvetica, Arial, sans-serif",
        "arial": "Arial, Helvetica, sans-serif",
        "arialmt": "Arial, Helvetica, sans-serif",
        "avenir": "Avenir, \"Avenir Next\", Inter, sans-serif",
        "avenirnext": "\"Avenir Next\", Avenir, Inter, sans-serif",
        "futura": "Futura, \"Century Gothic\", sans-serif",
        "gillsans": "\"Gill Sans\", Calibri, sans-serif",
        "optima": "Optima, Candara, sans-serif",
        "verdana": "Verdana, \"DejaVu Sans\", sans-serif",
        "trebuchetms": "\"Trebuchet MS\", sans-serif",
        "georgia": "Georgia, serif",
        "palatino": "Palatino, \"Book Antiqua\", serif",
        "baskerville": "Baskerville, Georgia, serif",
        "didot": "Didot, Georgia, serif",
        "timesnewroman": "\"Times New Roman\", Times, serif",
        "timesnewromanps": "\"Times New Roman\", Times, serif",
        "timesnewromanpsmt": "\"Times New Roman\", Times, serif",
        "courier": "Courier, monospace",
        "couriernew": "\"Courier New\", Courier, monospace",
        "menlo": "Menlo, \"DejaVu Sans Mono\", monospace",
        "americantypewriter": "\"American Typewriter\", \"Courier New\", serif",
        "chalkboardse": "\"Chalkboard SE\", cursive",
        "markerfelt": "\"Marker Felt\", cursive",
        "hiraginosans": "\"Hiragino Sans\", \"Noto Sans CJK JP\", sans-serif",
        "hirakakupron": "\"Hiragino Kaku Gothic ProN\", \"Noto Sans CJK JP\", sans-serif",
        "hiraminpron": "\"Hiragino Mincho ProN\", \"Noto Serif CJK JP\", serif",
    ]
}
