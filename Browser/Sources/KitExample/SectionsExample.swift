import BrowserUIKit

/// Shows sections with headers and footers, that can be searched and edited.
final class SectionsExample: UITableViewController, UISearchResultsUpdating {
    private var fruits = [
        ("Berries", ["Strawberry", "Raspberry", "Blueberry", "Currant", "Gooseberry"]),
        ("Citrus", ["Lemon", "Lime", "Orange", "Grapefruit", "Mandarin", "Kumquat"]),
        ("Stone fruit", ["Cherry", "Plum", "Peach", "Apricot", "Nectarine", "Mirabelle"]),
    ]
    private var text = ""

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewHeaderFooterView.self, forHeaderFooterViewReuseIdentifier: "header")
        navigationItem.rightBarButtonItem = editButtonItem
        let search = UISearchController(searchResultsController: nil)
        search.searchResultsUpdater = self
        search.searchBar.placeholder = "Search fruit"
        navigationItem.searchController = search
    }

    func updateSearchResults(for searchController: UISearchController) {
        text = searchController.searchBar.text ?? ""
        tableView.reloadData()
    }

    private func rows(_ section: Int) -> [String] {
        fruits[section].1.filter { text.isEmpty || $0.lowercased().contains(text.lowercased()) }
    }

    override func numberOfSections(in tableView: UITableView) -> Int { fruits.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        rows(section).count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
        cell.textLabel?.text = rows(indexPath.section)[indexPath.row]
        cell.detailTextLabel?.text = indexPath.row == 0 ? "In season" : nil
        return cell
    }

    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        fruits[section].0
    }

    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        section == 1 ? "Peel them before use, and keep the peel." : nil
    }

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        fruits[indexPath.section].1.remove(at: indexPath.row)
        tableView.deleteRows(at: [indexPath], with: .automatic)
    }
}
