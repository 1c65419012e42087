/// Says how a renderer draws.
@preconcurrency @MainActor
open class UIGraphicsRendererFormat: NSObject {
    /// The rectangle that is drawn into.
    public internal(set) var bounds = CGRect.zero

    /// Creates a format.
    public required override init() {
        super.init()
    }

    /// Returns the format that is taken where none is given.
    open class func `default`() -> Self { Self() }

    /// Returns the format that suits the screen best.
    open class func preferred() -> Self { Self() }
}

/// Is what a renderer draws with.
@preconcurrency @MainActor
open class UIGraphicsRendererContext: NSObject {
    /// The context that is drawn into.
    public let cgContext: CGContext
    /// The format of the drawing.
    public let format: UIGraphicsRendererFormat

    init(_ context: CGContext, format: UIGraphicsRendererFormat) {
        cgContext = context
        self.format = format
        super.init()
    }

    /// Fills a rectangle in the colour that was set.
    open func fill(_ rect: CGRect) {
        cgContext.fill(rect)
    }

    /// Fills a rectangle, mixed with what is below.
    open func fill(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.apart {
            cgContext.setBlendMode(blendMode)
            cgContext.fill(rect)
        }
    }

    /// Draws a line of one point along the inside of a rectangle.
    open func stroke(_ rect: CGRect) {
        cgContext.stroke(rect.insetBy(dx: 0.5, dy: 0.5), width: 1)
    }

    /// Draws a line of one point along the inside of a rectangle, mixed with what is below.
    open func stroke(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.apart {
            cgContext.setBlendMode(blendMode)
            stroke(rect)
        }
    }

    /// Cuts what is drawn from now on to a rectangle.
    open func clip(to rect: CGRect) {
        cgContext.clip(to: rect)
    }
}

/// Says how an image is drawn.
open class UIGraphicsImageRendererFormat: UIGraphicsRendererFormat {
    /// Says which colours an image can have.
    public enum Range: Int, Sendable {
        /// Those of a range that isn't known.
        case unspecified = -1
        /// Those that the system thinks best.
        case automatic = 0
        /// More than those of sRGB.
        case extended = 1
        /// Those of sRGB.
        case standard = 2
    }

    /// The colours that the image can have; here those of sRGB.
    ///
    /// The default is `automatic`.
    open var preferredRange = Range.automatic
    /// The number of pixels that a point has in each direction.
    ///
    /// The default is as many as on the screen.
    open var scale: CGFloat
    /// Whether nothing shines through the image, which is black where nothing is drawn.
    ///
    /// The default is `false`.
    open var opaque = false

    /// Creates a format for the screen.
    public required init() {
        scale = UIScreen.main.scale
        super.init()
    }

    /// Creates a format for surroundings.
    public init(for traitCollection: UITraitCollection) {
        scale = traitCollection.displayScale
        super.init()
    }
}

/// Is what an image is drawn with.
open class UIGraphicsImageRendererContext: UIGraphicsRendererContext {
    /// The image, as far as it has been drawn.
    open var currentImage: UIImage { cgContext.image() }
}

/// Makes images by drawing them.
@preconcurrency @MainActor
open class UIGraphicsImageRenderer: NSObject {
    /// Draws into an image.
    public typealias DrawingActions = (UIGraphicsImageRendererContext) -> Void

    /// The format of the images.
    open var format: UIGraphicsRendererFormat { imageFormat }
    private let imageFormat: UIGraphicsImageRendererFormat
    private let bounds: CGRect

    /// Creates a renderer of images that show a rectangle of what is drawn.
    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.bounds = bounds
        imageFormat = format
        format.bounds = bounds
        super.init()
    }

    /// Creates a renderer of images that show a rectangle of what is drawn, for the screen.
    public convenience init(bounds: CGRect) {
        self.init(bounds: bounds, format: UIGraphicsImageRendererFormat())
    }

    /// Creates a renderer of images of a size, for the screen.
    public convenience init(size: CGSize) {
        self.init(bounds: CGRect(origin: .zero, size: size))
    }

    /// Creates a renderer of images of a size.
    public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.init(bounds: CGRect(origin: .zero, size: size), format: format)
    }

    /// Makes an image of what the closure draws.
    open func image(actions: DrawingActions) -> UIImage {
        let given = imageFormat.scale
        let scale = given.isFinite && given > 0 ? given : UIScreen.main.scale
        let context = CGContext(bounds: bounds, scale: scale, isOpaque: imageFormat.opaque)
        CGContext.stack.append(context)
        defer { CGContext.stack.removeAll { $0 === context } }
        actions(UIGraphicsImageRendererContext(context, format: format))
        return context.image()
    }
}
