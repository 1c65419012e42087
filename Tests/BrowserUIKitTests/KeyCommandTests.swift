import Foundation
import Testing

@testable import BrowserUIKit

private final class Commanded: UIViewController {
    var calls: [String] = []

    override var keyCommands: [UIKeyCommand]? {
        let up = UIKeyCommand.inputUpArrow
        let own = [
            UIKeyCommand(input: "n", modifierFlags: .command, action: Commanded.create),
            UIKeyCommand(title: "Up", action: Commanded.chose, input: up, modifierFlags: .shift),
        ]
        return own + (super.keyCommands ?? [])
    }

    func create() { calls.append("create") }
    func chose(_ command: UIKeyCommand) { calls.append(command.title) }
    func left() { calls.append("left") }
}

@MainActor
@Suite("Keys and the keyboard")
struct KeyCommandTests {
    private let root = Commanded()

    private func press(_ keys: String, on page: Page) {
        page.report(#"{"i":"\#(page.screen.window.nodeID)","k":"key","t":"\#(keys)"}"#)
    }

    private func watched(_ page: Page) -> String? {
        page.screen.drawIfNeeded()
        return page.elements[page.screen.window.nodeID]?.attributes["data-keys"]
    }

    @Test("Commands of the controller in front, and of those behind it in the chain, are called by their keys")
    func commands() {
        let page = Page { UINavigationController(rootViewController: root) }
        #expect(watched(page) == "c-n s-ArrowUp")
        press("c-n", on: page)
        press("s-ArrowUp", on: page)
        press("c-x", on: page)
        #expect(root.calls == ["create", "Up"])
        // The presenting controller is the navigation controller, whose chain doesn't lead to what it shows.
        root.present(UIViewController(), animated: false)
        press("c-n", on: page)
        #expect(root.calls.count == 2)
        let behind = Commanded()
        let other = Page { behind }
        behind.present(UIViewController(), animated: false)
        press("c-n", on: other)
        #expect(behind.calls == ["create"])
    }

    @Test("Commands can be added and removed, and one that is disabled or has no responder does nothing")
    func changing() {
        let page = Page { root }
        let leave = UIKeyCommand(input: UIKeyCommand.inputEscape, modifierFlags: [], action: Commanded.left)
        leave.wantsPriorityOverSystemBehavior = true
        root.addKeyCommand(leave)
        #expect(watched(page) == "c-n s-ArrowUp !-Escape")
        press("!-Escape", on: page)
        #expect(root.calls == ["left"])
        leave.attributes = .disabled
        press("!-Escape", on: page)
        root.removeKeyCommand(leave)
        #expect(watched(page) == "c-n s-ArrowUp" && root.calls == ["left"])
        root.addKeyCommand(UIKeyCommand(input: "K", modifierFlags: [.control, .alternate], action: UILabel.sizeToFit))
        #expect(watched(page) == "c-n s-ArrowUp ta-k")
        press("ta-k", on: page)
        #expect(root.calls == ["left"])
    }

    @Test("The guide of the keyboard is what bars cover, or what a keyboard does where that is more")
    func keyboard() {
        let field = UIView()
        field.translatesAutoresizingMaskIntoConstraints = false
        root.view.addSubview(field)
        NSLayoutConstraint.activate([
            field.leadingAnchor.constraint(equalTo: root.view.leadingAnchor),
            field.heightAnchor.constraint(equalToConstant: 40),
            field.bottomAnchor.constraint(equalTo: root.view.keyboardLayoutGuide.topAnchor, constant: -8),
        ])
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        let page = Page(environment) { root }
        #expect(page.elements[field.nodeID]?.style["bottom"] == "42px")
        environment.keyboardHeight = 300
        page.screen.change(to: environment)
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.style["bottom"] == "308px")
        let frame = root.view.keyboardLayoutGuide.layoutFrame
        #expect(frame == CGRect(x: 0, y: 544, width: 390, height: 300))
        environment.keyboardHeight = 0
        page.screen.change(to: environment)
        root.view.keyboardLayoutGuide.usesBottomSafeArea = false
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.style["bottom"] == "8px")
    }
}
