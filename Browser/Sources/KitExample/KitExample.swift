import BrowserHost
import BrowserUIKit
import Foundation

/// Shows views of `BrowserUIKit` to look at: `kit-example [--port N] [--gestures]`.
@main
struct KitExample {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments
        let place = arguments.firstIndex(of: "--port").map { $0 + 1 }
        let port = place.flatMap { arguments.indices.contains($0) ? Int(arguments[$0]) : nil } ?? 8_092
        let host = BrowserHost(title: "Views", port: port) {
            let navigation = UINavigationController(rootViewController: KitMenuController())
            navigation.navigationBar.prefersLargeTitles = true
            if arguments.contains("--gestures") { navigation.pushViewController(GesturesExample(), animated: false) }
            return navigation
        }
        print("Views: http://127.0.0.1:\(port)/")
        try await host.run()
    }
}

/// Lists the screens.
final class KitMenuController: UITableViewController {
    private let screens: [(String, @MainActor () -> UIViewController)] = [
        ("Plain sections", { SectionsExample(style: .plain) }), ("Groups", { SectionsExample(style: .grouped) }),
        ("Inset groups", { SectionsExample(style: .insetGrouped) }), ("Form", { FormExample() }),
        ("Buttons", { ButtonsExample() }), ("Layers", { LayersExample() }),
    ]

    init() {
        super.init(style: .insetGrouped)
        title = "Views"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { screens.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell()
        cell.textLabel?.text = screens[indexPath.row].0
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let controller = screens[indexPath.row].1()
        controller.title = screens[indexPath.row].0
        navigationController?.pushViewController(controller, animated: true)
    }
}
