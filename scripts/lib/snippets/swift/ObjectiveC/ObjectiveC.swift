// Stands in for Apple's module `ObjectiveC` where snippets with `@objc` and `#selector` are type-checked: enough of it
// for the compiler to find what those need. Nothing that is compiled with it can run.
import Foundation

/// The name of a method in Objective-C.
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable {
    /// Creates a selector from a literal, as `#selector` does.
    public init(stringLiteral value: String) {}
    /// Creates a selector from its name.
    public init(_ name: String) {}
}

extension NotificationCenter {
    /// Apple's form of the call, which takes a selector.
    public func addObserver(_ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?) {}
}
