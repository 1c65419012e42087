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
    /// How many pixels a point has.
    public let scale: CGFloat
    /// How the image takes its colours.
    public let renderingMode: RenderingMode
    /// Whether the image is mirrored where text runs from right to left.
    public let flipsForRightToLeftLayoutDirection: Bool
    let bytes: Data
    let mediaType: String
    let digest: String

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
        digest: String
    ) {
        self.bytes = bytes
        self.scale = scale
        self.renderingMode = renderingMode
        self.digest = digest
        mediaType = header.mediaType
        size = CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
        flipsForRightToLeftLayoutDirection = flips
    }

    /// Creates an image from a drawing of this module's own, which takes its colour from the view.
    convenience init(drawing: String, size: CGSize) {
        let bytes = Data(drawing.utf8)
        self.init(
            bytes: bytes,
            header: ImageHeader(mediaType: "image/svg+xml", width: Int(size.width), height: Int(size.height)),
            scale: 1,
            renderingMode: .alwaysTemplate,
            flips: false,
            digest: ImageHeader.digest(of: bytes)
        )
    }

    private var header: ImageHeader {
        ImageHeader(mediaType: mediaType, width: Int(size.width * scale), height: Int(size.height * scale))
    }

    /// Returns the image with another way of taking its colours.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(
            bytes: bytes,
            header: header,
            scale: scale,
            renderingMode: renderingMode,
            flips: flipsForRightToLeftLayoutDirection,
            digest: digest
        )
    }

    /// Returns the image so that it is mirrored where text runs from right to left.
    public func imageFlippedForRightToLeftLayoutDirection() -> UIImage {
        UIImage(
            bytes: bytes,
            header: header,
            scale: scale,
            renderingMode: renderingMode,
            flips: true,
            digest: digest
        )
    }
}
