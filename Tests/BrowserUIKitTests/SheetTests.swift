import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Sheets")
struct SheetTests {
    private let root = UIViewController()
    private let shown = UIViewController()
    private let page: Page

    init() {
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        let root = root
        page = Page(environment) { root }
    }

    private var sheet: UISheetPresentationController { shown.sheet }
    private var element: Page.Element? { page.elements[shown.view.nodeID] }
    private var classes: [Substring] { element?.attributes["class"]?.split(separator: " ") ?? [] }
    private var grabber: String { "\(page.screen.window.nodeID).grabber1" }

    private func present() {
        root.present(shown, animated: true)
        page.screen.drawIfNeeded()
    }

    @Test("are large by themselves, and there are none for other styles")
    func large() {
        present()
        #expect(classes.contains("sheet") && !classes.contains("resting") && element?.style["height"] == nil)
        #expect(element?.attributes["aria-modal"] == "true" && page.elements(class: "shade").count == 1)
        #expect(page.elements[grabber] == nil && shown.presentationController === sheet)
        #expect(sheet.presentedViewController === shown && sheet.presentingViewController === root)
        shown.modalPresentationStyle = .fullScreen
        #expect(shown.sheetPresentationController == nil && shown.presentationController == nil)
    }

    @Test("rest at the smallest of their heights, or at the one that is chosen")
    func heights() {
        sheet.detents = [.medium(), .large()]
        sheet.preferredCornerRadius = 24
        present()
        #expect(element?.style["height"] == "422px" && element?.style["--corner"] == "24px")
        #expect(element?.style["transition"] == nil)
        sheet.animateChanges { sheet.selectedDetentIdentifier = .large }
        page.screen.drawIfNeeded()
        #expect(element?.style["height"] == "790px" && element?.style["transition"]?.hasPrefix("height") == true)
        sheet.selectedDetentIdentifier = UISheetPresentationController.Detent.Identifier("unknown")
        page.screen.drawIfNeeded()
        #expect(element?.style["height"] == "422px" && element?.style["transition"] ?? nil == nil)
    }

    @Test("take heights by the app's own rules, within the screen")
    func custom() {
        let small = UISheetPresentationController.Detent.Identifier("small")
        var height: CGFloat? = 200
        sheet.detents = [
            .custom(identifier: small) { _ in height }, .custom { $0.maximumDetentValue * 2 }, .custom { _ in nil },
        ]
        sheet.selectedDetentIdentifier = small
        present()
        #expect(element?.style["height"] == "234px")
        height = .nan
        sheet.invalidateDetents()
        page.screen.drawIfNeeded()
        #expect(element?.style["height"] == "790px")
        #expect(sheet.detents[1].identifier != sheet.detents[2].identifier)
    }

    @Test("have no half on a low screen")
    func low() {
        var environment = BrowserEnvironment()
        (environment.width, environment.height) = (844, 390)
        sheet.detents = [.medium(), .large()]
        present()
        page.screen.change(to: environment)
        page.screen.drawIfNeeded()
        #expect(element?.style["height"] ?? nil == nil && !classes.contains("resting"))
    }

    @MainActor
    private final class Delegate: NSObject, UISheetPresentationControllerDelegate {
        var chosen: [String?] = []

        var calls: [String] = []
        var isAllowed = true

        func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool {
            calls.append("should")
            return isAllowed
        }

        func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
            calls.append("will")
        }

        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            calls.append("did")
        }

        func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {
            calls.append("attempt")
        }

        func sheetPresentationControllerDidChangeSelectedDetentIdentifier(_ sheet: UISheetPresentationController) {
            chosen.append(sheet.selectedDetentIdentifier?.rawValue)
        }
    }

    @Test("go to the next height by their grabber, and say so")
    func grab() {
        let delegate = Delegate()
        sheet.delegate = delegate
        sheet.prefersGrabberVisible = true
        present()
        #expect(page.elements[grabber]?.attributes["disabled"] != nil)
        sheet.detents = [.medium(), .large()]
        page.screen.drawIfNeeded()
        #expect(page.elements[grabber]?.attributes["aria-label"] == "Sheet grabber")
        page.tap(grabber)
        #expect(sheet.selectedDetentIdentifier == .large && element?.style["height"] == "790px")
        page.tap(grabber)
        #expect(delegate.chosen == ["com.apple.UIKit.large", "com.apple.UIKit.medium"])
        page.tap("\(page.screen.window.nodeID).grabber7")
        #expect(delegate.chosen.count == 2)
    }

    /// Lets go of the sheet, which reaches so far from the bottom.
    private func release(at height: CGFloat, velocity: CGFloat = 0, sheet: Int = 1) {
        let id = "\(page.screen.window.nodeID).sheet\(sheet)"
        page.report(#"{"i":"\#(id)","k":"release","h":\#(height),"v":\#(velocity)}"#)
        page.screen.drawIfNeeded()
    }

    @Test("go where they are dragged or thrown: to the nearest of their heights")
    func drag() {
        let delegate = Delegate()
        sheet.delegate = delegate
        sheet.detents = [.medium(), .large()]
        present()
        #expect(element?.attributes["data-sheet"] == "\(page.screen.window.nodeID).sheet1")
        #expect(element?.attributes["data-releases"] == "0")
        release(at: 500)
        #expect(sheet.selectedDetentIdentifier == nil && element?.attributes["data-releases"] == "1")
        #expect(element?.style["transition"]?.contains("translate") == true)
        release(at: 700)
        #expect(element?.style["height"] == "790px")
        release(at: 700, velocity: -1_000)
        #expect(element?.style["height"] == "422px")
        #expect(delegate.chosen == ["com.apple.UIKit.large", "com.apple.UIKit.medium"])
        #expect(delegate.calls.isEmpty && root.presentedViewController === shown)
    }

    @Test("are dismissed where they are dragged down, unless controller or delegate refuse")
    func dismissal() {
        let (delegate, inner) = (Delegate(), UIViewController())
        sheet.delegate = delegate
        shown.addChild(inner)
        present()
        inner.isModalInPresentation = true
        release(at: 100)
        #expect(delegate.calls == ["attempt"] && element?.attributes["data-releases"] == "1")
        inner.isModalInPresentation = false
        delegate.isAllowed = false
        release(at: 100)
        #expect(delegate.calls == ["attempt", "should", "attempt"] && root.presentedViewController === shown)
        delegate.isAllowed = true
        release(at: 100, sheet: 0)
        release(at: 100, sheet: 7)
        release(at: 700)
        #expect(delegate.calls.count == 3)
        release(at: 700, velocity: -5_000)
        #expect(Array(delegate.calls.dropFirst(3)) == ["should", "will", "did"])
        #expect(root.presentedViewController == nil && element == nil)
        let bad = Data(#"{"events":[{"i":"v0.sheet1","k":"release","h":1}]}"#.utf8)
        #expect(!page.screen.receive(bad))
    }

    /// Taps beside the sheet, as the page reports it.
    private func tapBeside(sheet: Int = 1) {
        page.tap("\(page.screen.window.nodeID).beside\(sheet)")
        page.screen.drawIfNeeded()
    }

    @Test("are dismissed by a tap beside them, unless controller or delegate refuse")
    func beside() {
        let delegate = Delegate()
        sheet.delegate = delegate
        present()
        let layer = page.elements["\(page.screen.window.nodeID).layer1"]
        #expect(layer?.attributes["data-beside"] == "\(page.screen.window.nodeID).beside1")
        #expect(layer?.children == [shown.view.nodeID])
        shown.isModalInPresentation = true
        tapBeside()
        shown.isModalInPresentation = false
        delegate.isAllowed = false
        tapBeside()
        #expect(delegate.calls == ["attempt", "should", "attempt"] && root.presentedViewController === shown)
        delegate.isAllowed = true
        tapBeside(sheet: 0)
        tapBeside(sheet: 7)
        #expect(delegate.calls.count == 3)
        tapBeside()
        #expect(Array(delegate.calls.dropFirst(3)) == ["should", "will", "did"])
        #expect(root.presentedViewController == nil && element == nil)
    }

    @Test("aren't dismissed by a tap beside them under another one, undimmed, or where they are no sheets")
    func besideNothing() {
        present()
        shown.present(UIViewController(), animated: false)
        page.screen.drawIfNeeded()
        tapBeside()
        #expect(root.presentedViewController === shown && shown.presentedViewController != nil)
        tapBeside(sheet: 2)
        #expect(root.presentedViewController === shown && shown.presentedViewController == nil)
        sheet.largestUndimmedDetentIdentifier = .large
        page.screen.drawIfNeeded()
        #expect(page.elements["\(page.screen.window.nodeID).layer1"]?.attributes["data-beside"] ?? nil == nil)
        tapBeside()
        #expect(root.presentedViewController === shown)
        root.dismiss(animated: false)
        shown.modalPresentationStyle = .fullScreen
        present()
        tapBeside()
        #expect(root.presentedViewController === shown)
    }

    @Test("stay where they are while something else is presented over them")
    func covered() {
        present()
        shown.present(UIViewController(), animated: false)
        page.screen.drawIfNeeded()
        release(at: 100)
        #expect(root.presentedViewController === shown && shown.presentedViewController != nil)
    }

    @Test("leave what is behind them to the user up to a height")
    func undimmed() {
        sheet.detents = [.medium(), .large()]
        sheet.largestUndimmedDetentIdentifier = .medium
        present()
        #expect(page.elements(class: "undimmed").count == 1 && page.elements(class: "shade").isEmpty)
        #expect(element?.attributes["aria-modal"] == nil && element?.attributes["role"] == "dialog")
        sheet.selectedDetentIdentifier = .large
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "undimmed").isEmpty && element?.attributes["aria-modal"] == "true")
    }
}
