// The documented calls have no nullability.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if !os(tvOS)
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Answers questions that apps with views of their own ask: where a text is, which window is in front, how a font is
/// scaled.
#if canImport(ObjectiveC)
@objc(ABKUIUtils) @objcMembers
#endif
open class ABKUIUtils: NSObject {
    // MARK: Windows

    /// The scene that is in front; `nil` where none is.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class var activeWindowScene: UIWindowScene! {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        return scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
    }

    /// The window that is in front; `nil` where none is.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class var activeApplicationWindow: UIWindow! {
        let windows = activeWindowScene?.windows ?? []
        return windows.first(where: \.isKeyWindow) ?? windows.first
    }

    /// The controller in front of all others; `nil` where there is no window.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class var activeApplicationViewController: UIViewController! {
        var controller = activeApplicationWindow?.rootViewController
        while let presented = controller?.presentedViewController, !presented.isBeingDismissed {
            controller = presented
        }
        return controller
    }

    /// Whether the bar of the device is not shown.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class var applicationStatusBarHidden: Bool {
        activeWindowScene?.statusBarManager?.isStatusBarHidden ?? false
    }

    /// The style of the device's bar.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class var applicationStatusBarStyle: UIStatusBarStyle {
        activeWindowScene?.statusBarManager?.statusBarStyle ?? .default
    }

    /// Returns the size of the bar of the device.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class func getStatusBarSize() -> CGSize {
        activeWindowScene?.statusBarManager?.statusBarFrame.size ?? .zero
    }

    /// Returns how the device is held.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class func getInterfaceOrientation() -> UIInterfaceOrientation {
        activeWindowScene?.interfaceOrientation ?? .unknown
    }

    /// Returns whether the device is a phone whose screen has a notch, or what takes its place.
    @available(iOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    open class func isNotchedPhone() -> Bool {
        UIDevice.current.userInterfaceIdiom == .phone && (activeApplicationWindow?.safeAreaInsets.bottom ?? 0) > 0
    }

    // MARK: Resources

    /// Returns the bundle with the resources of a channel: that of the class.
    ///
    /// - Parameters:
    ///   - bundleClass: a class of the app, or of this module.
    ///   - channel: the channel; content cards have their texts in ``ContentCardsUI/ContentCardsText``.
    /// - Returns: the bundle.
    open class func bundle(_ bundleClass: AnyClass!, channel: ABKChannel) -> Bundle! {
        bundleClass.map { Bundle(for: $0) } ?? .main
    }

    /// Returns a text: the app's own where it has one, else that of a bundle, else the key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - appboyBundle: the bundle that is asked after the app's.
    ///   - table: the table of strings; `nil` for `Localizable`.
    /// - Returns: the text.
    open class func getLocalizedString(
        _ key: String!,
        inAppboyBundle appboyBundle: Bundle!,
        table: String!
    ) -> String! {
        guard let key else { return nil }
        let own = Bundle.main.localizedString(forKey: key, value: key, table: table)
        if own != key { return own }
        return appboyBundle?.localizedString(forKey: key, value: key, table: table) ?? key
    }

    /// Returns the image of a file, or `nil` where there is none.
    ///
    /// The app's own wins.
    open class func getImageWithName(
        _ name: String!,
        type: String!,
        inAppboyBundle appboyBundle: Bundle!
    ) -> UIImage! {
        guard let name else { return nil }
        for bundle in [Bundle.main, appboyBundle].compactMap({ $0 }) {
            guard let path = bundle.path(forResource: name, ofType: type) else { continue }
            if let data = FileManager.default.contents(atPath: path), let image = UIImage(data: data) { return image }
        }
        return nil
    }

    /// Returns the class of the news feed's modal controller: the one for cards, for there is no news feed.
    open class func getModalFeedViewControllerClass() -> AnyClass! { ABKContentCardsViewController.self }

    // MARK: Values

    /// Returns whether a value is there and not empty: a text, an array or a dictionary with something in it, or
    /// another value.
    open class func objectIsValidAndNotEmpty(_ object: Any!) -> Bool {
        guard let object = object as Any?, !(object is NSNull) else { return false }
        switch object {
        case let text as String: return !text.isEmpty
        case let collection as any Collection: return !collection.isEmpty
        default: return true
        }
    }

    /// Returns whether two texts are equal; two that are missing are.
    #if canImport(ObjectiveC)
    @objc(string:isEqualToString:)
    #endif
    open class func string(_ string1: String!, isEqualTo string2: String!) -> Bool { string1 == string2 }

    /// Returns a colour that is another under a dark appearance.
    open class func dynamicColor(forLightColor lightColor: UIColor!, darkColor: UIColor!) -> UIColor! {
        guard let lightColor, let darkColor else { return lightColor ?? darkColor }
        return UIColor { $0.userInterfaceStyle == .dark ? darkColor : lightColor }
    }

    /// Returns the font of a text style in a weight, scaled for the text size that the user chose.
    @preconcurrency @MainActor
    open class func preferredFont(forTextStyle textStyle: UIFont.TextStyle, weight: UIFont.Weight) -> UIFont! {
        let traits = UITraitCollection(preferredContentSizeCategory: .large)
        let size = UIFont.preferredFont(forTextStyle: textStyle, compatibleWith: traits).pointSize
        return UIFontMetrics(forTextStyle: textStyle).scaledFont(for: .systemFont(ofSize: size, weight: weight))
    }

    // MARK: Responders

    /// Returns whether a responder, or one that answers where it does not, is of a class.
    #if canImport(ObjectiveC)
    @objc(responderChainOf:hasKindOfClass:)
    #endif
    @preconcurrency @MainActor
    open class func responderChain(of responder: UIResponder!, hasKindOf aClass: AnyClass!) -> Bool {
        guard let aClass else { return false }
        return chain(of: responder).contains { responder in
            sequence(first: Mirror(reflecting: responder), next: \.superclassMirror).contains {
                $0.subjectType == aClass
            }
        }
    }

    /// Returns whether the class of a responder, or of one that answers where it does not, has a name that begins so.
    @preconcurrency @MainActor
    open class func responderChain(of responder: UIResponder!, hasClassPrefixedWith prefix: String!) -> Bool {
        guard let prefix else { return false }
        return chain(of: responder).contains { String(describing: type(of: $0)).hasPrefix(prefix) }
    }

    @preconcurrency @MainActor
    private class func chain(of responder: UIResponder?) -> [UIResponder] {
        var (chain, next) = ([UIResponder](), responder)
        // An app can make a circle of its responders.
        while let responder = next, chain.count < 1_000 {
            chain.append(responder)
            next = responder.next
        }
        return chain
    }
}
#endif
