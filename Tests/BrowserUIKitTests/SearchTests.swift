import Foundation
import Testing

@testable import BrowserUIKit

/// Searches a few names, and shows them.
@MainActor
final class NamesController: UITableViewController, UISearchResultsUpdating, UISearchControllerDelegate {
    var asked: [String] = []
    var log: [String] = []

    func updateSearchResults(for searchController: UISearchController) {
        asked.append(searchController.searchBar.text ?? "")
    }

    func didPresentSearchController(_ searchController: UISearchController) { log.append("shown") }
    func didDismissSearchController(_ searchController: UISearchController) { log.append("gone") }
}

@MainActor
@Suite("A search")
struct SearchTests {
    @Test("begins in the bar below the title, tells what is typed, and ends by Cancel")
    func search() throws {
        let names = NamesController(style: .plain)
        names.title = "Names"
        let search = UISearchController(searchResultsController: nil)
        search.searchResultsUpdater = names
        search.delegate = names
        search.searchBar.placeholder = "Search names"
        names.navigationItem.searchController = search
        let navigation = UINavigationController(rootViewController: names)
        let page = Page { navigation }
        let field = search.searchBar.searchTextField
        let input = "\(field.nodeID).input"
        #expect(page.elements[input]?.attributes["placeholder"] == "Search names")
        #expect(page.elements[input]?.attributes["enterkeyhint"] == "search")
        #expect(names.tableView.adjustedContentInset.top == 44 + BarHeight.search)
        page.report(#"{"i":"\#(input)","k":"focus"}"#)
        #expect(search.isActive)
        page.report(#"{"i":"\#(input)","k":"text","t":"an"}"#)
        #expect(names.asked == ["", "an"])
        let cancel = "\(search.searchBar.nodeID).cancel"
        #expect(page.elements[cancel]?.text == "Cancel")
        page.tap(cancel)
        #expect((search.isActive, search.searchBar.text, field.isEditing) == (false, "", false))
        #expect(page.elements[cancel] == nil)
        #expect(names.log == ["shown", "gone"])
    }

    @Test("shows a controller of results over what is searched, as long as something is typed")
    func results() throws {
        let (list, results) = (UIViewController(), UIViewController())
        let label = UILabel()
        label.text = "One result"
        results.view.addSubview(label)
        let search = UISearchController(searchResultsController: results)
        list.navigationItem.searchController = search
        search.searchBar.scopeButtonTitles = ["All", "Mine"]
        let page = Page { UINavigationController(rootViewController: list) }
        search.isActive = true
        page.screen.drawIfNeeded()
        #expect(!page.texts.contains("One result") && page.texts.contains("Mine"))
        page.report(#"{"i":"\#(search.searchBar.searchTextField.nodeID).input","k":"text","t":"o"}"#)
        #expect(page.texts.contains("One result"))
        #expect(page.elements(class: "search-results").count == 1)
        search.isActive = false
        page.screen.drawIfNeeded()
        #expect(!page.texts.contains("One result") && results.parent == nil)
    }

    @Test("of dates keeps within the limits, in the calendar's time zone, and takes no nonsense")
    func datePicker() throws {
        let picker = UIDatePicker()
        picker.datePickerMode = .date
        picker.timeZone = TimeZone(identifier: "UTC")
        picker.date = Date(timeIntervalSince1970: 1_699_999_980)
        picker.maximumDate = Date(timeIntervalSince1970: 1_800_000_000)
        var changes = 0
        picker.addAction(UIAction { _ in changes += 1 }, for: .valueChanged)
        let controller = UIViewController()
        controller.view.addSubview(picker)
        let page = Page { controller }
        let element = try #require(page.elements[picker.nodeID])
        #expect(element.attributes["type"] == "date" && element.attributes["max"] == "2027-01-15")
        #expect(element.attributes["data-value"]?.hasSuffix(":2023-11-14") == true)
        func choose(_ text: String) { page.report(#"{"i":"\#(picker.nodeID)","k":"text","t":"\#(text)","f":true}"#) }
        choose("2024-02-29")
        // The time of day stays.
        #expect(picker.date == Date(timeIntervalSince1970: 1_699_999_980 + 107 * 86_400))
        for nonsense in ["", "2024", "99999-1-1", "2024--1-01", "a-b-c"] { choose(nonsense) }
        choose("2024-02-29")
        #expect(changes == 1)
        choose("2030-01-01")
        #expect(picker.date == picker.maximumDate)
        picker.datePickerMode = .countDownTimer
        choose("01:30")
        #expect(picker.countDownDuration == 5_400)
    }
}

@MainActor
@Suite("Sharing")
struct SharingTests {
    private final class Star: UIActivity {
        var items: [Any] = []
        override var activityType: UIActivity.ActivityType? { UIActivity.ActivityType("star") }
        override var activityTitle: String? { "Star" }
        override func canPerform(withActivityItems activityItems: [Any]) -> Bool { true }
        override func prepare(withActivityItems activityItems: [Any]) { items = activityItems }
        override func perform() { activityDidFinish(true) }
    }

    private func page(_ activity: UIActivityViewController) -> Page {
        let controller = UIViewController()
        let page = Page { controller }
        controller.present(activity, animated: true)
        page.screen.drawIfNeeded()
        return page
    }

    @Test("copies texts and addresses to the pasteboard, and tells what was chosen")
    func copying() throws {
        let url = try #require(URL(string: "https://shop.example/a"))
        let sheet = UIActivityViewController(activityItems: ["Cake", url], applicationActivities: nil)
        var chosen: [String] = []
        sheet.completionWithItemsHandler = { type, done, _, _ in chosen.append("\(type?.rawValue ?? "none") \(done)") }
        let page = page(sheet)
        let before = page.screen.pasteboard.changeCount
        page.tap(try #require(page.id(text: "Copy")))
        #expect(page.copied == ["Cake\nhttps://shop.example/a"])
        #expect(page.screen.pasteboard.string == "Cake\nhttps://shop.example/a")
        #expect(page.screen.pasteboard.changeCount == before + 1)
        #expect(chosen == ["com.apple.UIKit.activity.CopyToPasteboard true"])
    }

    @Test("writes a mail whose text can't end the address, and leaves out what the app excludes")
    func mail() throws {
        let sheet = UIActivityViewController(activityItems: ["50% & more?"], applicationActivities: nil)
        sheet.excludedActivityTypes = [.message]
        let page = page(sheet)
        #expect(page.id(text: "Message") == nil)
        page.tap(try #require(page.id(text: "Mail")))
        #expect(page.opened == ["mailto:?body=50%25%20%26%20more%3F"])
    }

    @Test("runs what the app brings, and tells when the user chose nothing")
    func own() throws {
        let star = Star()
        let sheet = UIActivityViewController(activityItems: ["Cake"], applicationActivities: [star])
        var chosen: [String] = []
        sheet.completionWithItemsHandler = { type, done, _, _ in chosen.append("\(type?.rawValue ?? "none") \(done)") }
        let page = page(sheet)
        page.tap(try #require(page.id(text: "Star")))
        #expect(star.items.first as? String == "Cake")
        let second = UIActivityViewController(activityItems: [], applicationActivities: nil)
        second.completionWithItemsHandler = sheet.completionWithItemsHandler
        page.screen.window.rootViewController?.present(second, animated: true)
        page.screen.drawIfNeeded()
        page.tap(try #require(page.id(text: "Cancel")))
        #expect(chosen == ["star true", "none false"])
    }

    @Test("keeps what was copied by kind")
    func pasteboard() throws {
        let pasteboard = UIPasteboard(host: nil)
        #expect(!pasteboard.hasStrings && pasteboard.string == nil)
        pasteboard.url = URL(string: "https://shop.example")
        #expect(pasteboard.hasURLs && pasteboard.string == "https://shop.example")
        pasteboard.color = .systemRed
        #expect(pasteboard.color == .systemRed && !pasteboard.hasURLs && pasteboard.numberOfItems == 1)
    }
}
