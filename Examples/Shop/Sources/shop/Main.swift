#if !canImport(UIKit)
import BrowserHost
import Foundation
import ShopApp

/// Serves the app to browsers: `shop [--port N] [--server URL] [--key pk_…] [--user ID]`.
///
/// Without options, the address and key of the server are those of the environment.
@main
struct ShopHost {
    @MainActor
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let options = Options(CommandLine.arguments.dropFirst())
        let address = options["server"] ?? environment["PLACARD_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address), let key = options["key"] ?? environment["PLACARD_PUBLISHABLE_KEY"]
        else { return complain("Give the server's publishable key by --key or PLACARD_PUBLISHABLE_KEY.") }
        guard let port = Int(options["port"] ?? "8090") else { return complain("The port has to be a number.") }
        let app = ShopApp(server: server, key: key, user: options["user"])
        try await BrowserHost(title: "Shop", port: port) { app.makeTabViewController() }.run()
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(64)
    }
}

/// Reads `--name value` pairs.
struct Options {
    private var values: [String: String] = [:]

    init(_ arguments: ArraySlice<String>) {
        for (name, value) in zip(arguments, arguments.dropFirst()) where name.hasPrefix("--") {
            values[String(name.dropFirst(2))] = value
        }
    }

    subscript(name: String) -> String? { values[name] }
}
#endif
