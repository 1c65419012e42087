import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Alerts and action sheets")
struct AlertTests {
    private let root = UIViewController()
    private let page: Page

    init() {
        let root = root
        page = Page { root }
    }

    private func alert(
        _ style: UIAlertController.Style = .alert,
        _ actions: [UIAlertAction] = []
    ) -> UIAlertController {
        let alert = UIAlertController(title: "Delete?", message: "It is gone then.", preferredStyle: style)
        for action in actions { alert.addAction(action) }
        return alert
    }

    private func action(_ title: String, _ style: UIAlertAction.Style = .default) -> UIAlertAction {
        UIAlertAction(title: title, style: style)
    }

    private func present(_ alert: UIAlertController) {
        root.present(alert, animated: false)
        page.screen.drawIfNeeded()
    }

    private func choice(_ index: Int, of alert: UIAlertController) -> Page.Element? {
        page.screen.drawIfNeeded()
        return page.elements["\(alert.view.nodeID).choice\(index)"]
    }

    private func titles(of alert: UIAlertController) -> [String] {
        (0..<4).compactMap { choice($0, of: alert)?.text }
    }

    @Test("have the answer that cancels first of two, and last of more; a sheet always last")
    func order() {
        let two = alert(.alert, [action("Delete", .destructive), action("Keep", .cancel)])
        present(two)
        #expect(titles(of: two) == ["Keep", "Delete"] && page.elements(class: "row").count == 1)
        root.dismiss(animated: false)
        let three = alert(.alert, [action("Keep", .cancel), action("Delete"), action("Archive")])
        present(three)
        #expect(titles(of: three) == ["Delete", "Archive", "Keep"] && page.elements(class: "row").isEmpty)
        root.dismiss(animated: false)
        let sheet = alert(.actionSheet, [action("Keep", .cancel), action("Delete")])
        present(sheet)
        #expect(titles(of: sheet) == ["Delete", "Keep"] && page.elements(class: "action-sheet").count == 1)
        #expect(sheet.actions.map(\.title) == ["Keep", "Delete"])
    }

    @Test("draw an answer again that the app enables or disables")
    func enabling() {
        let delete = action("Delete")
        let shown = alert(.alert, [delete])
        present(shown)
        #expect(choice(0, of: shown)?.attributes["data-tap"] != nil)
        delete.isEnabled = false
        #expect(choice(0, of: shown)?.attributes["disabled"] != nil)
        #expect(choice(0, of: shown)?.attributes["data-tap"] == nil)
        page.tap("\(shown.view.nodeID).choice0")
        #expect(root.presentedViewController === shown)
        delete.isEnabled = true
        #expect(choice(0, of: shown)?.attributes["disabled"] == nil)
        page.tap("\(shown.view.nodeID).choice0")
        #expect(root.presentedViewController == nil)
    }

    @Test("let a field enable an answer while the user types")
    func fields() throws {
        var answers: [String?] = []
        let shown = alert()
        let save = UIAlertAction(title: "Save", style: .default) { _ in answers.append(shown.textFields?.first?.text) }
        save.isEnabled = false
        shown.addAction(save)
        #expect(shown.textFields == nil)
        shown.addTextField { field in
            field.placeholder = "Name"
            let check = UIAction { [weak field] _ in save.isEnabled = field?.text?.isEmpty == false }
            field.addAction(check, for: .editingChanged)
        }
        shown.addTextField { $0.isSecureTextEntry = true }
        present(shown)
        let field = try #require(shown.textFields?.first)
        #expect(shown.textFields?.map(\.isSecureTextEntry) == [false, true] && field.placeholder == "Name")
        page.tap("\(shown.view.nodeID).choice0")
        #expect(answers.isEmpty)
        page.report(#"{"i":"\#(field.nodeID)","k":"text","t":"Ann"}"#)
        #expect(choice(0, of: shown)?.attributes["disabled"] == nil)
        page.tap("\(shown.view.nodeID).choice0")
        #expect(answers == ["Ann"])
    }

    @Test("emphasise the answer that the app prefers, or the one that cancels")
    func preferred() {
        let (keep, delete) = (action("Keep", .cancel), action("Delete", .destructive))
        let shown = alert(.alert, [delete, keep])
        present(shown)
        #expect(page.elements(class: "bold").map(\.text) == ["Keep"])
        #expect(page.elements(class: "destructive").map(\.text) == ["Delete"])
        shown.preferredAction = delete
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "bold").map(\.text) == ["Delete"])
        shown.preferredAction = nil
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "bold").map(\.text) == ["Keep"])
    }

    @Test("show title and message where there are any, and another message at once")
    func texts() {
        let shown = alert()
        present(shown)
        let id = shown.view.nodeID
        #expect(page.elements["\(id).title"]?.text == "Delete?")
        #expect(page.elements[id]?.attributes["aria-label"] == "Delete?")
        shown.message = "It is kept for a day."
        page.screen.drawIfNeeded()
        #expect(page.elements["\(id).message"]?.text == "It is kept for a day.")
        shown.message = nil
        page.screen.drawIfNeeded()
        #expect(page.elements["\(id).message"] == nil)
        root.dismiss(animated: false)
        let empty = UIAlertController(title: "", message: nil, preferredStyle: .alert)
        present(empty)
        #expect(page.elements["\(empty.view.nodeID).title"] == nil)
    }

    @Test("take an answer that is added while they are shown, and hand it to its handler")
    func late() {
        let shown = alert()
        present(shown)
        #expect(titles(of: shown).isEmpty && shown.modalPresentationStyle == .overFullScreen)
        var chosen: [UIAlertAction] = []
        let late = UIAlertAction(title: "OK", style: .default) { chosen.append($0) }
        shown.addAction(late)
        #expect(titles(of: shown) == ["OK"])
        page.tap("\(shown.view.nodeID).choice3")
        #expect(chosen.isEmpty)
        page.tap("\(shown.view.nodeID).choice0")
        #expect(chosen.count == 1 && chosen.first === late && root.presentedViewController == nil)
    }
}
