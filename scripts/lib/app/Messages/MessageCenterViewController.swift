import AppboyUI
import UIKit

class MessageCenterViewController: UITableViewController {
    private enum Section { case main }

    private var messages: [Message] = []
    private lazy var dataSource = MessageDataSource(tableView: tableView) { tableView, indexPath, message in
        let cell = tableView.dequeueReusableCell(withIdentifier: "MessageCell", for: indexPath)
        (cell as? MessageCell)?.configure(message, delegate: self)
        return cell
    }
    private lazy var filterControl: UISegmentedControl = {
        let control = UISegmentedControl(items: ["All", "Unread"])
        control.selectedSegmentIndex = 0
        control.addTarget(self, action: #selector(filterChanged(_:)), for: .valueChanged)
        return control
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(MessageCell.self, forCellReuseIdentifier: "MessageCell")
        tableView.rowHeight = UITableView.automaticDimension
        tableView.estimatedRowHeight = 72
        tableView.tableFooterView = UIView(frame: .zero)
        tableView.refreshControl = UIRefreshControl()
        tableView.refreshControl?.addTarget(self, action: #selector(pulled), for: .valueChanged)
        navigationItem.titleView = filterControl
        dataSource.onDelete = { [weak self] in self?.delete($0) }
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(updated),
            name: .ABKContentCardsProcessed,
            object: nil
        )
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        Appboy.sharedInstance()?.logContentCardsDisplayed()
        CardManager.shared.requestContentCardsRefresh()
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        guard let message = dataSource.itemIdentifier(for: indexPath) else { return }
        message.logContentCardClicked()
        let detail = MessageDetailViewController(message: message)
        detail.modalPresentationStyle = .formSheet
        present(UINavigationController(rootViewController: detail), animated: true)
    }

    private func show(_ messages: [Message]) {
        var snapshot = NSDiffableDataSourceSnapshot<Int, Message>()
        snapshot.appendSections([0])
        snapshot.appendItems(messages)
        dataSource.apply(snapshot, animatingDifferences: view.window != nil)
    }

    private func delete(_ message: Message) {
        message.logContentCardDismissed()
        messages.removeAll { $0 == message }
        show(messages)
    }

    @objc private func updated(_ notification: Notification) {
        messages = CardManager.shared.handleContentCardsUpdated(notification, for: [.message]) as? [Message] ?? []
        refreshControl?.endRefreshing()
        show(messages)
        tabBarItem.badgeValue = messages.isEmpty ? nil : "\(messages.count)"
    }

    @objc private func pulled() {
        CardManager.shared.requestContentCardsRefresh()
    }

    @objc private func filterChanged(_ sender: UISegmentedControl) {
        let unread = Set(CardManager.shared.contentCards?.filter { !$0.viewed }.map(\.idString) ?? [])
        show(
            sender.selectedSegmentIndex == 0
                ? messages : messages.filter { unread.contains($0.contentCardData?.contentCardId ?? "") }
        )
    }
}

extension MessageCenterViewController: MessageCellDelegate {
    func messageCellDidAsk(_ cell: MessageCell) {
        guard let indexPath = tableView.indexPath(for: cell) else { return }
        tableView.scrollToRow(at: indexPath, at: .middle, animated: true)
    }
}

class MessageDataSource: UITableViewDiffableDataSource<Int, Message> {
    var onDelete: ((Message) -> Void)?

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        itemIdentifier(for: indexPath)?.contentCardData?.isDismissable ?? false
    }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, let message = itemIdentifier(for: indexPath) else { return }
        onDelete?(message)
    }
}
