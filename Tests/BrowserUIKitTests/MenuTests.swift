import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Menus, sliders, symbols and fonts")
struct MenuTests {
    private func page(_ view: UIView) -> (Page, UIViewController) {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return (Page { controller }, controller)
    }

    @Test("A button offers its menu as a sheet of actions, without those that are hidden")
    func menu() throws {
        var chosen: [String] = []
        let inner = UIMenu(options: .displayInline, children: [UIAction(title: "Copy") { _ in chosen.append("Copy") }])
        let button = UIButton(type: .system)
        button.menu = UIMenu(
            title: "Card",
            children: [
                UIAction(title: "Delete", attributes: .destructive) { _ in chosen.append("Delete") },
                UIAction(title: "Hidden", attributes: .hidden) { _ in chosen.append("Hidden") },
                UIAction(title: "Off", attributes: .disabled, state: .on) { _ in chosen.append("Off") },
                inner,
            ]
        )
        button.showsMenuAsPrimaryAction = true
        let (page, controller) = page(button)
        page.tap(button.nodeID)
        let sheet = try #require(controller.presentedViewController as? UIAlertController)
        #expect(sheet.actions.map(\.title) == ["Delete", "✓ Off", "Copy", "Cancel"])
        #expect(sheet.actions.map(\.isEnabled) == [true, false, true, true])
        let copy = try #require(page.id(text: "Copy"))
        page.tap(copy)
        #expect(chosen == ["Copy"] && controller.presentedViewController == nil)
    }

    @Test("A slider keeps its number between its ends, whatever a page sends")
    func slider() {
        let slider = UISlider()
        slider.maximumValue = 10
        slider.value = 50
        var values: [Float] = []
        slider.addAction(UIAction { _ in values.append(slider.value) }, for: .valueChanged)
        let (page, _) = page(slider)
        #expect(page.elements[slider.nodeID]?.attributes["data-value"] == "2:10.0")
        for text in ["4.5", "-3", "nan", "inf", "x", ""] {
            page.report(#"{"i":"\#(slider.nodeID)","k":"text","t":"\#(text)"}"#)
        }
        #expect(values == [4.5, 0, 0, 0])
        slider.isContinuous = false
        page.report(#"{"i":"\#(slider.nodeID)","k":"text","t":"1"}"#)
        page.report(#"{"i":"\#(slider.nodeID)","k":"text","t":"2","f":true}"#)
        #expect(values.last == 2 && values.count == 5)
    }

    @Test("Symbols are drawings in the tint; unknown names have none")
    func symbols() throws {
        for name in ["xmark", "star", "star.fill", "plus.circle", "chevron.right", "trash", "square.and.arrow.up"] {
            let image = try #require(UIImage(systemName: name))
            #expect(image.renderingMode == .alwaysTemplate && image.mediaType == "image/svg+xml")
            #expect(XMLIsBalanced.check(String(decoding: image.bytes, as: UTF8.self)))
        }
        #expect(UIImage(systemName: "no.such.symbol") == nil)
        #expect(UIImage(systemName: "star")?.digest != UIImage(systemName: "star.fill")?.digest)
    }

    @Test("Fonts that iOS brings are found by name, with weight and slope; others are not")
    func fonts() {
        #expect(UIFont(name: "HelveticaNeue-Bold", size: 12)?.css(lineSpacing: nil)["font-weight"] == "700")
        #expect(UIFont(name: "Georgia-Italic", size: 12)?.css(lineSpacing: nil)["font-style"] == "italic")
        #expect(UIFont(name: "Avenir Next", size: 0)?.pointSize == 17)
        #expect(UIFont(name: "Georgia", size: 12) != UIFont(name: "Menlo", size: 12))
        #expect(UIFont(name: "NoSuchFont", size: 12) == nil)
        #expect(UIFont(name: "Georgia", size: .nan) == nil)
    }

    @Test("The screen is that of the tab whose app runs")
    func screen() {
        var environment = BrowserEnvironment()
        environment.width = 320
        environment.height = 568
        var sizes: [CGSize] = []
        let button = UIButton(type: .system)
        button.addAction(UIAction { _ in sizes.append(UIScreen.main.bounds.size) }, for: .touchUpInside)
        let controller = UIViewController()
        controller.view.addSubview(button)
        let small = Page(environment) { controller }
        let other = Page { UIViewController() }
        #expect(UIScreen.main.bounds.width == 390)
        small.tap(button.nodeID)
        #expect(sizes == [CGSize(width: 320, height: 568)])
        #expect(other.screen.environment.width == 390)
    }

    @Test("A controller knows what those that hold it have presented, and dismisses it")
    func presented() {
        let controller = UIViewController()
        let navigation = UINavigationController(rootViewController: controller)
        let page = Page { navigation }
        let sheet = UIViewController()
        controller.present(sheet, animated: false)
        #expect(controller.presentedViewController === sheet && navigation.presentedViewController === sheet)
        controller.dismiss(animated: false)
        #expect(controller.presentedViewController == nil && navigation.presentedViewController == nil)
        #expect(page.screen.window.shownControllers.count == 1)
    }

    @Test("Responders are objects, equal to themselves alone")
    func objects() {
        let (one, other): (NSObject, NSObject) = (UIView(), UIView())
        #expect(one == one && one != other && Set([one, other, one]).count == 2)
        let objects: [AnyObject] = [UIViewController(), UIBarButtonItem(title: "x"), UITapGestureRecognizer()]
        #expect(objects.allSatisfy { $0 is NSObject })
    }

    @Test("Header and footer scroll with the rows, which are counted from below the header")
    func edges() throws {
        final class Rows: NSObject, UITableViewDataSource {
            func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 100 }
            func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
                cell.textLabel?.text = "Row \(indexPath.row)"
                return cell
            }
        }
        let rows = Rows()
        let table = UITableView(frame: .zero)
        table.rowHeight = 50
        table.dataSource = rows
        let header = UILabel(frame: CGRect(x: 0, y: 0, width: 0, height: 1_000))
        header.text = "Header"
        table.tableHeaderView = header
        table.tableFooterView = UIView()
        let (page, _) = page(table)
        let scroller = try #require(page.elements["\(table.nodeID).scroll"])
        #expect(scroller.children == ["table-header", "rows", "table-footer"].map { "\(table.nodeID).\($0)" })
        page.report(
            #"{"i":"\#(table.nodeID).scroll","k":"scroll","y":1000,"w":390,"h":500,"c":6000,"a":1000,"r":{}}"#
        )
        #expect(table.indexPathsForVisibleRows?.first?.row == 0)
        #expect(table.rectForRow(at: IndexPath(row: 2, section: 0)).minY == 1_100)
        table.tableHeaderView = nil
        #expect(table.rectForRow(at: IndexPath(row: 2, section: 0)).minY == 100 && header.superview == nil)
    }

    @Test("Menus open once what is made for them is there, and have it made again where it isn't kept")
    func deferred() throws {
        let controller = UIViewController()
        let page = Page { controller }
        var (made, waiting): (Int, (([UIMenuElement]) -> Void)?) = (0, nil)
        let once = UIDeferredMenuElement { done in
            made += 1
            done([UIMenu(options: .displayInline, children: [UIAction(title: "Once \(made)") { _ in }])])
        }
        let late = UIDeferredMenuElement.uncached { done in waiting = done }
        let last = UIAction(title: "Last", discoverabilityTitle: "Longer") { _ in }
        let menu = UIMenu(title: "Menu", identifier: UIMenu.Identifier("own"), children: [once, late, last])
        #expect(menu.identifier.rawValue == "own" && last.discoverabilityTitle == "Longer")
        for round in 1...2 {
            menu.show(by: controller, over: controller)
            #expect(controller.presentedViewController == nil)
            let late = try #require(waiting)
            late([UIAction(title: "Late \(round)") { _ in }])
            late([])
            page.screen.drawIfNeeded()
            #expect(Set(page.texts).isSuperset(of: ["Once 1", "Late \(round)", "Last", "Cancel"]))
            controller.dismiss(animated: false)
            page.screen.drawIfNeeded()
        }
        #expect(made == 1)
    }
}

/// Knows whether each element of a drawing is closed.
private enum XMLIsBalanced {
    static func check(_ text: String) -> Bool {
        var open = 0
        for part in text.split(separator: "<") {
            if part.hasPrefix("/") { open -= 1 } else if !part.contains("/>") { open += 1 }
            if open < 0 { return false }
        }
        return open == 0
    }
}
