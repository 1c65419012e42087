import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("More contrast")
struct ContrastTests {
    private let high = UITraitCollection(accessibilityContrast: .high)

    @Test("gives the colours of the system other values, on light and on dark")
    func values() {
        let blue = UIColor(red: 0, green: 64 / 255, blue: 221 / 255, alpha: 1)
        #expect(UIColor.systemBlue.resolvedColor(with: high) == blue)
        var dark = high
        dark.userInterfaceStyle = .dark
        #expect(UIColor.systemGray.resolvedColor(with: dark).cgColor.css == "rgb(174 174 178)")
        #expect(UIColor.secondaryLabel.resolvedColor(with: high).cgColor.alpha == 0.8)
        let red = UIColor.systemRed.withAlphaComponent(0.5)
        #expect(red.resolvedColor(with: high).cgColor.css == "rgb(215 0 21 / 0.5)")
        #expect(UIColor.systemBlue.resolvedColor(with: UITraitCollection()).cgColor.css == "rgb(0 122 255)")
        #expect(UIColor.white.resolvedColor(with: high) == UIColor.white)
        #expect(high.hasDifferentColorAppearance(comparedTo: UITraitCollection()))
    }

    @Test("is asked for by colours of the app's own")
    func dynamic() {
        let color = UIColor { traits in
            traits.accessibilityContrast == .high ? .systemBlue : .white
        }
        #expect(color.resolvedColor(with: high).cgColor.css == "rgb(0 64 221)")
        #expect(color.resolvedColor(with: UITraitCollection()).cgColor.css == "rgb(255 255 255)")
        #expect(color != UIColor.white)
    }

    @Test("comes from the browser, with a notification and a new drawing")
    func browser() throws {
        let controller = UIViewController()
        controller.view.backgroundColor = .systemGreen
        let page = Page { controller }
        let id = controller.view.nodeID
        #expect(page.elements[id]?.style["background-color"] == "light-dark(rgb(52 199 89), rgb(48 209 88))")
        var notes = 0
        let name = UIAccessibility.darkerSystemColorsStatusDidChangeNotification
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
            MainActor.assumeIsolated { notes += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let environment = #"{"width":390,"height":844,"scale":2,"contrast":true}"#
        page.screen.receive(Data(#"{"environment":\#(environment),"events":[]}"#.utf8))
        #expect(page.elements[id]?.style["background-color"] == "light-dark(rgb(36 138 61), rgb(48 219 91))")
        #expect(UIAccessibility.isDarkerSystemColorsEnabled)
        #expect(controller.traitCollection.accessibilityContrast == .high)
        page.screen.receive(Data(#"{"environment":\#(environment),"events":[]}"#.utf8))
        #expect(notes == 1)
        page.screen.change(to: BrowserEnvironment())
        #expect(notes == 2 && !UIAccessibility.isDarkerSystemColorsEnabled)
    }
}

@MainActor
@Suite("Parts of views that are no views")
struct AccessibilityElementTests {
    private final class Chart: UIView {
        var taps = 0
    }

    private final class Bar: UIAccessibilityElement {
        var isDone = false
        var uses = 0

        override func accessibilityActivate() -> Bool {
            uses += 1
            return isDone
        }
    }

    @Test("are read in place of what the view shows, at their places")
    func drawing() throws {
        let (chart, label, legend) = (Chart(), UILabel(), UILabel())
        (label.text, legend.text) = ("12", "Sales")
        chart.addSubview(label)
        chart.addSubview(legend)
        let bar = UIAccessibilityElement(accessibilityContainer: chart)
        (bar.accessibilityLabel, bar.accessibilityValue, bar.accessibilityHint) = ("May", "12", "Shows days")
        bar.accessibilityTraits = [.button]
        bar.accessibilityFrameInContainerSpace = CGRect(x: 1, y: 2, width: 3, height: 4)
        chart.accessibilityElements = [bar, legend]
        let controller = UIViewController()
        controller.view.addSubview(chart)
        let page = Page { controller }
        let id = "\(chart.nodeID).element0"
        let element = try #require(page.elements[id])
        #expect(element.text == "May, 12" && element.attributes["role"] == "button")
        #expect(element.attributes["aria-description"] == "Shows days" && element.attributes["tabindex"] == "0")
        #expect(element.style["left"] == "1px" && element.style["height"] == "4px")
        #expect(page.elements[label.nodeID]?.attributes["aria-hidden"] == "true")
        #expect(page.elements[legend.nodeID]?.attributes["aria-hidden"] == nil)
        #expect(bar.next === chart)
        bar.accessibilityTraits = .header
        bar.accessibilityLabel = "June"
        page.screen.drawIfNeeded()
        #expect(page.elements[id]?.text == "June, 12" && page.elements[id]?.attributes["role"] == "heading")
        bar.isAccessibilityElement = false
        page.screen.drawIfNeeded()
        #expect(page.elements[id] == nil)
        chart.accessibilityElements = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[label.nodeID]?.attributes["aria-hidden"] ?? nil == nil)
    }

    private final class Dial: UIAccessibilityElement {
        var level = 0

        override func accessibilityIncrement() { level += 1 }
        override func accessibilityDecrement() { level -= 1 }
    }

    @Test("do their own actions, and are made greater and smaller where they say that they can be")
    func actions() throws {
        let (chart, controller) = (Chart(), UIViewController())
        let dial = Dial(accessibilityContainer: chart)
        dial.accessibilityCustomActions = [
            UIAccessibilityCustomAction(name: "Reset") { _ in
                dial.level = 10
                return true
            }
        ]
        chart.accessibilityElements = [dial]
        controller.view.addSubview(chart)
        let page = Page { controller }
        let id = "\(chart.nodeID).element0"
        #expect(page.elements["\(id).action0"]?.text == "Reset" && page.elements["\(id).increment"] == nil)
        page.tap("\(id).increment")
        #expect(dial.level == 0)
        dial.accessibilityTraits = .adjustable
        page.screen.drawIfNeeded()
        #expect(page.elements["\(id).increment"]?.text == "Increment")
        let parts = ["", ".action0", ".increment", ".decrement"]
        #expect(page.elements[chart.nodeID]?.children == parts.map { id + $0 })
        page.tap("\(id).action0")
        page.tap("\(id).increment")
        page.tap("\(id).increment")
        page.tap("\(id).decrement")
        page.tap("\(id).action7")
        #expect(dial.level == 11)
        dial.accessibilityTraits.insert(.notEnabled)
        page.tap("\(id).increment")
        page.tap("\(id).action0")
        page.screen.drawIfNeeded()
        #expect(dial.level == 11 && page.elements["\(id).action0"] == nil)
    }

    @Test("that are images have a name, since what is in an image is not read")
    func images() throws {
        let (chart, view, controller) = (Chart(), UIImageView(), UIViewController())
        let element = UIAccessibilityElement(accessibilityContainer: chart)
        (element.accessibilityLabel, element.accessibilityTraits) = ("Sales by month", .image)
        chart.accessibilityElements = [element]
        (view.isAccessibilityElement, view.accessibilityLabel) = (true, "Map")
        controller.view.addSubview(chart)
        controller.view.addSubview(view)
        let page = Page { controller }
        let part = try #require(page.elements["\(chart.nodeID).element0"])
        #expect(part.attributes["role"] == "img" && part.attributes["aria-label"] == "Sales by month")
        #expect(part.text.isEmpty)
        let shown = try #require(page.elements[view.nodeID])
        #expect(shown.attributes["role"] == "img" && shown.attributes["aria-label"] == "Map")
        element.accessibilityTraits = .header
        page.screen.drawIfNeeded()
        #expect(page.elements["\(chart.nodeID).element0"]?.text == "Sales by month")
        #expect(page.elements["\(chart.nodeID).element0"]?.attributes["aria-label"] ?? nil == nil)
    }

    private final class Gauge: UIView {
        var level = 1

        override var accessibilityLabel: String? {
            get { "Level" }
            set {}
        }
        override var accessibilityValue: String? {
            get { "\(level)" }
            set {}
        }
        override var accessibilityTraits: UIAccessibilityTraits {
            get { [.header, .notEnabled] }
            set {}
        }
        override var accessibilityCustomActions: [UIAccessibilityCustomAction]? {
            get { [UIAccessibilityCustomAction(name: "Reset") { _ in self.reset() }] }
            set {}
        }
        override var accessibilityElements: [Any]? {
            get { subviews.prefix(1).map { $0 } }
            set {}
        }

        private func reset() -> Bool {
            level = 0
            return true
        }
    }

    @Test("A view's class can say itself what it is, and what is read of it")
    func overrides() throws {
        let (gauge, controller) = (Gauge(), UIViewController())
        gauge.isAccessibilityElement = true
        for _ in 1...2 { gauge.addSubview(UILabel()) }
        controller.view.addSubview(gauge)
        let page = Page { controller }
        let element = try #require(page.elements[gauge.nodeID])
        #expect(element.attributes["aria-label"] == "Level, 1" && element.attributes["role"] == "heading")
        #expect(element.attributes["aria-disabled"] == "true")
        #expect(page.elements["\(gauge.nodeID).action0"]?.text == "Reset")
        page.tap("\(gauge.nodeID).action0")
        gauge.setNeedsDisplay()
        page.screen.drawIfNeeded()
        #expect(gauge.level == 0 && page.elements[gauge.nodeID]?.attributes["aria-label"] == "Level, 0")
        gauge.isAccessibilityElement = false
        page.screen.drawIfNeeded()
        let hidden = gauge.subviews.map { page.elements[$0.nodeID]?.attributes["aria-hidden"] }
        #expect(hidden == [nil, "true"])
    }

    @Test("and views themselves say that they are chosen, as long as they are")
    func selected() {
        let (row, chart, controller) = (UIControl(), Chart(), UIViewController())
        row.isAccessibilityElement = true
        let bar = UIAccessibilityElement(accessibilityContainer: chart)
        chart.accessibilityElements = [bar]
        for view in [row, chart] { controller.view.addSubview(view) }
        let page = Page { controller }
        let ids = [row.nodeID, "\(chart.nodeID).element0"]
        for (traits, value) in [(UIAccessibilityTraits.button, nil), ([.button, .selected], "true"), (.button, nil)] {
            (row.accessibilityTraits, bar.accessibilityTraits) = (traits, traits)
            page.screen.drawIfNeeded()
            #expect(ids.map { page.elements[$0]?.attributes["aria-current"] } == [value, value])
        }
    }

    @Test("are used by themselves, or give the view a tap")
    func activation() {
        @MainActor
        final class Counter {
            var taps = 0
            func tapped() { taps += 1 }
        }
        let (chart, counter) = (Chart(), Counter())
        chart.addGestureRecognizer(UITapGestureRecognizer(target: counter, action: Counter.tapped))
        let bar = Bar(accessibilityContainer: chart)
        bar.accessibilityTraits = .link
        chart.accessibilityElements = [bar]
        let controller = UIViewController()
        controller.view.addSubview(chart)
        let page = Page { controller }
        page.tap("\(chart.nodeID).element0")
        #expect(bar.uses == 1 && counter.taps == 1)
        bar.isDone = true
        page.tap("\(chart.nodeID).element0")
        #expect(bar.uses == 2 && counter.taps == 1)
        bar.accessibilityTraits.insert(.notEnabled)
        page.tap("\(chart.nodeID).element0")
        page.tap("\(chart.nodeID).element9")
        #expect(bar.uses == 2 && counter.taps == 1)
    }
}
