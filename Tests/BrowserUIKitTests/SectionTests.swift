import Foundation
import Testing

@testable import BrowserUIKit

/// Shows a few sections, with titles, views and heights of its own.
@MainActor
final class SectionsController: UITableViewController {
    var counts = [2, 3]
    var titles: [Int: String] = [0: "Fruit", 1: "Bread"]
    var footers: [Int: String] = [:]
    var headerHeight = UITableView.automaticDimension
    var views: [Int: () -> UIView] = [:]
    var shown: [String] = []
    var log: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "row")
        tableView.register(UITableViewHeaderFooterView.self, forHeaderFooterViewReuseIdentifier: "own")
    }

    override func numberOfSections(in tableView: UITableView) -> Int { counts.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { counts[section] }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
        cell.textLabel?.text = "\(indexPath.section).\(indexPath.row)"
        return cell
    }

    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        titles[section]
    }

    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        footers[section]
    }

    override func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        views[section]?()
    }

    override func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        headerHeight
    }

    override func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int) {
        shown.append("+\(section)")
        (view as? UITableViewHeaderFooterView)?.textLabel?.textColor = .systemRed
    }

    override func tableView(
        _ tableView: UITableView,
        didEndDisplayingHeaderView view: UIView,
        forSection section: Int
    ) {
        shown.append("-\(section)")
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        log.append("chose \(indexPath.row)")
    }

    override func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        log.append("left \(indexPath.row)")
    }

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        indexPath.row != 1
    }

    override func tableView(
        _ tableView: UITableView,
        editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle { indexPath.row == 0 ? .delete : .insert }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        log.append("\(editingStyle) \(indexPath.row)")
    }
}

@MainActor
@Suite("Sections of a table")
struct SectionTests {
    private func table(
        _ style: UITableView.Style,
        _ change: (SectionsController) -> Void = { _ in }
    ) -> (
        SectionsController, Page
    ) {
        let controller = SectionsController(style: style)
        change(controller)
        let page = Page { controller }
        return (controller, page)
    }

    @Test("show the titles of the data source, in capitals above groups, and let the delegate change how they look")
    func titles() throws {
        let (plain, plainPage) = table(.plain) { $0.footers = [1: "Baked daily"] }
        #expect(Set(plainPage.texts).isSuperset(of: ["Fruit", "Bread", "Baked daily"]))
        let label = try #require(plain.tableView.headerView(forSection: 0)?.textLabel)
        #expect(plainPage.elements[label.nodeID]?.style["color"] == UIColor.systemRed.css)
        #expect(plain.tableView.footerView(forSection: 1)?.textLabel?.text == "Baked daily")
        #expect(plain.tableView.footerView(forSection: 0) == nil)
        let (grouped, groupedPage) = table(.grouped) { $0.footers = [1: "Baked daily"] }
        #expect(Set(groupedPage.texts).isSuperset(of: ["FRUIT", "BREAD", "Baked daily"]))
        #expect(grouped.tableView.headerView(forSection: 0)?.textLabel?.font == .preferredFont(forTextStyle: .footnote))
    }

    @Test("move rows down by what lies above them, as the browser measured it")
    func geometry() throws {
        let (controller, page) = table(.plain)
        let table = try #require(controller.tableView)
        let header = try #require(table.headerView(forSection: 0))
        let second = try #require(table.headerView(forSection: 1))
        let rows = table.live.values.map { #""\#($0.nodeID)":40"# } + [header, second].map { #""\#($0.nodeID)":30"# }
        page.report(
            #"{"i":"\#(table.nodeID).scroll","k":"scroll","y":0,"w":390,"h":800,"c":900,"#
                + #""r":{\#(rows.joined(separator: ","))}}"#
        )
        // The room above headers of a plain table counts, too.
        #expect(table.rectForHeader(inSection: 0) == CGRect(x: 0, y: 0, width: 390, height: 52))
        #expect(table.rectForRow(at: IndexPath(row: 0, section: 0)).minY == 52)
        #expect(table.rectForRow(at: IndexPath(row: 0, section: 1)).minY == 184)
        #expect(table.rect(forSection: 1).height == 172)
        #expect(table.indexPathForRow(at: CGPoint(x: 0, y: 100)) == IndexPath(row: 1, section: 0))
        #expect(table.indexPathForRow(at: CGPoint(x: 0, y: 140)) == nil)
    }

    @Test("have the height that the delegate gives, where 0 leaves a header out of a plain table alone")
    func heights() {
        let (given, page) = table(.plain) { $0.headerHeight = 70 }
        #expect(given.tableView.rectForHeader(inSection: 1).height == 92)
        #expect(page.elements(class: "given").allSatisfy { $0.style["height"] == "70px" })
        let (none, nonePage) = table(.plain) { $0.headerHeight = 0 }
        #expect(none.tableView.rectForHeader(inSection: 0).height == 0)
        #expect(!nonePage.texts.contains("Fruit"))
        #expect(nonePage.elements(class: "rows").count == 1)
        let (grouped, _) = table(.grouped) {
            $0.headerHeight = 0
            $0.titles = [:]
        }
        #expect(grouped.tableView.rectForHeader(inSection: 0).height == 35)
        #expect(grouped.tableView.rectForFooter(inSection: 0).height == 17.5)
    }

    @Test("show a view of the delegate in place of the title, and use views of a class again")
    func views() throws {
        final class Banner: UITableViewHeaderFooterView {
            let badge = UILabel()
            override init(reuseIdentifier: String?) {
                super.init(reuseIdentifier: reuseIdentifier)
                contentView.addSubview(badge)
            }
            required init?(coder: NSCoder) { super.init(coder: coder) }
        }
        let (controller, page) = table(.insetGrouped) { controller in
            controller.views[0] = { [unowned controller] in
                controller.tableView.register(Banner.self, forHeaderFooterViewReuseIdentifier: "banner")
                let view = controller.tableView.dequeueReusableHeaderFooterView(withIdentifier: "banner") as? Banner
                view?.badge.text = "Sale"
                return view ?? UIView()
            }
            controller.views[1] = { [unowned controller] in
                let view = controller.tableView.dequeueReusableHeaderFooterView(withIdentifier: "own")
                var content = view?.defaultContentConfiguration()
                content?.text = "Loaves"
                view?.contentConfiguration = content
                return view ?? UIView()
            }
        }
        #expect(Set(page.texts).isSuperset(of: ["Sale", "LOAVES"]))
        #expect(!page.texts.contains("FRUIT"))
        let banner = try #require(controller.tableView.headerView(forSection: 0))
        controller.tableView.reloadData()
        page.screen.drawIfNeeded()
        #expect(controller.tableView.headerView(forSection: 0) === banner)
        #expect(controller.tableView.dequeueReusableHeaderFooterView(withIdentifier: "unknown") == nil)
    }

    @Test("tell when a header comes and goes, and keep few views of many sections")
    func reuse() throws {
        let (controller, page) = table(.plain) {
            $0.counts = Array(repeating: 3, count: 200)
            $0.titles = Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "Section \($0)") })
        }
        let table = try #require(controller.tableView)
        #expect(controller.shown.prefix(2) == ["+0", "+1"])
        for step in 0..<80 { page.scroll(table, to: CGFloat(step) * 300, rowHeight: 44) }
        #expect(controller.shown.contains("-0"))
        #expect(table.edges.live.count < 24)
        #expect(page.elements(class: "section").count < 14)
        #expect(!page.texts.contains("Section 0"))
    }

    @Test("draw the ends of groups, and their rows over the grey of the table")
    func groups() throws {
        let (controller, page) = table(.insetGrouped)
        let table = try #require(controller.tableView)
        #expect(page.elements(class: "first").count == 2)
        #expect(page.elements(class: "last").count == 2)
        let cell = try #require(table.cellForRow(at: IndexPath(row: 1, section: 1)))
        #expect(
            page.elements[cell.nodeID]?.style["background-color"] == UIColor.secondarySystemGroupedBackground.css
        )
        cell.backgroundColor = .systemBackground
        page.screen.drawIfNeeded()
        #expect(page.elements[cell.nodeID]?.style["background-color"] == UIColor.systemBackground.css)
    }

    @Test("choose one row in place of another, or several, and tell which no longer is")
    func selection() throws {
        let (controller, page) = table(.plain)
        let table = try #require(controller.tableView)
        let cells = try (0..<2).map { try #require(table.cellForRow(at: IndexPath(row: $0, section: 0))) }
        page.tap(cells[0].nodeID)
        page.tap(cells[1].nodeID)
        #expect(controller.log == ["chose 0", "left 0", "chose 1"])
        #expect(table.indexPathForSelectedRow == IndexPath(row: 1, section: 0))
        #expect((cells[0].isSelected, cells[1].isSelected) == (false, true))
        table.allowsMultipleSelection = true
        page.tap(cells[0].nodeID)
        page.tap(cells[1].nodeID)
        #expect(controller.log.suffix(2) == ["chose 0", "left 1"])
        #expect(table.indexPathsForSelectedRows == [IndexPath(row: 0, section: 0)])
    }

    @Test("show what can be done with rows while their controller edits")
    func editing() throws {
        let (controller, page) = table(.plain) { $0.counts = [3] }
        let table = try #require(controller.tableView)
        let cells = try (0..<3).map { try #require(table.cellForRow(at: IndexPath(row: $0, section: 0))) }
        #expect(controller.editButtonItem.text(in: "en") == "Edit")
        #expect(controller.editButtonItem.perform(in: controller.view))
        page.screen.drawIfNeeded()
        #expect((controller.isEditing, table.isEditing) == (true, true))
        #expect(controller.editButtonItem.text(in: "ja") == "完了")
        #expect(page.elements["\(cells[0].nodeID).edit"]?.attributes["data-uncover"] != nil)
        #expect(page.elements["\(cells[1].nodeID).edit"] == nil)
        page.tap("\(cells[2].nodeID).edit")
        #expect(controller.log == ["insert 2"])
        controller.isEditing = false
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "edit-control").isEmpty)
    }
}

@Suite("The places of sections")
struct SectionGeometryTests {
    @Test("count what lies above and below their rows")
    func edges() {
        var geometry = RowGeometry()
        geometry.reset(sections: [2, 0, 1], edge: { edge, _ in edge == .header ? 5 : 2 }, height: { _ in 10 })
        #expect(geometry.totalHeight == 51)
        #expect((0..<3).map { geometry.start(of: $0) } == [5, 15, 39])
        #expect(geometry.sections(from: 28, to: 33) == 1..<2)
        geometry.set(9, of: .footer, in: 0)
        #expect(geometry.start(of: 2) == 46)
        geometry.set(-1, of: .header, in: 0)
        geometry.set(1, of: .header, in: 7)
        #expect(geometry.height(of: .header, in: 0) == 5)
        #expect(geometry.rows(from: 26, to: 40).isEmpty)
    }
}
