import Foundation

/// Says from when on the SDK's files can be read and written: from the first time that the device is unlocked after its
/// start.
///
/// An app can ask for more for all of its files, so that none can be read while the device is locked. But silent push
/// messages come then, too, and widgets are drawn, so the files of the SDK have a protection of their own.
enum FileProtection {
    /// Replaces a file as a whole by one with that protection; where files have none, it changes nothing.
    ///
    /// The file comes from another directory first, whose protection it would have otherwise.
    static var replacing: Data.WritingOptions { [.atomic, .completeFileProtectionUntilFirstUserAuthentication] }

    #if canImport(Darwin)
    /// Gives that protection to what is at a path: to a file, or to a directory and what is made in it from now on.
    static func apply(toItemAtPath path: String) {
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: path
        )
    }
    #else
    /// Does nothing: files have no protection.
    static func apply(toItemAtPath path: String) {}
    #endif
}
