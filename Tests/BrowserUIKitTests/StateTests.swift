import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Buttons, pages and fields")
struct StateTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    @Test("that are buttons show what was set for their state, or else for the usual one")
    func buttonStates() {
        let button = UIButton(type: .system)
        button.setTitle("Buy", for: .normal)
        button.setTitle("Sold out", for: .disabled)
        button.setTitleColor(.red, for: .selected)
        let page = page(button)
        #expect(page.elements["\(button.nodeID).title"]?.text == "Buy")
        #expect(button.currentTitle == "Buy" && button.title(for: .highlighted) == nil)
        button.isEnabled = false
        page.screen.drawIfNeeded()
        #expect(page.elements["\(button.nodeID).title"]?.text == "Sold out")
        button.isEnabled = true
        button.isSelected = true
        page.screen.drawIfNeeded()
        #expect(page.elements["\(button.nodeID).title"]?.text == "Buy")
        #expect(page.elements[button.nodeID]?.style["color"] == UIColor.red.css)
        #expect(button.state == .selected)
        button.contentEdgeInsets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        page.screen.drawIfNeeded()
        #expect(page.elements[button.nodeID]?.style["padding"] == "1px 4px 3px 2px")
    }

    @Test("that show pages keep the page among those that there are, and tell of another once")
    func pages() {
        let control = UIPageControl()
        control.numberOfPages = 3
        control.currentPage = 7
        #expect(control.currentPage == 2)
        var pages: [Int] = []
        control.addAction(UIAction { _ in pages.append(control.currentPage) }, for: .valueChanged)
        let page = page(control)
        for part in ["page0", "page0", "page3", "page-1", "page"] { page.tap("\(control.nodeID).\(part)") }
        #expect(pages == [0])
        #expect(page.elements["\(control.nodeID).page0"]?.attributes["aria-current"] == "true")
        control.numberOfPages = -1
        #expect(control.numberOfPages == 0 && control.currentPage == 0)
        control.numberOfPages = .max
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "page").count == 100)
        control.numberOfPages = 1
        control.hidesForSinglePage = true
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "page").isEmpty)
    }

    private final class Stubborn: NSObject, UITextFieldDelegate {
        func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { false }
    }

    @Test("for text in a view end their typing with it, against their delegate only where that is forced")
    func endEditing() {
        let (box, field, stubborn) = (UIView(), UITextField(), Stubborn())
        box.addSubview(field)
        let page = page(box)
        #expect(box.endEditing(false))
        field.becomeFirstResponder()
        #expect(box.endEditing(false) && !field.isFirstResponder)
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.attributes["data-focus"]?.hasSuffix(":0") == true)
        field.delegate = stubborn
        field.becomeFirstResponder()
        #expect(!box.endEditing(false) && field.isFirstResponder)
        #expect(box.endEditing(true) && !field.isFirstResponder)
    }

    @Test("in an alert take text, which its answers find; an action sheet has none")
    func alertFields() throws {
        let alert = UIAlertController(title: "User", message: nil, preferredStyle: .alert)
        var answer: String?
        alert.addTextField { $0.placeholder = "Email" }
        alert.addAction(UIAlertAction(title: "OK", style: .default) { _ in answer = alert.textFields?.first?.text })
        let controller = UIViewController()
        let page = Page { controller }
        controller.present(alert, animated: false)
        page.screen.drawIfNeeded()
        let field = try #require(alert.textFields?.first)
        #expect(page.elements["\(alert.view.nodeID).text"]?.children.contains(field.nodeID) == true)
        page.report(#"{"i":"\#(field.nodeID)","k":"text","t":"ann@shop.example"}"#)
        page.tap("\(alert.view.nodeID).choice0")
        #expect(answer == "ann@shop.example")
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        sheet.addTextField()
        #expect(sheet.textFields == nil)
    }

    @Test("An action sheet cancels by a tap beside it, where an answer does so; an alert doesn't")
    func besideAlerts() {
        let controller = UIViewController()
        let page = Page { controller }
        var chosen: [String] = []
        func alert(_ style: UIAlertController.Style, _ actions: [UIAlertAction.Style]) -> UIAlertController {
            let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: style)
            for action in actions {
                alert.addAction(UIAlertAction(title: "A", style: action) { _ in chosen.append("\(action)") })
            }
            controller.present(alert, animated: false)
            page.screen.drawIfNeeded()
            page.tap("\(alert.view.nodeID).beside")
            return alert
        }
        let asked = alert(.alert, [.default, .cancel])
        #expect(chosen.isEmpty && controller.presentedViewController === asked)
        #expect(page.elements[asked.view.nodeID]?.attributes["data-beside"] == nil)
        controller.dismiss(animated: false)
        let open = alert(.actionSheet, [.destructive])
        #expect(chosen.isEmpty && controller.presentedViewController === open)
        #expect(page.elements[open.view.nodeID]?.attributes["data-beside"] == "\(open.view.nodeID).beside")
        controller.dismiss(animated: false)
        _ = alert(.actionSheet, [.cancel, .destructive])
        #expect(chosen == ["cancel"] && controller.presentedViewController == nil)
    }
}
