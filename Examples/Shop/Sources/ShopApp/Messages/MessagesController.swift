import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The message centre: a list of messages, each of which opens in its own way.
final class MessagesController: UITableViewController {
    private let shop: Shop
    private lazy var impressions = CardImpressions(shop.cards) { [weak self] in self?.isInForeground ?? false }
    private var list = MessageList([])
    private let empty = EmptyView(icon: "messages-large", title: "No messages", text: "News and answers come here.")

    init(shop: Shop) {
        self.shop = shop
        super.init(style: .plain)
        title = "Messages"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(MessageCell.self, forCellReuseIdentifier: "message")
        tableView.estimatedRowHeight = 80
        let refresh = UIRefreshControl()
        refresh.addAction(UIAction { [weak self] _ in self?.refresh() }, for: .valueChanged)
        refreshControl = refresh
        shop.cards.addObserver(self, for: [.message(.fullPage), .message(.webView)]) { [weak self] objects in
            self?.update(objects.compactMap { $0 as? any Message })
        }
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        impressions.begin()
        shop.cards.screenOpened()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        impressions.end()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        noteVisibleMessages()
    }

    override func scrollViewDidScroll(_ scrollView: UIScrollView) {
        noteVisibleMessages()
    }

    private func update(_ messages: [any Message]) {
        list = MessageList(messages)
        tableView.reloadData()
        tableView.backgroundView = list.messages.isEmpty ? empty : nil
    }

    private func refresh() {
        Task { [weak self, cards = shop.cards] in
            await cards.requestRefresh()
            self?.refreshControl?.endRefreshing()
        }
    }

    private func noteVisibleMessages() {
        let window = tableView.uncoveredBounds
        let rows = (tableView.indexPathsForVisibleRows ?? []).filter { path in
            let rect = tableView.rectForRow(at: path)
            let part = rect.intersection(window)
            return !part.isNull && part.height >= rect.height / 2
        }
        impressions.update(visible: list.seen(at: rows.map(\.row)))
    }

    // MARK: Opening

    /// The class type of a card says how its message opens.
    func addContentCardToView(with message: any Message) {
        switch message.contentCardData?.contentCardClassType {
        case .message(.fullPage):
            guard let message = message as? FullPageMessage else { return }
            open(FullPageMessageController(message: message), for: message)
        case .message(.webView):
            guard let message = message as? WebViewMessage else { return }
            open(WebMessageController(message: message), for: message)
        default: break
        }
    }

    private func open(_ page: UIViewController, for message: any Message) {
        page.title = message.messageHeader
        if message.canBeDismissed {
            page.navigationItem.rightBarButtonItem = UIBarButtonItem(
                title: "Delete",
                primaryAction: UIAction { [weak self] _ in
                    message.logContentCardDismissed()
                    self?.navigationController?.popViewController(animated: true)
                }
            )
        }
        navigationController?.pushViewController(page, animated: true)
    }

    // MARK: Rows

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        list.messages.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "message", for: indexPath)
        (cell as? MessageCell)?.show(list.messages[indexPath.row], now: shop.cards.clock.now)
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        let message = list.messages[indexPath.row]
        message.logContentCardClicked()
        addContentCardToView(with: message)
    }

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        list.messages[indexPath.row].canBeDismissed
    }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, list.messages.indices.contains(indexPath.row) else { return }
        let message = list.remove(at: indexPath.row)
        tableView.deleteRows(at: [indexPath], with: .automatic)
        message.logContentCardDismissed()
    }
}
