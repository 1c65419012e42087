/// Says how the lines of a text are set.
public enum NSTextAlignment: Int, Sendable {
    /// To the left.
    case left = 0
    /// To the middle.
    case center = 1
    /// To the right.
    case right = 2
    /// To both sides.
    case justified = 3
    /// The side at which the language begins.
    case natural = 4
}

/// Says where lines break.
public enum NSLineBreakMode: Int, Sendable {
    /// Between words.
    case byWordWrapping = 0
    /// Between characters.
    case byCharWrapping = 1
    /// Nowhere; the rest is cut off.
    case byClipping = 2
    /// Nowhere; the start is replaced by an ellipsis.
    case byTruncatingHead = 3
    /// Between words; the rest of the last line is replaced by an ellipsis.
    case byTruncatingTail = 4
    /// Nowhere; the middle is replaced by an ellipsis.
    case byTruncatingMiddle = 5
}

/// Holds how the lines of a paragraph are set.
public class NSParagraphStyle: Hashable {
    var spacing: CGFloat = 0
    var textAlignment = NSTextAlignment.natural
    var breaking = NSLineBreakMode.byWordWrapping

    /// Creates the default style.
    public init() {}

    /// The room between lines beyond their height, in points.
    public var lineSpacing: CGFloat { spacing }
    /// The side to which lines are set.
    public var alignment: NSTextAlignment { textAlignment }
    /// The way in which lines break.
    public var lineBreakMode: NSLineBreakMode { breaking }

    /// Returns whether both set lines alike.
    public static func == (left: NSParagraphStyle, right: NSParagraphStyle) -> Bool {
        left.spacing == right.spacing && left.textAlignment == right.textAlignment && left.breaking == right.breaking
    }

    /// Feeds the style into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(spacing)
        hasher.combine(textAlignment)
    }
}

/// Holds how the lines of a paragraph are set, and can be changed.
public final class NSMutableParagraphStyle: NSParagraphStyle {
    /// The room between lines beyond their height, in points.
    ///
    /// The default is 0.
    public override var lineSpacing: CGFloat {
        get { spacing }
        set { spacing = newValue }
    }

    /// The side to which lines are set.
    ///
    /// The default is `natural`.
    public override var alignment: NSTextAlignment {
        get { textAlignment }
        set { textAlignment = newValue }
    }

    /// The way in which lines break.
    ///
    /// The default is `byWordWrapping`.
    public override var lineBreakMode: NSLineBreakMode {
        get { breaking }
        set { breaking = newValue }
    }
}

/// Says how a line under or through text looks; browsers know the single one.
public struct NSUnderlineStyle: OptionSet, Sendable {
    /// One bit a property.
    public let rawValue: Int

    /// Creates a style from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A thin line.
    public static let single = NSUnderlineStyle(rawValue: 1)
}

extension NSAttributedString.Key {
    /// A link, which a text view follows: a `URL`, or an address as text.
    public static let link = NSAttributedString.Key("NSLink")
    /// The line under the text; the value is the raw value of an `NSUnderlineStyle`.
    public static let underlineStyle = NSAttributedString.Key("NSUnderline")
    /// The line through the text; the value is the raw value of an `NSUnderlineStyle`.
    public static let strikethroughStyle = NSAttributedString.Key("NSStrikethrough")
    /// The font; the value is a `UIFont`.
    public static let font = NSAttributedString.Key("NSFont")
    /// The colour of the text; the value is a `UIColor`.
    public static let foregroundColor = NSAttributedString.Key("NSColor")
    /// The colour behind the text; the value is a `UIColor`.
    public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
    /// The room between letters, in points; the value is a number.
    public static let kern = NSAttributedString.Key("NSKern")
    /// The style of paragraphs; the value is an `NSParagraphStyle`.
    public static let paragraphStyle = NSAttributedString.Key("NSParagraphStyle")
}
