#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Shows a code by which the team sends test cards to this device, in SwiftUI.
///
/// It is a `TestCodeViewController`: put it on a screen for your team. Another client has another screen.
public struct TestCodeView: View {
    private let source: any TestCodeSource

    /// Creates a view.
    ///
    /// - Parameter source: where codes come from, as a rule a `ContentCardsClient`.
    public init(source: any TestCodeSource) { self.source = source }

    /// The screen of the source.
    public var body: some View {
        TestCodeController(source: source).id(SourceIdentity.of(source))
    }
}

/// Wraps the controller of a screen, which asks its source by itself.
private struct TestCodeController: UIViewControllerRepresentable {
    let source: any TestCodeSource

    func makeUIViewController(context: Context) -> TestCodeViewController { TestCodeViewController(source: source) }

    func updateUIViewController(_ controller: TestCodeViewController, context: Context) {}
}
#endif
