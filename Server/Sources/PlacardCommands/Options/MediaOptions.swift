import ArgumentParser
import CardServer
import CommandSettings
import Foundation

/// The options for the address at which devices load the pictures of the media library, and the room that these have.
struct MediaOptions: ParsableArguments {
    @Option(
        "The address at which devices reach the server, for pictures (default: "
            + "the address that the dashboard is used at).",
        value: "url"
    )
    var publicUrl: String?

    @Option("MiB that all pictures of the media library may have (default: 2048).", value: "MiB")
    var mediaStorage: String?

    /// Sets what flags, the environment and the file name.
    func apply(to options: inout PlacardServer.Options, _ values: SettingValues) throws {
        options.publicURL = try values.value(of: .publicURL, flag: publicUrl).map { try Self.address($0) }
        if let storage = try values.value(of: .mediaStorage, flag: mediaStorage) {
            options.mediaBytes = try WholeNumber.read(storage, in: 0...1_048_576) << 20
        }
    }

    private static func address(_ value: SettingValues.Value) throws -> String {
        let url = try ServerAddress.url(value)
        guard url.query == nil, url.fragment == nil, url.user == nil, ["", "/"].contains(url.path) else {
            throw ConfigurationError(
                "\(value.origin): an address without a path is expected, such as https://cards.example.com."
            )
        }
        return value.text
    }
}
