import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Indicators and switches")
struct IndicatorTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func classes(_ view: UIView, in page: Page) -> Set<Substring> {
        Set(page.elements[view.nodeID]?.attributes["class"]?.split(separator: " ") ?? [])
    }

    @Test("A bar shows the part that has come, which is never less than nothing and never more than all")
    func progress() {
        let bar = UIProgressView(progressViewStyle: .default)
        let page = page(bar)
        #expect(page.elements["\(bar.nodeID).fill"]?.style["width"] == "0%")
        bar.progress = 0.25
        page.screen.drawIfNeeded()
        #expect(page.elements["\(bar.nodeID).fill"]?.style["width"] == "25%")
        bar.progress = 7
        #expect(bar.progress == 1)
        bar.progress = -1
        #expect(bar.progress == 0)
        bar.setProgress(2, animated: true)
        #expect(bar.progress == 1)
        page.screen.drawIfNeeded()
        #expect(page.elements["\(bar.nodeID).fill"]?.style["width"] == "100%")
        #expect(page.elements[bar.nodeID]?.attributes["role"] == "progressbar")
    }

    @Test("A bar has the colour that was set for it, and no track at the edge of another bar")
    func bars() {
        let bar = UIProgressView(progressViewStyle: .bar)
        let page = page(bar)
        #expect(classes(bar, in: page).isSuperset(of: ["progress", "bar"]))
        bar.progressTintColor = .red
        bar.progressViewStyle = .default
        page.screen.drawIfNeeded()
        #expect(page.elements["\(bar.nodeID).fill"]?.style["background-color"] == UIColor.red.css)
        #expect(!classes(bar, in: page).contains("bar"))
    }

    @Test("A wheel that has stopped is hidden, unless it is to be seen at rest")
    func wheels() {
        let wheel = UIActivityIndicatorView(style: .large)
        let page = page(wheel)
        #expect(!wheel.isAnimating && wheel.hidesWhenStopped)
        #expect(classes(wheel, in: page).isSuperset(of: ["spinner", "large", "stopped"]))
        wheel.startAnimating()
        page.screen.drawIfNeeded()
        #expect(wheel.isAnimating && classes(wheel, in: page).isDisjoint(with: ["stopped", "paused"]))
        wheel.stopAnimating()
        wheel.hidesWhenStopped = false
        wheel.style = .medium
        page.screen.drawIfNeeded()
        #expect(classes(wheel, in: page).contains("paused") && !classes(wheel, in: page).contains("large"))
    }

    @Test("A switch that is tapped changes, and tells of that; one that the app sets does not tell")
    func switches() {
        let control = UISwitch()
        var values: [Bool] = []
        control.addAction(UIAction { values.append(($0.sender as? UISwitch)?.isOn == true) }, for: .valueChanged)
        let page = page(control)
        #expect(page.elements[control.nodeID]?.attributes["aria-checked"] == "false")
        page.tap(control.nodeID)
        #expect(values == [true] && page.elements[control.nodeID]?.attributes["aria-checked"] == "true")
        control.setOn(false, animated: true)
        page.screen.drawIfNeeded()
        #expect(values == [true] && page.elements[control.nodeID]?.attributes["aria-checked"] == "false")
    }

    @Test("A switch that can't be used says so, and takes no taps")
    func disabledSwitch() {
        let control = UISwitch()
        control.isEnabled = false
        let page = page(control)
        #expect(page.elements[control.nodeID]?.attributes["disabled"] != nil)
        #expect(page.elements[control.nodeID]?.attributes["data-tap"] == nil)
        page.tap(control.nodeID)
        #expect(!control.isOn)
        control.isEnabled = true
        page.screen.drawIfNeeded()
        #expect(page.elements[control.nodeID]?.attributes["data-tap"] != nil)
        page.tap(control.nodeID)
        #expect(control.isOn)
    }

    @Test("A switch tells the page of the colour that it has while it is on")
    func colours() {
        let control = UISwitch()
        control.isOn = true
        let page = page(control)
        #expect(page.elements[control.nodeID]?.style["--on"] == nil)
        control.onTintColor = .red
        page.screen.drawIfNeeded()
        #expect(page.elements[control.nodeID]?.style["--on"] == UIColor.red.css)
        #expect(classes(control, in: page).isSuperset(of: ["switch", "on"]))
        control.isOn = false
        page.screen.drawIfNeeded()
        #expect(!classes(control, in: page).contains("on"))
    }
}
