import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The files that the app brings.
@MainActor
enum Assets {
    private static var images: [String: UIImage] = [:]

    /// The picture of a product, by its name.
    static func picture(_ name: String) -> UIImage? { image("products/\(name).png", scale: 2) }

    /// A symbol, drawn in the colour of its surroundings.
    static func icon(_ name: String) -> UIImage? {
        image("icons/\(name).png", scale: 3)?.withRenderingMode(.alwaysTemplate)
    }

    private static func image(_ path: String, scale: CGFloat) -> UIImage? {
        if let image = images[path] { return image }
        // Names come with cards: only plain ones are looked for.
        guard !path.contains(".."), let data = data(path), let image = UIImage(data: data, scale: scale) else {
            return nil
        }
        images[path] = image
        return image
    }

    /// The bytes of a file.
    nonisolated static func data(_ path: String) -> Data? {
        let file = URL(fileURLWithPath: path, relativeTo: Bundle.module.url(forResource: "Assets", withExtension: nil))
        return try? Data(contentsOf: file)
    }
}
