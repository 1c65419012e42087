// swift-format-ignore-file
// It has the shape of Apple's interfaces, a declaration a line, and no behaviour to document.
// What the SDK uses of UIKit on Apple's platforms alone, and BrowserUIKit does not have: declarations to type-check
// against, which can't run.
@_exported import BrowserUIKit
@_exported import CoreGraphics
@_exported import ObjectiveC
import Foundation

public final class NSKeyValueObservation {
    public func invalidate() {}
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
    public let oldValue: Value?
}

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = Self(rawValue: 1), old = Self(rawValue: 2), initial = Self(rawValue: 4)
}

/// What Foundation has for every object of Objective-C.
public protocol KeyValueObservable {}
extension UIView: KeyValueObservable {}
extension KeyValueObservable {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError() }
}

extension UIApplication {
    public nonisolated class var didReceiveMemoryWarningNotification: NSNotification.Name { .init("") }
}

extension UIImage {
    public convenience init(cgImage: CGImage) { fatalError() }
    public class func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? { nil }
    public var images: [UIImage]? { nil }
}

extension UIView {
    public func invalidateIntrinsicContentSize() {}
}

// MARK: Drawing, for the tests of screens

extension UIGraphicsImageRenderer {
    public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data { Data() }
}

extension UIView {
    public func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool { false }
}

extension CALayer {
    public func render(in ctx: CGContext) {}
}

extension UITraitCollection {
    public init(preferredContentSizeCategory: UIContentSizeCategory) { fatalError() }
    public init(layoutDirection: UITraitEnvironmentLayoutDirection) { fatalError() }
    public init(traitsFrom traitCollections: [UITraitCollection]) { fatalError() }
}

public enum UITraitEnvironmentLayoutDirection: Int { case unspecified = -1, leftToRight, rightToLeft }

extension UIViewController {
    public func setOverrideTraitCollection(_ collection: UITraitCollection?, forChild childViewController: UIViewController) {}
    public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {}
    public func endAppearanceTransition() {}
}
