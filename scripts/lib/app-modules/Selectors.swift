// swift-format-ignore-file
// It has the shape of Apple's interface, a declaration a line, and no behaviour to document.
// Stands in for what Apple's UIKit and Foundation do by selector, where an app's files are type-checked: nothing
// compiled with it can run.
import BrowserUIKit
import Foundation

/// The name of a method in Objective-C.
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable {
    /// Creates a selector from a literal, as `#selector` does.
    public init(stringLiteral value: String) {}
    /// Creates a selector from its name.
    public init(_ name: String) {}
}

/// A notification as methods that a selector names take it.
@objc public class NotificationOfObjectiveC: NSObject {
    public var name: NSNotification.Name { fatalError() }
    public var object: Any? { nil }
    public var userInfo: [AnyHashable: Any]? { nil }
}

extension NotificationCenter {
    public func addObserver(_ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?) {}
}

extension NSPredicate {
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) { fatalError() }
}

extension Timer {
    @discardableResult
    public class func scheduledTimer(
        timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
    ) -> Timer { fatalError() }
}

extension UIControl {
    public func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {}
    @_disfavoredOverload
    public func removeTarget(_ target: Any?, action: Selector?, for controlEvents: UIControl.Event) {}
}

extension UIGestureRecognizer {
    public convenience init(target: Any?, action: Selector?) { fatalError() }
    public func addTarget(_ target: Any, action: Selector) {}
    @_disfavoredOverload
    public func removeTarget(_ target: Any?, action: Selector?) {}
}

extension UIBarButtonItem {
    @_disfavoredOverload
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) { fatalError() }
    @_disfavoredOverload
    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) { fatalError() }
    @_disfavoredOverload
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) { fatalError() }
}

extension UIApplication {
    @discardableResult
    public func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool { false }
}
