import BrowserHost
import BrowserUIKit
import ContentCardsABK
import ContentCardsUI
import Foundation

/// Shows a feed that an app has made its own, under the names that apps of the documented SDK use:
/// `customized-example [--port N]`.
@main
struct CustomizedExample {
    @MainActor
    static func main() async throws {
        CardImageLoader.shared = CardImageLoader(fetcher: DrawnImages(), directory: nil)
        let arguments = CommandLine.arguments
        let place = arguments.firstIndex(of: "--port").map { $0 + 1 } ?? 0
        let port = arguments.indices.contains(place) ? Int(arguments[place]) ?? 8_091 : 8_091
        let appboy = Appboy.start(with: ScriptedServer.client())
        appboy.changeUser("example")
        let host = BrowserHost(title: "Customized feed", port: port) {
            UINavigationController(rootViewController: StartController())
        }
        print("Customized feed: http://127.0.0.1:\(port)/")
        try await host.run()
    }
}

/// Leads to the feed, pushed and presented.
final class StartController: UITableViewController {
    private let titles = ["Push the feed", "Present the feed"]

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Start"
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "entry")
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { titles.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "entry", for: indexPath)
        cell.textLabel?.text = titles[indexPath.row]
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        let feed = HomeFeedController()
        feed.title = "For you"
        if indexPath.row == 0 {
            navigationController?.pushViewController(feed, animated: true)
        } else {
            present(ABKContentCardsViewController(contentCardsViewController: feed), animated: true, completion: nil)
        }
    }
}
