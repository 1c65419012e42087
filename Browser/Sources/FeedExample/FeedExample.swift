import BrowserHost
import BrowserUIKit
import ContentCards
import ContentCardsUI
import Foundation

/// Shows feeds to look at: `feed-example [--port N] [--server URL --key pk_… --user ID] [--page URL] [--events yes]`.
///
/// Without a server, it shows scripted feeds. `--page` is where a card leads, and `--events` prints what is logged.
@main
struct FeedExample {
    @MainActor
    static func main() async throws {
        CardImageLoader.shared = CardImageLoader(fetcher: BundledImages(), directory: nil)
        let arguments = Arguments(CommandLine.arguments)
        Scenario.pageAddress = arguments["page"] ?? Scenario.pageAddress
        Scenario.printsEvents = arguments["events"] != nil
        let port = arguments["port"].flatMap(Int.init) ?? 8_090
        var client: ContentCardsClient?
        if let url = arguments["server"].flatMap(URL.init(string:)), let key = arguments["key"] {
            let made = ContentCardsClient(endpoint: url, key: key)
            await made.identify(arguments["user"] ?? "demo")
            client = made
        }
        let host = BrowserHost(title: "Feed example", port: port) { [client] in
            let navigation = UINavigationController(rootViewController: MenuController(client: client))
            navigation.navigationBar.prefersLargeTitles = true
            return navigation
        }
        print("Feed example: http://127.0.0.1:\(port)/")
        try await host.run()
    }
}

/// Reads `--name value` pairs.
struct Arguments {
    private var values: [String: String] = [:]

    init(_ list: [String]) {
        for (name, value) in zip(list, list.dropFirst()) where name.hasPrefix("--") {
            values[String(name.dropFirst(2))] = value
        }
    }

    subscript(name: String) -> String? { values[name] }
}

/// Gives the images that the example brings, and all others from the web.
struct BundledImages: ImageFetching {
    private struct Missing: Error {}

    func data(from url: URL, isFresh: Bool) async throws -> Data {
        guard url.host == "images.example" else {
            return try await URLSessionImages().data(from: url, isFresh: isFresh)
        }
        let name = url.deletingPathExtension().lastPathComponent
        guard let file = Bundle.module.url(forResource: name, withExtension: "png", subdirectory: "Images") else {
            throw Missing()
        }
        return try Data(contentsOf: file)
    }
}
