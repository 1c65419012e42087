import UIKit

/// Lists cakes by kind, finds them by name, and lets the baker edit the list.
class CatalogViewController: UITableViewController {
    private var kinds: [(name: String, cakes: [String])] = [
        ("Tarts", ["Lemon", "Apple"]), ("Sponges", ["Victoria", "Coffee", "Chocolate"]),
    ]
    private var found: [String] = []
    private let search = UISearchController(searchResultsController: nil)

    override init(style: UITableView.Style) {
        super.init(style: .insetGrouped)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    private var isSearching: Bool { search.isActive && !(search.searchBar.text ?? "").isEmpty }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Cakes"
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cake")
        tableView.register(KindHeaderView.self, forHeaderFooterViewReuseIdentifier: "kind")
        tableView.sectionHeaderHeight = UITableView.automaticDimension
        tableView.estimatedSectionHeaderHeight = 44
        tableView.cellLayoutMarginsFollowReadableWidth = true
        tableView.keyboardDismissMode = .onDrag
        tableView.separatorColor = .systemGray4
        if #available(iOS 15.0, *) { tableView.sectionHeaderTopPadding = 0 }
        navigationItem.rightBarButtonItem = editButtonItem
        search.searchResultsUpdater = self
        search.obscuresBackgroundDuringPresentation = false
        search.searchBar.placeholder = "Search cakes"
        search.searchBar.searchTextField.autocapitalizationType = .none
        search.searchBar.searchTextField.clearButtonMode = .whileEditing
        search.searchBar.delegate = self
        navigationItem.searchController = search
        navigationItem.hidesSearchBarWhenScrolling = false
        definesPresentationContext = true
    }

    override func setEditing(_ editing: Bool, animated: Bool) {
        super.setEditing(editing, animated: animated)
        navigationItem.leftBarButtonItem?.isEnabled = !editing
    }

    override func numberOfSections(in tableView: UITableView) -> Int { isSearching ? 1 : kinds.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        isSearching ? found.count : kinds[section].cakes.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "cake", for: indexPath)
        var content = cell.defaultContentConfiguration()
        content.text = isSearching ? found[indexPath.row] : kinds[indexPath.section].cakes[indexPath.row]
        cell.contentConfiguration = content
        var background = UIBackgroundConfiguration.listGroupedCell()
        background.cornerRadius = 10
        cell.backgroundConfiguration = background
        return cell
    }

    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        section == kinds.count - 1 ? "Baked every morning." : nil
    }

    override func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        guard !isSearching else { return nil }
        let header = tableView.dequeueReusableHeaderFooterView(withIdentifier: "kind") as? KindHeaderView
        header?.show(kinds[section].name)
        return header
    }

    override func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        section == kinds.count - 1 ? UITableView.automaticDimension : .leastNonzeroMagnitude
    }

    override func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int) {
        (view as? UITableViewHeaderFooterView)?.textLabel?.textColor = .secondaryLabel
    }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete else { return }
        kinds[indexPath.section].cakes.remove(at: indexPath.row)
        tableView.beginUpdates()
        tableView.deleteRows(at: [indexPath], with: .automatic)
        tableView.endUpdates()
    }

    override func tableView(
        _ tableView: UITableView,
        contextMenuConfigurationForRowAt indexPath: IndexPath,
        point: CGPoint
    ) -> UIContextMenuConfiguration? {
        let cake = kinds[indexPath.section].cakes[indexPath.row]
        return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { [weak self] _ in
            let share = UIAction(title: "Share", image: UIImage(systemName: "square.and.arrow.up")) { _ in
                self?.share(cake)
            }
            let copy = UIAction(title: "Copy") { _ in UIPasteboard.general.string = cake }
            return UIMenu(title: cake, children: [share, copy])
        }
    }

    private func share(_ cake: String) {
        let sheet = UIActivityViewController(activityItems: [cake], applicationActivities: nil)
        sheet.excludedActivityTypes = [.airDrop, .assignToContact]
        sheet.completionWithItemsHandler = { type, completed, _, error in
            guard completed, error == nil else { return }
            print("shared by", type?.rawValue ?? "nothing")
        }
        present(sheet, animated: true)
    }
}

extension CatalogViewController: UISearchResultsUpdating, UISearchBarDelegate {
    func updateSearchResults(for searchController: UISearchController) {
        let text = searchController.searchBar.text ?? ""
        found = kinds.flatMap { $0.cakes }.filter { $0.localizedCaseInsensitiveContains(text) }
        tableView.reloadData()
        UIAccessibility.post(notification: .announcement, argument: "\(found.count) cakes")
    }

    func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {
        found = []
    }
}

/// Names a kind of cakes.
final class KindHeaderView: UITableViewHeaderFooterView {
    private let badge = UIView()

    override init(reuseIdentifier: String?) {
        super.init(reuseIdentifier: reuseIdentifier)
        badge.backgroundColor = .systemOrange
        badge.layer.cornerRadius = 4
        contentView.addSubview(badge)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        badge.isHidden = false
    }

    func show(_ name: String) {
        var content = defaultContentConfiguration()
        content.text = name
        content.textProperties.transform = .none
        content.textProperties.color = .label
        contentConfiguration = content
    }
}
