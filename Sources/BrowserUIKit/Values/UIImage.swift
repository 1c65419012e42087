/// Holds an image.
public final class UIImage: Sendable {
    /// Says how an image takes its colours.
    public enum RenderingMode: Int, Sendable {
        /// As the view says.
        case automatic = 0
        /// From the image.
        case alwaysOriginal = 1
        /// From the tint of the view; only the opacity of the image counts.
        case alwaysTemplate = 2
    }

    /// The size, in points.
    public let size: CGSize
    /// The number of pixels in a point.
    public let scale: CGFloat
    /// The way in which the image takes its colours.
    public let renderingMode: RenderingMode
    /// Whether the image is mirrored where text runs from right to left.
    public let flipsForRightToLeftLayoutDirection: Bool
    let bytes: Data
    let mediaType: String
    let digest: String
    /// The colour that the image is drawn in, where the app gave one.
    let tint: UIColor?
    /// The symbol that the image was made of, where it is one.
    let symbol: (name: String, configuration: SymbolConfiguration)?

    /// Creates an image from the bytes of a PNG, JPEG, GIF or WebP file; `nil` for anything else.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Creates an image whose points have so many pixels.
    public convenience init?(data: Data, scale: CGFloat) {
        guard scale > 0, let header = ImageHeader(data) else { return nil }
        self.init(
            bytes: data,
            header: header,
            scale: scale,
            renderingMode: .automatic,
            flips: false,
            digest: ImageHeader.digest(of: data)
        )
    }

    private init(
        bytes: Data,
        header: ImageHeader,
        scale: CGFloat,
        renderingMode: RenderingMode,
        flips: Bool,
        digest: String,
        tint: UIColor? = nil,
        symbol: (name: String, configuration: SymbolConfiguration)? = nil
    ) {
        self.tint = tint
        self.symbol = symbol
        self.bytes = bytes
        self.scale = scale
        self.renderingMode = renderingMode
        self.digest = digest
        mediaType = header.mediaType
        size = CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
        flipsForRightToLeftLayoutDirection = flips
    }

    /// Creates an image from a drawing of this module's own, which takes its colour from the view.
    convenience init(
        drawing: String,
        size: CGSize,
        scale: CGFloat = 1,
        renderingMode: RenderingMode = .alwaysTemplate,
        tint: UIColor? = nil,
        symbol: (name: String, configuration: SymbolConfiguration)? = nil
    ) {
        let bytes = Data(drawing.utf8)
        self.init(
            bytes: bytes,
            header: ImageHeader(
                mediaType: "image/svg+xml",
                width: Int(size.width * scale + 0.001),
                height: Int(size.height * scale + 0.001)
            ),
            scale: scale,
            renderingMode: renderingMode,
            flips: false,
            digest: ImageHeader.digest(of: bytes),
            tint: tint,
            symbol: symbol
        )
    }

    private var header: ImageHeader {
        ImageHeader(
            mediaType: mediaType,
            width: Int((size.width * scale).rounded()),
            height: Int((size.height * scale).rounded())
        )
    }

    func with(renderingMode: RenderingMode? = nil, flips: Bool? = nil, tint: UIColor? = nil) -> UIImage {
        UIImage(
            bytes: bytes,
            header: header,
            scale: scale,
            renderingMode: renderingMode ?? self.renderingMode,
            flips: flips ?? flipsForRightToLeftLayoutDirection,
            digest: digest,
            tint: tint ?? self.tint,
            symbol: symbol
        )
    }

    /// Returns the image with another way of taking its colours.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { with(renderingMode: renderingMode) }

    /// Returns the shape of the image in a colour.
    public func withTintColor(_ color: UIColor) -> UIImage { with(renderingMode: .alwaysTemplate, tint: color) }

    /// Returns the shape of the image in a colour; browsers draw it so in any mode.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage { withTintColor(color) }

    /// Returns the image so that it is mirrored where text runs from right to left.
    public func imageFlippedForRightToLeftLayoutDirection() -> UIImage { with(flips: true) }
}
