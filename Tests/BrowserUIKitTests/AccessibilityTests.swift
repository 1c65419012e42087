import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("What views say to people who don't see them")
struct AccessibilityTests {
    private let view = UIView()
    private let controller = UIViewController()

    private func page() -> Page {
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func attributes(in page: Page) -> [String: String] {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID]?.attributes ?? [:]
    }

    @Test("is nothing, unless a view is an element of its own")
    func none() {
        view.accessibilityLabel = "Total"
        let page = page()
        #expect(attributes(in: page)["role"] == nil && attributes(in: page)["aria-label"] == nil)
        view.isAccessibilityElement = true
        #expect(attributes(in: page)["role"] == "group" && attributes(in: page)["aria-label"] == "Total")
    }

    @Test("is what an element is, by its traits")
    func roles() {
        view.isAccessibilityElement = true
        let page = page()
        let roles: [(traits: UIAccessibilityTraits, role: String, isReached: Bool)] = [
            (.button, "button", true), (.link, "link", true), (.image, "img", false), (.header, "heading", false),
            ([.button, .image], "button", true), ([.link, .button], "link", true), (.none, "group", false),
        ]
        for (traits, role, isReached) in roles {
            view.accessibilityTraits = traits
            let attributes = attributes(in: page)
            #expect(attributes["role"] == role)
            #expect((attributes["tabindex"] == "0") == isReached)
            #expect((attributes["aria-level"] == "2") == (role == "heading"))
        }
    }

    @Test("is its name with its value, and apart from these what using it leads to")
    func names() {
        view.isAccessibilityElement = true
        view.accessibilityTraits = .button
        (view.accessibilityLabel, view.accessibilityValue) = ("Volume", "40 %")
        view.accessibilityHint = "Opens the settings."
        let page = page()
        #expect(attributes(in: page)["aria-label"] == "Volume, 40 %")
        #expect(attributes(in: page)["aria-description"] == "Opens the settings.")
        view.accessibilityValue = ""
        #expect(attributes(in: page)["aria-label"] == "Volume")
        view.accessibilityLabel = nil
        view.accessibilityHint = nil
        #expect(attributes(in: page)["aria-label"] == nil && attributes(in: page)["aria-description"] == nil)
    }

    @Test("is that it can't be used, by a trait")
    func disabled() {
        view.isAccessibilityElement = true
        view.accessibilityTraits = [.button, .notEnabled]
        let page = page()
        #expect(attributes(in: page)["aria-disabled"] == "true")
        view.accessibilityTraits.remove(.notEnabled)
        #expect(attributes(in: page)["aria-disabled"] == nil)
    }

    @Test("leaves out what is in an element, and all of what is hidden")
    func hidden() {
        let label = UILabel()
        label.text = "Part"
        view.addSubview(label)
        let page = page()
        #expect(page.elements[label.nodeID]?.attributes["aria-hidden"] == nil)
        view.isAccessibilityElement = true
        page.screen.drawIfNeeded()
        #expect(page.elements[label.nodeID]?.attributes["aria-hidden"] == "true")
        view.isAccessibilityElement = false
        view.accessibilityElementsHidden = true
        #expect(attributes(in: page)["aria-hidden"] == "true")
        view.accessibilityElementsHidden = false
        #expect(attributes(in: page)["aria-hidden"] == nil)
    }

    @Test("has names for tests and languages, also of what is no element")
    func identifiers() {
        (view.accessibilityIdentifier, view.accessibilityLanguage) = ("total", "ja")
        let page = page()
        #expect(attributes(in: page)["data-testid"] == "total" && attributes(in: page)["lang"] == "ja")
    }

    @Test("is the text of a label, unless the app gives another name")
    func labels() {
        let label = UILabel()
        label.text = "3"
        #expect(label.accessibilityLabel == "3" && label.isAccessibilityElement)
        #expect(label.accessibilityTraits == .staticText && !label.needsRole)
        label.accessibilityLabel = "Three pieces"
        #expect(label.accessibilityLabel == "Three pieces" && label.needsRole)
        label.accessibilityLabel = nil
        #expect(label.accessibilityLabel == "3")
        #expect(UIView().accessibilityLabel == nil)
    }

    @Test("has buttons for what can be done besides, each of which does it")
    func actions() {
        var calls: [String] = []
        view.isAccessibilityElement = true
        view.accessibilityCustomActions = ["Delete", "Pin"].map { name in
            UIAccessibilityCustomAction(name: name) { action in
                calls.append(action.name)
                return true
            }
        }
        let page = page()
        #expect(page.elements["\(view.nodeID).action1"]?.text == "Pin")
        page.tap("\(view.nodeID).action1")
        page.tap("\(view.nodeID).action0")
        page.tap("\(view.nodeID).action2")
        #expect(calls == ["Pin", "Delete"])
        view.accessibilityCustomActions = nil
        page.screen.drawIfNeeded()
        #expect(page.elements["\(view.nodeID).action1"] == nil)
    }

    @Test("is read aloud where the app asks for that, and gets the focus where something is new")
    func notifications() {
        view.isAccessibilityElement = true
        let page = page()
        page.tap(view.nodeID)
        UIAccessibility.post(notification: .announcement, argument: "Saved")
        UIAccessibility.post(notification: .layoutChanged, argument: NSAttributedString(string: "Two results"))
        #expect(page.announced == ["Saved", "Two results"])
        UIAccessibility.post(notification: .announcement, argument: view)
        #expect(attributes(in: page)["data-focus"] == nil)
        UIAccessibility.post(notification: .screenChanged, argument: view)
        #expect(attributes(in: page)["data-focus"] == "1:1" && attributes(in: page)["tabindex"] == "-1")
    }
}
