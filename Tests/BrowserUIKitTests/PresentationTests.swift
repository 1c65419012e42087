import Foundation
import Testing

@testable import BrowserUIKit

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

    @Test("by one that has presented another come over that")
    func chain() {
        let (first, second) = (UIViewController(), UIViewController())
        root.present(first, animated: false)
        root.present(second, animated: false)
        #expect(first.presentedViewController === second && second.presentingViewController === first)
        #expect(root.presentedViewController === first && sheets() == 2)
        first.dismiss(animated: false)
        #expect(root.presentedViewController === first && first.presentedViewController == nil && sheets() == 1)
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
        root.present(second, animated: false)
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
