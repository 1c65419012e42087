import CardStore
import CommandSettings
import Foundation

extension DatabaseLocation {
    /// The key for the secrets in a PostgreSQL database, which has no place beside it: a file in the working directory.
    static let postgresKey = SecretsKeySource.file(path: keyName)

    private static let keyName = "placard.key"
    /// The settings of the package, and the folder of the server that it runs.
    private static let packageSettings = "/etc/placard/placard.yaml"
    private static let packageFolder = "/var/lib/placard"

    /// Returns the usual key for the secrets in a PostgreSQL database: with the settings of the package that of its
    /// server, wherever a command is run; otherwise a file in the working directory, by its whole path.
    ///
    /// - Parameters:
    ///   - settings: The file of settings that is named, or `nil` for none.
    ///   - folder: The working directory.
    ///   - exists: Whether there is a file. Where only the working directory has one, it is that.
    /// - Returns: The key's source.
    static func postgresKey(
        settings: String?,
        in folder: String = FileManager.default.currentDirectoryPath,
        exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) -> SecretsKeySource {
        let (own, packaged) = ("\(folder)/\(keyName)", "\(packageFolder)/\(keyName)")
        let isOfPackage = settings.map { URL(filePath: $0).standardizedFileURL.path == packageSettings } ?? false
        return .file(path: isOfPackage && (exists(packaged) || !exists(own)) ? packaged : own)
    }
}
