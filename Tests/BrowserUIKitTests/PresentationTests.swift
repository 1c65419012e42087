import Foundation
import Testing

@testable import BrowserUIKit

/// Keeps what controllers are told.
@MainActor
private final class LifeNotes {
    private var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    /// Returns what was noted, and begins again.
    func read() -> [String] {
        defer { lines = [] }
        return lines
    }
}

private final class Followed: UIViewController {
    var log = LifeNotes()
    private let name: String

    init(_ name: String) {
        self.name = name
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewWillAppear(_ animated: Bool) { log.note("\(name) will appear") }
    override func viewDidAppear(_ animated: Bool) { log.note("\(name) did appear") }
    override func viewWillDisappear(_ animated: Bool) { log.note("\(name) will disappear") }
    override func viewDidDisappear(_ animated: Bool) { log.note("\(name) did disappear") }
}

@MainActor
@Suite("Controllers that are presented")
struct PresentationTests {
    /// Writes down when it appears and disappears, and why.
    private final class Noted: UIViewController {
        var log: [String] = []

        override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            log.append(isBeingPresented ? "presented" : "appears")
        }

        override func viewWillDisappear(_ animated: Bool) {
            super.viewWillDisappear(animated)
            log.append(isBeingDismissed ? "dismissed" : "leaves")
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            log.append("gone")
        }
    }

    private let root = UIViewController()
    private let page: Page

    init() {
        let root = root
        page = Page { root }
    }

    private func sheets() -> Int {
        page.screen.drawIfNeeded()
        return page.elements(class: "sheet").count
    }

    @Test("are sheets by themselves, as a page, a form or a popover, and cover the screen in every other style")
    func styles() {
        let styles: [(UIModalPresentationStyle, Bool)] = [
            (.automatic, true), (.pageSheet, true), (.formSheet, true), (.popover, true), (.fullScreen, false),
            (.overFullScreen, false), (.currentContext, false), (.overCurrentContext, false), (.custom, false),
        ]
        #expect(UIViewController().modalPresentationStyle == .automatic)
        for (style, isSheet) in styles {
            let controller = UIViewController()
            controller.modalPresentationStyle = style
            root.present(controller, animated: false)
            #expect(sheets() == (isSheet ? 1 : 0) && page.elements[controller.view.nodeID] != nil)
            #expect(controller.popoverPresentationController == nil)
            root.dismiss(animated: false)
            #expect(sheets() == 0)
        }
    }

    @Test("come by fading or turning over where they say so, and else from below")
    func transitions() {
        let controller = UIViewController()
        #expect(controller.modalTransitionStyle == .coverVertical && controller.transitionClass == nil)
        controller.modalTransitionStyle = .crossDissolve
        #expect(controller.transitionClass == "dissolve")
        controller.modalTransitionStyle = .flipHorizontal
        #expect(controller.transitionClass == "flip")
        controller.modalTransitionStyle = .partialCurl
        #expect(controller.transitionClass == nil)
    }

    @Test("know who presents them, and are known, until they are dismissed")
    func relatives() {
        let controller = UIViewController()
        var done: [String] = []
        root.present(controller, animated: true) { done.append("presented") }
        #expect(root.presentedViewController === controller && controller.presentingViewController === root)
        #expect(done == ["presented"])
        controller.dismiss(animated: true) { done.append("dismissed") }
        #expect(root.presentedViewController == nil && controller.presentingViewController == nil)
        #expect(done == ["presented", "dismissed"])
        root.dismiss(animated: true) { done.append("nothing") }
        #expect(done.last == "nothing" && page.elements[root.view.nodeID] != nil)
    }

    @Test("are told that they are presented and dismissed, each once")
    func life() {
        let controller = Noted()
        root.present(controller, animated: true)
        #expect(controller.log == ["presented"] && !controller.isBeingPresented)
        root.dismiss(animated: true)
        #expect(controller.log == ["presented", "dismissed", "gone"] && !controller.isBeingDismissed)
    }

    @Test("by one that has presented another are refused, as in UIKit, and the console says so")
    func refused() {
        let (first, second, child) = (UIViewController(), Noted(), UIViewController())
        let lines = written {
            root.present(first, animated: false)
            root.present(second, animated: false) { second.log.append("completed") }
            root.addChild(child)
            child.present(second, animated: false)
        }
        #expect(root.presentedViewController === first && first.presentedViewController == nil && sheets() == 1)
        #expect(second.log.isEmpty && second.presentingViewController == nil)
        let end = "which is already presenting \(first)."
        #expect(
            lines == [
                "Attempt to present \(second) on \(root) (from \(root)) \(end)",
                "Attempt to present \(second) on \(root) (from \(child)) \(end)",
            ]
        )
        first.present(second, animated: false)
        #expect(first.presentedViewController === second && second.presentingViewController === first)
        #expect(sheets() == 2)
        first.dismiss(animated: false)
        #expect(root.presentedViewController === first && first.presentedViewController == nil && sheets() == 1)
    }

    @Test("are refused where they are presented already, or are in a container, for which iOS ends the app")
    func active() {
        let (first, inner) = (UIViewController(), UIViewController())
        let lines = written {
            root.present(first, animated: false)
            first.present(first, animated: false)
            let navigation = UINavigationController(rootViewController: inner)
            first.present(inner, animated: false)
            #expect(inner.parent === navigation)
        }
        #expect(lines.count == 2 && first.presentedViewController == nil && inner.presentingViewController == nil)
    }

    private func written(_ body: () -> Void) -> [String] {
        let (before, kept) = (ConsoleLog.write, Lines())
        defer { ConsoleLog.write = before }
        ConsoleLog.write = { kept.all.append($0) }
        body()
        return kept.all
    }

    @MainActor
    private final class Lines {
        var all: [String] = []
    }

    @Test("entirely over another one take that off the screen, and let it come back after them")
    func covering() {
        let (behind, notes) = (Followed("behind"), Followed("front"))
        notes.log = behind.log
        let page = Page { behind }
        _ = behind.log.read()
        for style in [UIModalPresentationStyle.automatic, .overFullScreen] {
            notes.modalPresentationStyle = style
            behind.present(notes, animated: false)
            #expect(behind.log.read() == ["front will appear", "front did appear"])
            behind.dismiss(animated: false)
            #expect(behind.log.read() == ["front will disappear", "front did disappear"])
        }
        notes.modalPresentationStyle = .fullScreen
        behind.present(notes, animated: false)
        #expect(
            behind.log.read() == [
                "behind will disappear", "front will appear", "front did appear", "behind did disappear",
            ]
        )
        behind.dismiss(animated: false)
        #expect(
            behind.log.read() == [
                "front will disappear", "behind will appear", "behind did appear", "front did disappear",
            ]
        )
        behind.present(notes, animated: false)
        _ = behind.log.read()
        page.screen.close()
        #expect(behind.log.read() == ["front will disappear", "front did disappear"])
        behind.dismiss(animated: false)
        #expect(behind.log.read().isEmpty)
    }

    @Test("go with the one below them, and don't come back with it")
    func dismissedChain() {
        let (first, second) = (Noted(), Noted())
        root.present(first, animated: false)
        first.present(second, animated: false)
        #expect(sheets() == 2)
        root.dismiss(animated: false)
        #expect(sheets() == 0 && first.log.last == "gone" && second.log.last == "gone")
        #expect(first.presentedViewController == nil && second.presentingViewController == nil)
        root.present(first, animated: false)
        #expect(sheets() == 1 && page.elements[second.view.nodeID] == nil)
        first.present(second, animated: false)
        #expect(sheets() == 2 && second.presentingViewController === first)
    }

    @Test("by a child are presented by what holds it, which dismisses them")
    func children() {
        let (child, shown) = (UIViewController(), UIViewController())
        root.addChild(child)
        root.view.addSubview(child.view)
        child.didMove(toParent: root)
        child.present(shown, animated: false)
        #expect(shown.presentingViewController === root && child.presentedViewController === shown)
        child.dismiss(animated: false)
        #expect(root.presentedViewController == nil && sheets() == 0)
    }

    @MainActor
    private final class Delegate: NSObject, UIAdaptivePresentationControllerDelegate {
        var calls = 0

        func presentationControllerWillDismiss(_ presentationController: UIPresentationController) { calls += 1 }
        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { calls += 1 }
        func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {
            calls += 1
        }
    }

    @Test("that the app dismisses don't tell the delegate of their sheet, as no user has done it")
    func delegate() {
        let (controller, delegate) = (UIViewController(), Delegate())
        controller.presentationController?.delegate = delegate
        root.present(controller, animated: false)
        controller.isModalInPresentation = true
        controller.dismiss(animated: false)
        #expect(root.presentedViewController == nil && delegate.calls == 0)
        #expect(controller.presentationController === controller.sheetPresentationController)
    }
}
