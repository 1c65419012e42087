import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Interactions", .serialized)
struct InteractionTests {
    private final class Menus: NSObject, UIContextMenuInteractionDelegate {
        var places: [CGPoint] = []
        var chosen = 0

        func contextMenuInteraction(
            _ interaction: UIContextMenuInteraction,
            configurationForMenuAtLocation location: CGPoint
        ) -> UIContextMenuConfiguration? {
            places.append(location)
            return UIContextMenuConfiguration(identifier: "card" as NSString, previewProvider: nil) { _ in
                UIMenu(children: [UIAction(title: "Pin") { [weak self] _ in self?.chosen += 1 }])
            }
        }
    }

    private final class MenuTable: UITableViewController {
        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

        override func tableView(
            _ tableView: UITableView,
            contextMenuConfigurationForRowAt indexPath: IndexPath,
            point: CGPoint
        ) -> UIContextMenuConfiguration? {
            UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
                UIMenu(children: [UIAction(title: "Row \(indexPath.row)") { _ in }])
            }
        }
    }

    private func hold(_ id: String) -> String {
        #"{"i":"\#(id)","k":"hold","p":"moved","b":true,"sx":4,"sy":5,"x":4,"y":5}"#
    }

    @Test("open a menu by a long press, until they are removed")
    func contextMenu() throws {
        let (view, menus) = (UIView(), Menus())
        let interaction = UIContextMenuInteraction(delegate: menus)
        view.addInteraction(interaction)
        let controller = UIViewController()
        controller.view.addSubview(view)
        let page = Page { controller }
        #expect(page.elements[view.nodeID]?.attributes["data-hold"] == "500")
        page.report(hold(view.nodeID))
        #expect(menus.places == [CGPoint(x: 4, y: 5)])
        page.tap(try #require(page.id(text: "Pin")))
        #expect(menus.chosen == 1)
        view.removeInteraction(interaction)
        page.screen.drawIfNeeded()
        #expect(view.interactions.isEmpty && interaction.view == nil)
        #expect(page.elements[view.nodeID]?.attributes["data-hold"] == nil)
    }

    @Test("open menus of rows where the delegate gives them, and leave other rows alone")
    func rows() throws {
        let table = MenuTable(style: .plain)
        let page = Page { table }
        let cell = try #require(table.tableView.cellForRow(at: IndexPath(row: 1, section: 0)))
        page.report(hold(cell.nodeID))
        #expect(page.texts.contains("Row 1"))
        let plain = NumbersController(style: .plain)
        let other = Page { plain }
        #expect(other.elements(class: "cell").allSatisfy { $0.attributes["data-hold"] == nil })
    }

    @Test("of one tap wait for a second one where they are told to")
    func requirement() throws {
        var waiting: [@MainActor () -> Void] = []
        let usual = UITapGestureRecognizer.wait
        UITapGestureRecognizer.wait = { _, body in waiting.append(body) }
        defer { UITapGestureRecognizer.wait = usual }
        let view = TapView()
        let (once, twice) = (UITapGestureRecognizer(), UITapGestureRecognizer())
        once.addTarget(view, action: TapView.tapped)
        twice.addTarget(view, action: TapView.tappedTwice)
        twice.numberOfTapsRequired = 2
        once.require(toFail: twice)
        view.addGestureRecognizer(once)
        view.addGestureRecognizer(twice)
        let controller = UIViewController()
        controller.view.addSubview(view)
        let page = Page { controller }
        func tap(_ count: Int) {
            page.report(#"{"i":"\#(view.nodeID)","k":"tap","e":"\#(view.nodeID)","x":1,"y":1,"n":\#(count)}"#)
        }
        tap(1)
        #expect(view.taps.isEmpty)
        waiting.removeFirst()()
        #expect(view.taps == ["once"])
        tap(1)
        tap(2)
        waiting.removeFirst()()
        #expect(view.taps == ["once", "twice"])
        // Keys don't tap twice, so nothing waits.
        page.tap(view.nodeID)
        #expect(view.taps.last == "twice" && waiting.isEmpty)
    }

    private final class TapView: UIView {
        var taps: [String] = []
        func tapped() { taps.append("once") }
        func tappedTwice() { taps.append("twice") }
    }

    @Test("with assistive devices are told what has changed, and where to go on")
    func accessibility() throws {
        let label = UILabel()
        label.text = "Saved"
        let controller = UIViewController()
        controller.view.addSubview(label)
        let page = Page { controller }
        UIAccessibility.post(notification: .announcement, argument: "Two new cards")
        #expect(page.announced == ["Two new cards"])
        UIAccessibility.post(notification: .layoutChanged, argument: label)
        page.screen.drawIfNeeded()
        #expect(page.elements[label.nodeID]?.attributes["data-focus"] == "1:1")
        #expect(page.elements[label.nodeID]?.attributes["tabindex"] == "-1")
        UIAccessibility.post(notification: .screenChanged, argument: nil)
        #expect(page.announced.count == 1)
    }

    @Test("find points, sizes and rectangles in values")
    func values() {
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(NSValue(cgRect: rect).cgRectValue == rect)
        #expect(NSValue(cgPoint: rect.origin).cgPointValue == rect.origin)
        #expect(NSValue(cgSize: rect.size).cgSizeValue == rect.size)
    }
}
