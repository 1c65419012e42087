import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The events and states of controls")
struct ControlEventTests {
    private let control = UIControl()

    @Test("Actions are done on each of the events that they were added for, and on no others")
    func events() {
        var calls = 0
        control.addAction(UIAction { _ in calls += 1 }, for: [.valueChanged, .editingChanged])
        control.sendActions(for: .valueChanged)
        control.sendActions(for: .editingChanged)
        #expect(calls == 2)
        control.sendActions(for: .touchUpInside)
        #expect(calls == 2)
        control.sendActions(for: .allEvents)
        #expect(calls == 3)
    }

    @Test("An action that is removed for one of its events is still done on the others")
    func removal() {
        var calls = 0
        let action = UIAction { _ in calls += 1 }
        control.addAction(action, for: [.valueChanged, .touchUpInside])
        control.removeAction(action, for: .valueChanged)
        control.sendActions(for: .valueChanged)
        #expect(calls == 0)
        control.sendActions(for: .touchUpInside)
        #expect(calls == 1)
        control.removeAction(UIAction { _ in }, for: .allEvents)
        control.sendActions(for: .touchUpInside)
        #expect(calls == 2)
        control.removeAction(action, for: .allEvents)
        control.sendActions(for: .allEvents)
        #expect(calls == 2)
    }

    @Test("An action takes the place of one with the same identifier, and stands beside others")
    func identifiers() {
        var calls: [String] = []
        let name = UIAction.Identifier("buy")
        control.addAction(UIAction(identifier: name) { _ in calls.append("first") }, for: .touchUpInside)
        control.addAction(UIAction(identifier: name) { _ in calls.append("second") }, for: .touchUpInside)
        control.addAction(UIAction { _ in calls.append("other") }, for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        #expect(calls == ["second", "other"])
    }

    @Test("An action knows the control that was used")
    func sender() {
        var senders: [UIControl?] = []
        let other = UIControl(frame: .zero, primaryAction: UIAction { senders.append($0.sender as? UIControl) })
        other.sendActions(for: .primaryActionTriggered)
        other.sendActions(for: .touchDown)
        #expect(senders.count == 1 && senders.first == other)
    }

    @Test("The groups of events have those of touches and of typing, and neither has the other's")
    func groups() {
        let touches: [UIControl.Event] = [.touchDown, .touchUpInside, .touchCancel]
        let typing: [UIControl.Event] = [.editingDidBegin, .editingChanged, .editingDidEnd, .editingDidEndOnExit]
        #expect(touches.allSatisfy { UIControl.Event.allTouchEvents.contains($0) })
        #expect(typing.allSatisfy { UIControl.Event.allEditingEvents.contains($0) })
        #expect(UIControl.Event.allTouchEvents.isDisjoint(with: .allEditingEvents))
        #expect(UIControl.Event.allEvents.isSuperset(of: [.allTouchEvents, .allEditingEvents, .valueChanged]))
        #expect(!UIControl.Event.allTouchEvents.contains(.valueChanged))
    }

    @Test("The state of a control has all that holds of it")
    func states() {
        #expect(control.state == .normal && control.isEnabled && !control.isSelected && !control.isHighlighted)
        control.isSelected = true
        control.isHighlighted = true
        #expect(control.state == [.selected, .highlighted])
        control.isEnabled = false
        #expect(control.state == [.selected, .highlighted, .disabled])
        control.isSelected = false
        control.isHighlighted = false
        #expect(control.state == .disabled)
    }

    @Test("What was set for a state is shown in that alone, and what was set for the usual one in all others")
    func values() {
        var titles = Stated<String>()
        #expect(titles.shown(in: .selected) == nil)
        titles[.normal] = "Buy"
        titles[.selected] = "Bought"
        #expect(titles.shown(in: .selected) == "Bought" && titles.shown(in: .disabled) == "Buy")
        #expect(titles.shown(in: [.selected, .highlighted]) == "Buy" && titles[.disabled] == nil)
        titles[.selected] = nil
        #expect(titles.shown(in: .selected) == "Buy")
    }

    @Test("A control keeps its touches, which a view hands to the responder behind it")
    func touches() {
        let taking = TouchTaking()
        let view = UIView()
        taking.addSubview(control)
        taking.addSubview(view)
        for responder in [control, view] {
            responder.touchesBegan([UITouch()], with: nil)
            responder.touchesMoved([UITouch()], with: nil)
            responder.touchesEnded([UITouch()], with: nil)
            responder.touchesCancelled([UITouch()], with: nil)
        }
        #expect(taking.calls == ["began", "moved", "ended", "cancelled"])
    }
}

/// Notes the touches that come to it.
private final class TouchTaking: UIView {
    var calls: [String] = []

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { calls.append("began") }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { calls.append("moved") }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { calls.append("ended") }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { calls.append("cancelled") }
}
