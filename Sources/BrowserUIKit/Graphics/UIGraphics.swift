// The names of UIKit's functions are kept.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Returns what is drawn into now; `nil` where nothing is drawn.
@preconcurrency @MainActor
public func UIGraphicsGetCurrentContext() -> CGContext? { CGContext.current }

/// Begins to draw into a context.
@preconcurrency @MainActor
public func UIGraphicsPushContext(_ context: CGContext) {
    CGContext.stack.append(context)
}

/// Goes on to draw into the context before.
@preconcurrency @MainActor
public func UIGraphicsPopContext() {
    _ = CGContext.stack.popLast()
}

/// Begins to draw an image of a size, a pixel a point.
@preconcurrency @MainActor
public func UIGraphicsBeginImageContext(_ size: CGSize) {
    UIGraphicsBeginImageContextWithOptions(size, false, 1)
}

/// Begins to draw an image of a size; a scale of 0 is that of the screen.
@preconcurrency @MainActor
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    let pixels = scale.isFinite && scale > 0 ? scale : UIScreen.main.scale
    let bounds = CGRect(origin: .zero, size: size)
    CGContext.stack.append(CGContext(bounds: bounds, scale: pixels, isOpaque: opaque))
}

/// Returns the image that is drawn now; `nil` where none is.
@preconcurrency @MainActor
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? { CGContext.current?.image() }

/// Ends to draw an image.
@preconcurrency @MainActor
public func UIGraphicsEndImageContext() {
    UIGraphicsPopContext()
}

/// Fills a rectangle of what is drawn now, in place of what is there.
@preconcurrency @MainActor
public func UIRectFill(_ rect: CGRect) {
    guard let context = CGContext.current else { return }
    context.apart {
        context.setBlendMode(.normal)
        if context.isFillingClear { context.erase(PathElement.rect(rect)) }
        context.fill(rect)
    }
}

/// Fills a rectangle of what is drawn now, mixed with what is there.
@preconcurrency @MainActor
public func UIRectFillUsingBlendMode(_ rect: CGRect, _ blendMode: CGBlendMode) {
    guard let context = CGContext.current else { return }
    context.apart {
        context.setBlendMode(blendMode)
        context.fill(rect)
    }
}

/// Draws a line of one point along the inside of a rectangle, in place of what is there.
@preconcurrency @MainActor
public func UIRectFrame(_ rect: CGRect) {
    guard let context = CGContext.current else { return }
    context.apart {
        context.setBlendMode(.normal)
        if context.isStrokingClear { context.erase(PathElement.frame(of: rect), .evenOdd) }
        context.strokeFrame(of: rect)
    }
}

/// Draws a line of one point along the inside of a rectangle, mixed with what is there.
@preconcurrency @MainActor
public func UIRectFrameUsingBlendMode(_ rect: CGRect, _ blendMode: CGBlendMode) {
    guard let context = CGContext.current else { return }
    context.apart {
        context.setBlendMode(blendMode)
        context.strokeFrame(of: rect)
    }
}

/// Cuts what is drawn from now on to a rectangle.
@preconcurrency @MainActor
public func UIRectClip(_ rect: CGRect) {
    CGContext.current?.clip(to: rect)
}
