import Foundation

/// The folder in which images of cards are kept, so that what deletes a user's data finds them.
package enum ImageCacheDirectory {
    /// A directory that the system may empty; `nil` where there is none.
    package static var standard: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent("ContentCardsImages", isDirectory: true)
    }
}
