/// Says how the room of a text is found.
public struct NSStringDrawingOptions: OptionSet, Sendable {
    /// One bit an option.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Lines break at the width.
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1 << 0)
    /// The room between lines is that of the font, as it is here in any case.
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 1 << 1)
    /// The shapes of characters count in place of their boxes; browsers don't tell them.
    public static let usesDeviceMetrics = NSStringDrawingOptions(rawValue: 1 << 3)
    /// The last line that fits ends in an ellipsis where there is more.
    public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 1 << 5)
}

/// Holds how much smaller a text may become, and has become; here it keeps its size.
open class NSStringDrawingContext: NSObject {
    /// The scale to which a text may become smaller; with 0, the default, it keeps its size.
    open var minimumScaleFactor: CGFloat = 0
    /// The scale to which it became smaller: 1.
    open var actualScaleFactor: CGFloat { 1 }
    /// The room of the text that was measured last.
    open internal(set) var totalBounds = CGRect.zero
}

extension NSAttributedString {
    /// Returns the size of the text, in lines as they are; widths are estimated.
    public func size() -> CGSize { TextMeasure(self).size() }

    /// Returns the room of the text, in lines of a width where the options say so; widths are estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        context: NSStringDrawingContext?
    ) -> CGRect {
        let breaks = options.contains(.usesLineFragmentOrigin)
        let measure = TextMeasure(self)
        let rect = CGRect(origin: .zero, size: breaks ? measure.size(within: size) : measure.size())
        context?.totalBounds = rect
        return rect
    }
}

extension NSString {
    /// Returns the size of the text, in lines as they are; widths are estimated.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        substring(from: 0).size(withAttributes: attrs)
    }

    /// Returns the room of the text, in lines of a width where the options say so; widths are estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        substring(from: 0).boundingRect(with: size, options: options, attributes: attributes, context: context)
    }
}

// Swift shows the methods of `NSString` on texts of its own where there is Objective-C.
extension String {
    /// Returns the size of the text, in lines as they are; widths are estimated.
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        NSAttributedString(string: self, attributes: attrs).size()
    }

    /// Returns the room of the text, in lines of a width where the options say so; widths are estimated.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext?
    ) -> CGRect {
        let text = NSAttributedString(string: self, attributes: attributes)
        return text.boundingRect(with: size, options: options, context: context)
    }
}
