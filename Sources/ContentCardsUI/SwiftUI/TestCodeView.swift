#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows a code by which the team sends test cards to this device, in SwiftUI.
///
/// It is a `TestCodeViewController`: put it on a screen for your team.
public struct TestCodeView: UIViewControllerRepresentable {
    private let source: any TestCodeSource

    /// Creates a view.
    ///
    /// - Parameter source: where codes come from, as a rule a `ContentCardsClient`.
    public init(source: any TestCodeSource) { self.source = source }

    /// Creates the controller.
    public func makeUIViewController(context: Context) -> TestCodeViewController {
        TestCodeViewController(source: source)
    }

    /// Changes nothing: a controller asks its source by itself.
    public func updateUIViewController(_ controller: TestCodeViewController, context: Context) {}
}
#endif
