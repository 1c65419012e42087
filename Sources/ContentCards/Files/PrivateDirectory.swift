import Foundation

/// Makes directories that stay on this device.
enum PrivateDirectory {
    /// The place for the SDK's files: Application Support, or the XDG data home.
    static var standard: URL? {
        #if canImport(Darwin)
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #else
        let base = dataHome
        #endif
        return base?.appendingPathComponent("ContentCards", isDirectory: true)
    }

    #if !canImport(Darwin)
    private static var dataHome: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return URL(fileURLWithPath: home) }
        return environment["HOME"].map { URL(fileURLWithPath: $0).appendingPathComponent(".local/share") }
    }
    #endif

    /// Creates a directory that is left out of backups: a restored copy of a device must not share its id.
    ///
    /// What is made in it has the protection of ``FileProtection``.
    static func create(_ directory: URL) throws {
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        FileProtection.apply(toItemAtPath: directory.path)
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        #endif
    }
}
