/// Says how much room a height of a sheet may have.
@preconcurrency @MainActor
public protocol UISheetPresentationControllerDetentResolutionContext: NSObjectProtocol {
    /// The surroundings of the sheet.
    var containerTraitCollection: UITraitCollection { get }
    /// The greatest height, without what the device covers at the bottom; in points.
    var maximumDetentValue: CGFloat { get }
}

extension UISheetPresentationController {
    /// Is a height at which a sheet rests.
    @preconcurrency @MainActor
    open class Detent: NSObject {
        /// Names a height.
        public struct Identifier: RawRepresentable, Hashable, Sendable {
            /// The name.
            public let rawValue: String

            /// Creates a name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Creates a name.
            public init(_ rawValue: String) {
                self.rawValue = rawValue
            }

            /// About half of the screen.
            public static let medium = Identifier("com.apple.UIKit.medium")
            /// The whole screen, below the top.
            public static let large = Identifier("com.apple.UIKit.large")
        }

        /// The name of the height.
        public let identifier: Identifier
        private let resolver: (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?

        /// Creates a height from its rule.
        public required init(
            identifier: Identifier,
            resolver: @escaping (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?
        ) {
            self.identifier = identifier
            self.resolver = resolver
            super.init()
        }

        /// Returns half of the screen, which a low screen does not have.
        public class func medium() -> Self {
            Self(identifier: .medium) { context in
                guard context.containerTraitCollection.verticalSizeClass != .compact else { return nil }
                return (context as? DetentRoom)?.half
            }
        }

        /// Returns the whole screen, below the top.
        public class func large() -> Self { Self(identifier: .large) { $0.maximumDetentValue } }

        /// Returns a height by a rule, without what the device covers at the bottom; `nil` where it isn't to be had.
        public class func custom(
            identifier: Identifier? = nil,
            resolver: @escaping (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?
        ) -> Self {
            Self(identifier: identifier ?? Identifier(UUID().uuidString), resolver: resolver)
        }

        /// Returns the height, without what the device covers at the bottom; `nil` where it isn't to be had.
        public func resolvedValue(in context: any UISheetPresentationControllerDetentResolutionContext) -> CGFloat? {
            guard let value = resolver(context), value.isFinite else { return nil }
            return min(max(value, 0), context.maximumDetentValue)
        }
    }
}

/// The room that a screen has for sheets.
final class DetentRoom: NSObject, UISheetPresentationControllerDetentResolutionContext {
    let containerTraitCollection: UITraitCollection
    let maximumDetentValue: CGFloat
    let half: CGFloat

    init(_ environment: BrowserEnvironment) {
        let bottom = environment.safeArea.bottom
        containerTraitCollection = environment.traits
        maximumDetentValue = max(environment.height - UISheetPresentationController.roomAbove - bottom, 0)
        half = max((environment.height / 2).rounded() - bottom, 0)
        super.init()
    }
}
