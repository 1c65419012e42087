import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Buttons in bars")
struct BarButtonTests {
    private let root = UIViewController()
    private let navigation: UINavigationController

    init() {
        root.title = "Root"
        navigation = UINavigationController(rootViewController: root)
    }

    private func page() -> Page {
        Page { navigation }
    }

    private func element(_ part: String, on page: Page) -> Page.Element? {
        page.screen.drawIfNeeded()
        return page.elements["\(navigation.view.nodeID).\(part)"]
    }

    @Test("are drawn again when the app changes them")
    func changes() {
        let item = UIBarButtonItem(title: "Save", primaryAction: UIAction { _ in })
        root.navigationItem.rightBarButtonItem = item
        let page = page()
        #expect(element("right0", on: page)?.text == "Save")
        item.title = "Saved"
        #expect(element("right0", on: page)?.text == "Saved")
        item.isEnabled = false
        #expect(element("right0", on: page)?.attributes["disabled"] != nil)
        item.isEnabled = true
        #expect(element("right0", on: page)?.attributes["data-tap"] != nil)
        item.style = .done
        #expect(element("right0", on: page)?.attributes["class"] == "bar-button prominent")
        item.accessibilityLabel = "Save changes"
        #expect(element("right0", on: page)?.attributes["aria-label"] == "Save changes")
        item.image = UIImage(systemName: "star")
        #expect(element("right0", on: page)?.children.count == 1)
        let view = UIView()
        item.customView = view
        #expect(element("right0", on: page) == nil && page.elements[view.nodeID] != nil)
    }

    @Test("in a toolbar are drawn again, too, and so is the room between them")
    func toolbar() throws {
        let (item, gap) = (UIBarButtonItem(title: "Archive"), UIBarButtonItem.fixedSpace(20))
        root.setToolbarItems([.flexibleSpace(), item, gap], animated: false)
        navigation.isToolbarHidden = false
        let page = page()
        let id = try #require(page.id(text: "Archive"))
        #expect(page.elements[id]?.attributes["disabled"] == nil && page.elements(class: "bar-space").count == 1)
        #expect(page.elements(class: "bar-gap").map { $0.style["width"] } == ["20px"])
        item.isEnabled = false
        gap.width = 30
        page.screen.drawIfNeeded()
        #expect(page.elements[id]?.attributes["disabled"] != nil)
        #expect(page.elements(class: "bar-gap").map { $0.style["width"] } == ["30px"])
    }

    @Test("do their actions, unless they are disabled, and know themselves as the sender")
    func actions() {
        var senders: [UIBarButtonItem] = []
        let action = UIAction { action in
            if let item = action.sender as? UIBarButtonItem { senders.append(item) }
        }
        let item = UIBarButtonItem(title: "Add", primaryAction: action)
        root.navigationItem.leftBarButtonItem = item
        let page = page()
        page.tap("\(navigation.view.nodeID).left0")
        #expect(senders == [item])
        item.isEnabled = false
        page.tap("\(navigation.view.nodeID).left0")
        page.tap("\(navigation.view.nodeID).left7")
        #expect(senders.count == 1)
    }

    @Test("at the start are in order, and those at the end begin at the edge")
    func order() {
        root.navigationItem.leftBarButtonItems = ["A", "B"].map { UIBarButtonItem(title: $0) }
        root.navigationItem.rightBarButtonItems = ["C", "D"].map { UIBarButtonItem(title: $0) }
        let page = page()
        let id = navigation.view.nodeID
        #expect(element("leading", on: page)?.children == ["\(id).left0", "\(id).left1"])
        #expect(element("trailing", on: page)?.children == ["\(id).right1", "\(id).right0"])
        #expect(element("right0", on: page)?.text == "C")
    }

    @Test("that are one are the first of several, and take the place of them")
    func single() {
        let item = root.navigationItem
        let buttons = ["A", "B"].map { UIBarButtonItem(title: $0) }
        item.setRightBarButtonItems(buttons, animated: true)
        #expect(item.rightBarButtonItem === buttons[0] && item.leftBarButtonItem == nil)
        item.setRightBarButton(buttons[1], animated: true)
        #expect(item.rightBarButtonItems == [buttons[1]])
        item.rightBarButtonItem = nil
        #expect(item.rightBarButtonItems == nil)
        item.setLeftBarButtonItems(buttons, animated: false)
        item.setLeftBarButton(nil, animated: false)
        #expect(item.leftBarButtonItems == nil)
    }

    @Test("of the system say what they do, in words or by an image")
    func systemItems() {
        let words: [(UIBarButtonItem.SystemItem, String)] = [
            (.done, "Done"), (.cancel, "Cancel"), (.edit, "Edit"), (.save, "Save"), (.close, "Close"),
        ]
        for (system, word) in words {
            let item = UIBarButtonItem(systemItem: system)
            #expect(item.text(in: "en") == word && item.text(in: "ja") != word && item.shownImage == nil)
        }
        let images: [UIBarButtonItem.SystemItem] = [
            .add, .compose, .reply, .action, .organize, .bookmarks, .search, .stop, .camera, .trash, .play, .pause,
        ]
        for system in images {
            let item = UIBarButtonItem(systemItem: system)
            #expect(item.shownImage != nil && item.text(in: "en").isEmpty)
        }
    }

    @Test("that end what the user does stand out, and no others")
    func prominent() {
        let system: [UIBarButtonItem.SystemItem] = [.done, .save, .cancel, .edit, .add]
        let items = system.map { UIBarButtonItem(systemItem: $0) }
        #expect(items.map(\.isProminent) == [true, true, false, false, false])
        let plain = UIBarButtonItem(title: "Send")
        #expect(!plain.isProminent && !plain.isSpace && UIBarButtonItem.flexibleSpace().isSpace)
        plain.style = .done
        #expect(plain.isProminent)
    }

    @Test("take title and image of their action, where they have none of their own")
    func primaryAction() {
        let image = UIImage(systemName: "star")
        let action = UIAction(title: "Add", image: image) { _ in }
        let own = UIBarButtonItem(title: "Own", primaryAction: action)
        let taken = UIBarButtonItem(primaryAction: action)
        #expect(own.title == "Own" && own.image === image)
        #expect(taken.title == "Add" && taken.primaryAction === action)
    }

    @Test("stand beside the title of the item, or that of the controller where the item has none, or a view")
    func titles() {
        let page = page()
        #expect(element("title", on: page)?.text == "Root")
        root.navigationItem.title = "Own"
        #expect(element("title", on: page)?.text == "Own" && root.title == "Root")
        root.navigationItem.title = nil
        #expect(element("title", on: page)?.text == "Root")
        let view = UILabel()
        view.text = "A view"
        root.navigationItem.titleView = view
        #expect(element("title", on: page) == nil && element("title-view", on: page)?.children == [view.nodeID])
        #expect(UINavigationItem(title: "").title == nil && UINavigationItem(title: "A").title == "A")
    }
}
