import ArgumentParser
import CommandSettings
import Foundation

/// The server, and the key for it.
///
/// The help of each command that has these says which permission the key needs.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's address (default: http://127.0.0.1:8080).", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A secret key that may do this. Other users of this machine can see flags: prefer PLACARD_KEY.",
            valueName: "sk_…"
        )
    )
    var key: String?

    @OptionGroup var configuration: ConfigurationOptions

    /// The server by its address and key.
    func client() throws -> ManagementClient {
        let values = try configuration.values()
        guard let key = try values.value(of: .key, flag: key) else {
            throw ConfigurationError(
                "A secret key is needed: set PLACARD_KEY. `placard key create --name NAME --kind secret` makes one."
            )
        }
        // It stands in a header, which a line break would end.
        guard key.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ConfigurationError("\(key.origin): this is no key. Is there a space or a line break in it?")
        }
        return ManagementClient(server: try ServerAddress.url(values.value(of: .server, flag: server)), key: key.text)
    }
}

/// The address of a server.
enum ServerAddress {
    private static let standard = "http://127.0.0.1:8080"

    static func url(_ value: SettingValues.Value?) throws -> URL {
        let text = value?.text ?? standard
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            url.host?.isEmpty == false, url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else {
            // Without the text: a password may be in it.
            throw ConfigurationError("\(value?.origin ?? "--server"): an address such as \(standard) is expected.")
        }
        return url
    }
}
