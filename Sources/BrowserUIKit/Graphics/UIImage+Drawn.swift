extension UIImage {
    /// Draws the image into the current context, in its own size.
    @preconcurrency @MainActor
    public func draw(at point: CGPoint) {
        draw(at: point, blendMode: .normal, alpha: 1)
    }

    /// Draws the image in its own size, mixed with what is below, in an opacity from 0 to 1.
    @preconcurrency @MainActor
    public func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
        draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
    }

    /// Draws the image into the current context, stretched over a rectangle.
    @preconcurrency @MainActor
    public func draw(in rect: CGRect) {
        draw(in: rect, blendMode: .normal, alpha: 1)
    }

    /// Draws the image over a rectangle, mixed with what is below, in an opacity from 0 to 1.
    @preconcurrency @MainActor
    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        guard let context = CGContext.current else { return }
        context.apart {
            context.setBlendMode(blendMode)
            context.setAlpha(alpha)
            context.draw(self, in: rect)
        }
    }

    /// The format in which an image like this one is drawn: in its scale, and opaque where its file can't be clear.
    @preconcurrency @MainActor
    public var imageRendererFormat: UIGraphicsImageRendererFormat {
        let format = UIGraphicsImageRendererFormat()
        (format.scale, format.opaque) = (scale, mediaType == "image/jpeg")
        return format
    }

    /// Returns the bytes of the image as a PNG file; `nil` where it was made of none, since nothing is turned into
    /// pixels here.
    public func pngData() -> Data? { mediaType == "image/png" ? bytes : nil }

    /// Returns the bytes of the image as a JPEG file, as they came; `nil` where it was made of none.
    public func jpegData(compressionQuality: CGFloat) -> Data? { mediaType == "image/jpeg" ? bytes : nil }
}

extension CGContext {
    fileprivate func draw(_ image: UIImage, in rect: CGRect) {
        var names = SVG.frame(rect)
        names["preserveAspectRatio"] = "none"
        names["href"] = "data:\(image.mediaType);base64,\(image.bytes.base64EncodedString())"
        guard image.renderingMode == .alwaysTemplate, let tint = image.tint else {
            return append(SVG.element("image", names.merging(state.common) { $1 }))
        }
        // Only the opacity of the image counts, for its own colour.
        let id = newName
        define(SVG.element("mask", ["id": id, "style": "mask-type:alpha"], SVG.element("image", names)))
        let cover = SVG.frame(rect).merging(["fill": tint.cgColor.css, "mask": "url(#\(id))"]) { $1 }
        append(SVG.element("rect", cover.merging(state.common) { $1 }))
    }
}
