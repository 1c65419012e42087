// swift-format-ignore-file: it has the shape of Apple's interfaces, a declaration a line, and no behaviour to document.
// Key-value observation of a web view, which Foundation on Linux does not have.
@_exported import BrowserUIKit
import Foundation

public final class NSKeyValueObservation: NSObject {
    public func invalidate() {}
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
    public let oldValue: Value?
}

extension WKWebView {
    public func observe<Value>(
        _ keyPath: KeyPath<WKWebView, Value>,
        options: Int = 0,
        changeHandler: @escaping @Sendable (WKWebView, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError() }
}
