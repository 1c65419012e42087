import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The values of controls")
struct ControlValueTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    /// Reports what the user has chosen in an element of the page, or is about to.
    private func choose(_ text: String, in view: UIView, on page: Page, isFinal: Bool = true) {
        page.report(#"{"i":"\#(view.nodeID)","k":"text","t":"\#(text)","f":\#(isFinal)}"#)
    }

    private func attribute(_ name: String, of view: UIView, part: String = "", on page: Page) -> String? {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID + part]?.attributes[name]
    }

    // MARK: Sliders and steppers

    @Test("A slider tells of each step of a move, or of its end alone")
    func continuousSlider() {
        let slider = UISlider()
        var values: [Float] = []
        slider.addAction(UIAction { _ in values.append(slider.value) }, for: .valueChanged)
        let page = page(slider)
        choose("0.25", in: slider, on: page, isFinal: false)
        choose("0.5", in: slider, on: page, isFinal: false)
        choose("0.5", in: slider, on: page)
        #expect(values == [0.25, 0.5])
        slider.isContinuous = false
        choose("0.75", in: slider, on: page, isFinal: false)
        #expect(slider.value == 0.75 && values.count == 2)
        choose("1", in: slider, on: page)
        #expect(values == [0.25, 0.5, 1])
        slider.isEnabled = false
        choose("0", in: slider, on: page)
        #expect(slider.value == 1 && values.count == 3)
    }

    @Test("A slider that the app moves tells nobody, and has the page follow")
    func appMovesSlider() {
        let slider = UISlider()
        var changes = 0
        slider.addAction(UIAction { _ in changes += 1 }, for: .allEvents)
        let page = page(slider)
        #expect(attribute("data-value", of: slider, on: page) == "0:0.0")
        choose("0.25", in: slider, on: page)
        #expect(attribute("data-value", of: slider, on: page) == "0:0.25")
        changes = 0
        slider.setValue(0.5, animated: true)
        #expect(attribute("data-value", of: slider, on: page) == "1:0.5" && changes == 0)
        slider.minimumTrackTintColor = .red
        page.screen.drawIfNeeded()
        #expect(page.elements[slider.nodeID]?.style["accent-color"] == UIColor.red.css)
    }

    @Test("A stepper takes steps of its own size, the last one as far as there is room")
    func stepSize() {
        let stepper = UIStepper()
        stepper.stepValue = 30
        stepper.value = 50
        var values: [Double] = []
        stepper.addAction(UIAction { _ in values.append(stepper.value) }, for: .valueChanged)
        let page = page(stepper)
        for part in ["plus", "plus", "plus", "minus", "other"] { page.tap("\(stepper.nodeID).\(part)") }
        #expect(values == [80, 100, 70])
        stepper.value = 0
        #expect(values.count == 3 && attribute("disabled", of: stepper, part: ".minus", on: page) != nil)
        #expect(attribute("data-tap", of: stepper, part: ".plus", on: page) != nil)
        stepper.isEnabled = false
        page.screen.drawIfNeeded()
        page.tap("\(stepper.nodeID).plus")
        #expect(stepper.value == 0 && attribute("disabled", of: stepper, part: ".plus", on: page) != nil)
    }

    // MARK: Pages and segments

    @Test("The dots of a page control have its colours, and say which page they are")
    func dots() {
        let control = UIPageControl()
        control.numberOfPages = 3
        control.currentPage = 1
        control.currentPageIndicatorTintColor = .red
        control.pageIndicatorTintColor = .blue
        let page = page(control)
        let colors = (0..<3).map { page.elements["\(control.nodeID).page\($0)"]?.style["--dot"] }
        #expect(colors == [UIColor.blue.css, UIColor.red.css, UIColor.blue.css])
        #expect(attribute("aria-label", of: control, part: ".page2", on: page) == "3 / 3")
        #expect(attribute("aria-current", of: control, part: ".page1", on: page) == "true")
        control.currentPage = 2
        #expect(attribute("aria-current", of: control, part: ".page1", on: page) == nil)
        #expect(attribute("aria-current", of: control, part: ".page2", on: page) == "true")
        control.isEnabled = false
        page.screen.drawIfNeeded()
        page.tap("\(control.nodeID).page0")
        #expect(control.currentPage == 2)
    }

    @Test("Fewer pages keep the current one among them")
    func fewerPages() {
        let control = UIPageControl()
        control.currentPage = 4
        #expect(control.currentPage == 0)
        control.numberOfPages = 5
        control.currentPage = 4
        control.numberOfPages = 2
        #expect(control.currentPage == 1)
        control.currentPage = -3
        #expect(control.currentPage == 0)
    }

    @Test("Segments have titles, which can be changed where there are any")
    func segmentTitles() {
        let control = UISegmentedControl(items: ["Day", 7, "Week"])
        #expect(control.numberOfSegments == 2 && control.titleForSegment(at: 1) == "Week")
        #expect(control.titleForSegment(at: 2) == nil && control.titleForSegment(at: -1) == nil)
        control.setTitle("Month", forSegmentAt: 1)
        control.setTitle("Year", forSegmentAt: 2)
        let page = page(control)
        #expect(page.elements(class: "segment").map(\.text).sorted() == ["Day", "Month"])
        control.setTitle(nil, forSegmentAt: 0)
        #expect(control.titleForSegment(at: 0) == "" && UISegmentedControl(items: nil).numberOfSegments == 0)
    }

    @Test("A segment that the app takes, or none, is shown and told to nobody")
    func appTakesSegment() {
        let control = UISegmentedControl(items: ["Day", "Week"])
        var changes = 0
        control.addAction(UIAction { _ in changes += 1 }, for: .valueChanged)
        let page = page(control)
        control.selectedSegmentIndex = 1
        #expect(attribute("aria-checked", of: control, part: ".segment1", on: page) == "true")
        control.selectedSegmentIndex = UISegmentedControl.noSegment
        #expect(attribute("aria-checked", of: control, part: ".segment1", on: page) == "false")
        control.isEnabled = false
        page.screen.drawIfNeeded()
        page.tap("\(control.nodeID).segment0")
        #expect(changes == 0 && control.selectedSegmentIndex == -1)
    }

    // MARK: Refreshing

    @Test("A refresh control tells of a pull once, until the app says that the content is there")
    func refresh() {
        let (scroll, refresh) = (UIScrollView(), UIRefreshControl())
        scroll.refreshControl = refresh
        var pulls = 0
        refresh.addAction(UIAction { _ in pulls += 1 }, for: .valueChanged)
        let page = page(scroll)
        let pull = #"{"i":"\#(refresh.nodeID)","k":"refresh"}"#
        page.report(pull)
        page.report(pull)
        #expect(pulls == 1 && refresh.isRefreshing)
        #expect(attribute("aria-busy", of: refresh, on: page) == "true")
        #expect(attribute("class", of: refresh, on: page)?.hasSuffix("refresh active") == true)
        refresh.endRefreshing()
        #expect(attribute("aria-busy", of: refresh, on: page) == "false")
        page.report(pull)
        #expect(pulls == 2)
    }

    @Test("A refresh that the app begins is shown, and told to nobody")
    func appRefreshes() {
        let (scroll, refresh) = (UIScrollView(), UIRefreshControl())
        scroll.refreshControl = refresh
        var pulls = 0
        refresh.addAction(UIAction { _ in pulls += 1 }, for: .allEvents)
        let page = page(scroll)
        refresh.beginRefreshing()
        #expect(attribute("aria-busy", of: refresh, on: page) == "true" && pulls == 0)
        #expect(attribute("aria-label", of: refresh, on: page) == "Refresh")
        refresh.attributedTitle = NSAttributedString(string: "Looking for cards")
        #expect(attribute("aria-label", of: refresh, on: page) == "Looking for cards")
        page.tap(refresh.nodeID)
        #expect(pulls == 0)
        scroll.refreshControl = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[refresh.nodeID] == nil)
    }

    @Test("A refresh control shows its title below the wheel, with the looks that the app gives it")
    func titledRefresh() throws {
        let (scroll, refresh) = (UIScrollView(), UIRefreshControl())
        scroll.refreshControl = refresh
        let page = page(scroll)
        #expect(page.elements[refresh.nodeID]?.children.count == 1)
        refresh.attributedTitle = NSAttributedString(
            string: "Looking for cards",
            attributes: [.foregroundColor: UIColor.red]
        )
        page.screen.drawIfNeeded()
        #expect(attribute("class", of: refresh, on: page)?.hasSuffix("refresh titled") == true)
        let title = try #require(page.elements[refresh.nodeID]?.children.last)
        let run = try #require(page.elements[title]?.children.first)
        #expect(page.elements[run]?.text == "Looking for cards")
        #expect(page.elements[run]?.style["color"] == UIColor.red.css)
        refresh.attributedTitle = NSAttributedString(string: "Updated just now")
        page.screen.drawIfNeeded()
        #expect(page.elements[title]?.text == "Updated just now")
        refresh.attributedTitle = NSAttributedString(string: "")
        page.screen.drawIfNeeded()
        #expect(page.elements[refresh.nodeID]?.children.count == 1 && page.elements[title] == nil)
    }

    // MARK: Dates

    /// A picker in UTC, which shows 14 November 2023, 22:13.
    private func picker(_ mode: UIDatePicker.Mode) -> UIDatePicker {
        let picker = UIDatePicker()
        picker.datePickerMode = mode
        picker.timeZone = TimeZone(identifier: "UTC")
        picker.date = Date(timeIntervalSince1970: 1_699_999_980)
        return picker
    }

    @Test("A picker of times keeps the day, and one of both takes both")
    func modes() {
        let times = picker(.time)
        let timesPage = page(times)
        #expect(attribute("type", of: times, on: timesPage) == "time")
        #expect(attribute("data-value", of: times, on: timesPage)?.hasSuffix(":22:13") == true)
        choose("08:05", in: times, on: timesPage)
        #expect(times.date == Date(timeIntervalSince1970: 1_699_949_100))
        let both = picker(.dateAndTime)
        let bothPage = page(both)
        #expect(attribute("type", of: both, on: bothPage) == "datetime-local")
        #expect(attribute("data-value", of: both, on: bothPage)?.hasSuffix(":2023-11-14T22:13") == true)
        choose("2023-11-15T00:30", in: both, on: bothPage)
        #expect(both.date == Date(timeIntervalSince1970: 1_700_008_200))
    }

    @Test("A date that the app sets is shown, and told to nobody")
    func appSetsDate() {
        let picker = picker(.date)
        var changes = 0
        picker.addAction(UIAction { _ in changes += 1 }, for: .valueChanged)
        let page = page(picker)
        picker.setDate(Date(timeIntervalSince1970: 1_709_164_800), animated: true)
        #expect(attribute("data-value", of: picker, on: page)?.hasSuffix(":2024-02-29") == true && changes == 0)
        choose("2024-03-01", in: picker, on: page)
        choose("2024-03-01", in: picker, on: page)
        #expect(changes == 1)
        picker.isEnabled = false
        choose("2024-03-02", in: picker, on: page)
        #expect(changes == 1 && picker.date == Date(timeIntervalSince1970: 1_709_251_200))
    }

    @Test("A day outside of the limits becomes the nearest one inside")
    func limits() {
        let picker = picker(.date)
        picker.minimumDate = Date(timeIntervalSince1970: 1_699_920_000)
        picker.maximumDate = Date(timeIntervalSince1970: 1_700_092_800)
        let page = page(picker)
        #expect(attribute("min", of: picker, on: page) == "2023-11-14")
        #expect(attribute("max", of: picker, on: page) == "2023-11-16")
        choose("2023-01-01", in: picker, on: page)
        #expect(picker.date == picker.minimumDate)
        choose("2024-01-01", in: picker, on: page)
        #expect(picker.date == picker.maximumDate)
    }

    @Test("Limits that exclude each other don't count")
    func excludingLimits() {
        let picker = picker(.dateAndTime)
        picker.minimumDate = Date(timeIntervalSince1970: 2_000_000_000)
        picker.maximumDate = Date(timeIntervalSince1970: 1_000_000_000)
        let page = page(picker)
        #expect(attribute("min", of: picker, on: page) == nil && attribute("max", of: picker, on: page) == nil)
        choose("2024-02-29T10:00", in: picker, on: page)
        #expect(picker.date == Date(timeIntervalSince1970: 1_709_200_800))
        picker.minimumDate = nil
        #expect(attribute("max", of: picker, on: page) == "2001-09-09T01:46")
    }

    @Test("The minutes between two choices are a part of an hour, or else one")
    func minutes() {
        let picker = picker(.time)
        let page = page(picker)
        for (minutes, step) in [(15, "900"), (30, "1800"), (20, "1200")] {
            picker.minuteInterval = minutes
            #expect(attribute("step", of: picker, on: page) == step)
        }
        for minutes in [1, 0, -5, 7, 45, 60] {
            picker.minuteInterval = minutes
            #expect(attribute("step", of: picker, on: page) == nil)
        }
        picker.minuteInterval = 15
        picker.datePickerMode = .date
        #expect(attribute("step", of: picker, on: page) == nil)
    }

    @Test("A duration is of whole minutes, and a day has room for it")
    func durations() {
        let picker = picker(.countDownTimer)
        var durations: [TimeInterval] = []
        picker.addAction(UIAction { _ in durations.append(picker.countDownDuration) }, for: .valueChanged)
        let page = page(picker)
        #expect(attribute("data-value", of: picker, on: page)?.hasSuffix(":00:01") == true)
        for text in ["02:30", "02:30", "24:00", "01:60", "x"] { choose(text, in: picker, on: page) }
        #expect(durations == [9_000])
        picker.countDownDuration = .infinity
        #expect(attribute("data-value", of: picker, on: page)?.hasSuffix(":00:01") == true)
        picker.countDownDuration = 1e9
        #expect(attribute("data-value", of: picker, on: page)?.hasSuffix(":23:59") == true)
    }
}
