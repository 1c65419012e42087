/// Keeps what is copied.
///
/// What an app copies comes to the clipboard of the browser. What others have copied stays unknown: browsers tell it
/// only when the user pastes.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    /// Names a pasteboard.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The pasteboard of the system.
        public static let general = Name(rawValue: "com.apple.UIKit.pboard.general")
    }

    private weak var host: (any ViewHost)?
    private static let withoutScreen = UIPasteboard(host: nil)
    private var values: [Any] = [] {
        didSet {
            changeCount += 1
            if let text = strings?.joined(separator: "\n") { host?.copy(text) }
            NotificationCenter.default.post(name: Self.changedNotification, object: self)
        }
    }
    /// The number of times the content has changed.
    public private(set) var changeCount = 0

    init(host: (any ViewHost)?) {
        self.host = host
    }

    /// The pasteboard of the system: that of the tab whose app runs now.
    public class var general: UIPasteboard { UIScreen.current?.pasteboard ?? withoutScreen }

    /// The name.
    public var name: Name { .general }

    /// The first text.
    open var string: String? {
        get { strings?.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
    /// The texts; those of addresses, too.
    open var strings: [String]? {
        get { Self.some(values.compactMap { ($0 as? String) ?? ($0 as? URL)?.absoluteString }) }
        set { values = newValue ?? [] }
    }
    /// The first address.
    open var url: URL? {
        get { urls?.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
    /// The addresses.
    open var urls: [URL]? {
        get { Self.some(values.compactMap { $0 as? URL }) }
        set { values = newValue ?? [] }
    }
    /// The first image; browsers get texts alone.
    open var image: UIImage? {
        get { images?.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
    /// The images; browsers get texts alone.
    open var images: [UIImage]? {
        get { Self.some(values.compactMap { $0 as? UIImage }) }
        set { values = newValue ?? [] }
    }
    /// The first colour; browsers get texts alone.
    open var color: UIColor? {
        get { values.lazy.compactMap { $0 as? UIColor }.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
    /// Whether there is a text.
    open var hasStrings: Bool { strings != nil }
    /// Whether there is an address.
    open var hasURLs: Bool { urls != nil }
    /// Whether there is an image.
    open var hasImages: Bool { images != nil }
    /// Whether there is a colour.
    open var hasColors: Bool { color != nil }
    /// The number of items.
    open var numberOfItems: Int { values.count }

    private static func some<Value>(_ values: [Value]) -> [Value]? { values.isEmpty ? nil : values }

    /// A notification that the content has changed.
    public nonisolated static let changedNotification = NSNotification.Name("UIPasteboardChangedNotification")
}
