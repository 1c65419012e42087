import Foundation

/// Finds what the module brings besides its code: its texts and the pin.
enum ResourceBundle {
    /// The module's resources, or `nil` where they were not put beside the program.
    ///
    /// Without them the feed works, with plain texts and no pin: a server that draws previews must not end over it.
    static let shared: Bundle? = {
        #if canImport(UIKit) && canImport(ObjectiveC)
        return .module
        #else
        // `Bundle.module` ends the process where there is no bundle, so it is asked only where one was found.
        let beside = Bundle.main.bundleURL.appendingPathComponent("placard_ContentCardsUI.resources")
        return FileManager.default.fileExists(atPath: beside.path) ? .module : nil
        #endif
    }()
}
