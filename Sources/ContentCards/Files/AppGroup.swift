import Foundation

/// Finds what an app shares with its extensions.
enum AppGroup {
    /// Returns the container of an app group; `nil` without the entitlement for it, and where there are no such groups.
    static func container(_ identifier: String) -> URL? {
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        #else
        nil
        #endif
    }
}
