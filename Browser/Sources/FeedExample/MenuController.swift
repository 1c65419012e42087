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
                menu.navigationController?.pushViewController(feed, animated: true)
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
                menu.navigationController?.pushViewController(feed, animated: true)
            }
        )
        return entries
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

/// Has two labels, one below the other.
final class SubtitleCell: UITableViewCell {
    required init(style: CellStyle, reuseIdentifier: String?) {
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
        tableView.register(RestyledCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
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
