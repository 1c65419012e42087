import Foundation
import Testing

@testable import BrowserUIKit

/// Writes down what it hears of a search bar.
@MainActor
private final class Listener: UISearchBarDelegate {
    var calls: [String] = []
    var allows = true

    func searchBarShouldBeginEditing(_ searchBar: UISearchBar) -> Bool { allows }
    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) { calls.append("begin") }
    func searchBarTextDidEndEditing(_ searchBar: UISearchBar) { calls.append("end") }
    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) { calls.append("text \(searchText)") }
    func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { calls.append("search \(searchBar.text ?? "")") }
    func searchBarCancelButtonClicked(_ searchBar: UISearchBar) { calls.append("cancel") }
    func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int) {
        calls.append("scope \(selectedScope)")
    }
}

@MainActor
@Suite("A search bar of the app's own")
struct SearchBarTests {
    private let bar = UISearchBar()
    private let listener = Listener()
    private let page: Page

    init() {
        let (bar, listener) = (bar, listener)
        bar.delegate = listener
        page = Page {
            let controller = UIViewController()
            controller.view.addSubview(bar)
            return controller
        }
    }

    private var input: String { "\(bar.searchTextField.nodeID).input" }

    private func type(_ text: String, kind: String = "text") {
        page.report(#"{"i":"\#(input)","k":"\#(kind)","t":"\#(text)","f":false}"#)
    }

    @Test("tells of its beginning, of each change, of the search key and of its end")
    func life() {
        page.report(#"{"i":"\#(input)","k":"focus"}"#)
        type("a")
        type("an")
        type("ann", kind: "return")
        #expect(listener.calls == ["begin", "text a", "text an", "text ann", "search ann"])
        #expect(bar.isFirstResponder && bar.text == "ann")
        bar.resignFirstResponder()
        #expect(listener.calls.last == "end" && !bar.isFirstResponder)
    }

    @Test("doesn't begin where the delegate doesn't let it")
    func refused() {
        listener.allows = false
        page.report(#"{"i":"\#(input)","k":"focus"}"#)
        #expect(!bar.isFirstResponder && listener.calls.isEmpty)
        #expect(!bar.becomeFirstResponder())
        listener.allows = true
        #expect(bar.becomeFirstResponder() && listener.calls == ["begin"])
    }

    @Test("tells of a text that the user clears, and of none that the app sets")
    func clearing() {
        bar.text = "old"
        page.screen.drawIfNeeded()
        #expect(listener.calls.isEmpty)
        page.report(#"{"i":"\#(input)","k":"focus"}"#)
        page.tap("\(bar.searchTextField.nodeID).clear")
        #expect(listener.calls == ["begin", "text "] && bar.text == "")
    }

    @Test("has a Cancel button where it says so, which changes nothing by itself")
    func cancel() {
        let button = "\(bar.nodeID).cancel"
        #expect(page.elements[button] == nil)
        bar.setShowsCancelButton(true, animated: true)
        bar.text = "kept"
        page.screen.drawIfNeeded()
        page.tap(button)
        #expect(bar.showsCancelButton && listener.calls == ["cancel"] && bar.text == "kept")
    }

    @Test("has scopes where it says so, and tells of those that the user chooses")
    func scopes() throws {
        bar.scopeButtonTitles = ["All", "Mine"]
        page.screen.drawIfNeeded()
        #expect(page.id(text: "Mine") == nil)
        bar.showsScopeBar = true
        page.screen.drawIfNeeded()
        let all = try #require(page.id(text: "All"))
        let mine = try #require(page.id(text: "Mine"))
        #expect(page.elements[all]?.attributes["aria-checked"] == "true")
        page.tap(mine)
        #expect(listener.calls == ["scope 1"] && bar.selectedScopeButtonIndex == 1)
        bar.selectedScopeButtonIndex = 0
        page.screen.drawIfNeeded()
        #expect(page.elements[all]?.attributes["aria-checked"] == "true" && listener.calls.count == 1)
        bar.scopeButtonTitles = []
        page.screen.drawIfNeeded()
        #expect(page.id(text: "All") == nil)
    }

    @Test("gives its keyboard and placeholder to the field in it")
    func field() {
        bar.placeholder = "Find"
        bar.keyboardType = .emailAddress
        bar.returnKeyType = .done
        bar.autocapitalizationType = .none
        page.screen.drawIfNeeded()
        let attributes = page.elements[input]?.attributes
        #expect(attributes?["placeholder"] == "Find" && attributes?["inputmode"] == "email")
        #expect(attributes?["enterkeyhint"] == "done" && attributes?["autocapitalize"] == "off")
        #expect(bar.searchTextField.placeholder == "Find" && bar.autocorrectionType == .default)
    }
}
