import BrowserUIKit
import ContentCards
import ContentCardsUI

/// Lists what there is to look at.
final class MenuController: UITableViewController {
    private struct Entry {
        let title: String
        let detail: String
        let show: @MainActor (MenuController) -> Void
    }

    private let client: ContentCardsClient?
    private var clients: [Scenario: ContentCardsClient] = [:]
    private lazy var entries = makeEntries()

    init(client: ContentCardsClient?) {
        self.client = client
        super.init(style: .plain)
        title = "Feeds"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(SubtitleCell.self, forCellReuseIdentifier: "entry")
    }

    private func makeEntries() -> [Entry] {
        var entries = Scenario.allCases.map { scenario in
            Entry(title: scenario.rawValue, detail: "Pushed") { menu in
                let feed = ContentCardsTableViewController(source: menu.client(for: scenario))
                feed.title = "Updates"
                menu.push(feed)
            }
        }
        entries.append(
            Entry(title: "Modal", detail: "Presented, with Done") { menu in
                let feed = ContentCardsViewController(source: menu.client(for: .everyKind))
                feed.contentCardsViewController.title = "Updates"
                menu.present(feed, animated: true)
            }
        )
        entries.append(
            Entry(title: "Restyled", detail: "Cells of the app's own") { menu in
                let feed = RestyledFeedController(source: menu.client(for: .everyKind))
                feed.title = "Updates"
                menu.push(feed)
            }
        )
        entries.append(
            Entry(title: "A message of hostile HTML", detail: "In a web view") { menu in
                menu.push(HostileMessageController())
            }
        )
        return entries
    }

    /// Pushes a screen, whose title is small: large ones are for the first.
    private func push(_ controller: UIViewController) {
        controller.navigationItem.largeTitleDisplayMode = .never
        navigationController?.pushViewController(controller, animated: true)
    }

    private func client(for scenario: Scenario) -> ContentCardsClient {
        if let client, scenario == .everyKind { return client }
        if let client = clients[scenario] { return client }
        let client = scenario.makeClient()
        clients[scenario] = client
        Task { await client.identify("example") }
        return client
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { entries.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "entry", for: indexPath)
        cell.textLabel?.text = entries[indexPath.row].title
        cell.detailTextLabel?.text = entries[indexPath.row].detail
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        entries[indexPath.row].show(self)
    }
}

/// Shows HTML that tries to get out of its web view.
final class HostileMessageController: UIViewController {
    private static let html = """
        <h1>Hello</h1><p id="proof">untouched</p><img src="https://evil.example/pixel">
        <script>
        document.getElementById("proof").textContent = "ran"; parent.document.title = "owned"; top.location = "/owned";
        </script>
        <img src="x" onerror="parent.document.title = 'owned'"><iframe src="javascript:parent.parent.document.title=1">
        </iframe><form action="https://evil.example/form" target="_top"><input autofocus onfocus="this.form.submit()">
        </form><meta http-equiv="refresh" content="0;url=https://evil.example/away"><a href="/" target="_top">away</a>
        """

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Message"
        let webView = WKWebView(frame: .zero)
        webView.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(webView)
        NSLayoutConstraint.activate([
            webView.topAnchor.constraint(equalTo: view.topAnchor),
            webView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            webView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            webView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ])
        webView.loadHTMLString(Self.html, baseURL: nil)
    }
}

/// Has two labels, one below the other.
final class SubtitleCell: UITableViewCell {
    override init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
        _ = textLabel
    }

    required init?(coder: NSCoder) {
        nil
    }
}

/// Shows cards in cells of its own.
final class RestyledFeedController: ContentCardsTableViewController {
    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(RestyledCell.self, forCellReuseIdentifier: CardCellIdentifier.classic.rawValue)
    }

    override func populateContentCards() {
        super.populateContentCards()
        displayedCards = displayedCards.map { card in
            var card = card
            if card.kind == .classic { card.description = "Every classic card says this." }
            return card
        }
    }
}

/// Styles all its cards alike, but for the background, which a card can choose.
final class RestyledCell: ClassicContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        rootView.backgroundColor = .lightGray
        rootView.layer.borderColor = UIColor.purple.cgColor
        rootView.layer.borderWidth = 2
        unviewedLineViewColor = .red
        titleLabel.font = .italicSystemFont(ofSize: 20)
    }

    override func apply(_ card: ContentCard) {
        super.apply(card)
        rootView.backgroundColor = card.isPinned ? .systemYellow : .lightGray
    }
}
