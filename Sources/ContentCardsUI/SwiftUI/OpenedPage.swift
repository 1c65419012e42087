#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import SwiftUI
import UIKit

/// Names a page that a card has opened.
struct OpenedPage: Identifiable {
    let url: URL
    var id: String { url.absoluteString }
}

/// Shows a page that a card has opened, with a button that closes it.
struct OpenedPageView: UIViewControllerRepresentable {
    let url: URL
    @Environment(\.dismiss) private var dismiss

    func makeUIViewController(context: Context) -> UINavigationController {
        let page = ContentCardsWebViewController(url: url)
        let done = UIAction { [dismiss] _ in dismiss() }
        page.navigationItem.rightBarButtonItem = UIBarButtonItem(systemItem: .done, primaryAction: done)
        return UINavigationController(rootViewController: page)
    }

    func updateUIViewController(_ controller: UINavigationController, context: Context) {}
}
#endif
