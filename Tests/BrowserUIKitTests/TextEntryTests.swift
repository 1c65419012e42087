import Foundation
import Testing

@testable import BrowserUIKit

/// Lets a text have so many characters, and writes down what it is asked and told.
@MainActor
private final class Limit: NSObject, UITextFieldDelegate, UITextViewDelegate {
    var calls: [String] = []
    var most = 5
    var mayEnd = true

    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool {
        calls.append("\(range.location),\(range.length) \(string)")
        return (textField.text ?? "").utf16.count - range.length + string.utf16.count <= most
    }

    func textFieldDidBeginEditing(_ textField: UITextField) { calls.append("begin \(textField.text ?? "")") }
    func textFieldDidChangeSelection(_ textField: UITextField) { calls.append("changed \(textField.text ?? "")") }
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { mayEnd }
    func textFieldDidEndEditing(_ textField: UITextField) { calls.append("end") }

    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool {
        textView.text.utf16.count - range.length + text.utf16.count <= most
    }

    func textViewShouldEndEditing(_ textView: UITextView) -> Bool { mayEnd }
    func textViewDidChange(_ textView: UITextView) { calls.append("changed \(textView.text ?? "")") }
    func textViewDidEndEditing(_ textView: UITextView) { calls.append("end") }
}

@MainActor
@Suite("Text that is entered")
struct TextEntryTests {
    private let limit = Limit()

    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func type(_ text: String, in view: UIView, on page: Page, isFinal: Bool = false) {
        page.report(#"{"i":"\#(view.nodeID)","k":"text","t":"\#(text)","f":\#(isFinal)}"#)
    }

    private func element(_ view: UIView, on page: Page) -> Page.Element? {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID]
    }

    // MARK: Fields

    @Test("in a field is asked for in ranges, and taken back where it is too long")
    func fieldLimit() {
        let field = UITextField()
        field.delegate = limit
        let page = page(field)
        for text in ["abc", "abXc", "abXcde", "aXc"] { type(text, in: field, on: page) }
        #expect(
            limit.calls == [
                "begin ", "0,0 abc", "changed abc", "2,0 X", "changed abXc", "4,0 de", "1,1 ", "changed aXc",
            ]
        )
        #expect(field.text == "aXc" && element(field, on: page)?.attributes["data-value"] == "1:aXc")
    }

    @Test("by the app is asked of nobody, and told to nobody")
    func appSetsText() {
        let field = UITextField()
        field.delegate = limit
        var events = 0
        field.addAction(UIAction { _ in events += 1 }, for: .allEvents)
        let page = page(field)
        field.text = "longer than the limit"
        #expect(element(field, on: page)?.attributes["data-value"] == "1:longer than the limit")
        field.attributedText = NSAttributedString(string: "rich")
        #expect(field.text == "rich" && field.attributedText?.string == "rich")
        field.text = nil
        #expect(field.text == "" && limit.calls.isEmpty && events == 0)
    }

    @Test("stays in a field whose delegate doesn't let it end")
    func fieldStays() {
        let field = UITextField()
        field.delegate = limit
        let page = page(field)
        limit.mayEnd = false
        #expect(field.becomeFirstResponder() && field.isEditing)
        #expect(!field.resignFirstResponder() && field.isFirstResponder && !limit.calls.contains("end"))
        limit.mayEnd = true
        #expect(field.resignFirstResponder() && !field.isEditing && limit.calls.last == "end")
        field.isEnabled = false
        #expect(!field.canBecomeFirstResponder && !field.becomeFirstResponder())
        type("x", in: field, on: page)
        #expect(field.text == "" && element(field, on: page)?.attributes["disabled"] != nil)
    }

    @Test("is removed when a field begins that says so")
    func clearing() {
        let field = UITextField()
        field.delegate = limit
        field.text = "old"
        field.clearsOnBeginEditing = true
        let page = page(field)
        page.report(#"{"i":"\#(field.nodeID)","k":"focus"}"#)
        #expect(field.text == "" && limit.calls == ["begin "])
        field.text = "new"
        page.report(#"{"i":"\#(field.nodeID)","k":"focus"}"#)
        #expect(field.text == "new")
    }

    @Test("can be hidden and shown again, and keeps what it is")
    func secure() {
        let field = UITextField()
        field.text = "secret"
        field.isSecureTextEntry = true
        let page = page(field)
        #expect(element(field, on: page)?.attributes["type"] == "password")
        field.isSecureTextEntry = false
        #expect(element(field, on: page)?.attributes["type"] == "text" && field.text == "secret")
    }

    @Test("has a hint before it, in a colour of its own, which names the field")
    func placeholder() {
        let field = UITextField()
        field.placeholder = "Email"
        let page = page(field)
        #expect(element(field, on: page)?.attributes["placeholder"] == "Email")
        #expect(element(field, on: page)?.attributes["aria-label"] == "Email")
        field.attributedPlaceholder = NSAttributedString(string: "Phone", attributes: [.foregroundColor: UIColor.red])
        #expect(field.placeholder == "Phone" && element(field, on: page)?.style["--placeholder"] == UIColor.red.css)
        field.accessibilityLabel = "Your phone"
        #expect(element(field, on: page)?.attributes["aria-label"] == "Your phone")
    }

    @Test("has the looks of its field")
    func looks() {
        let field = UITextField()
        let page = page(field)
        #expect(element(field, on: page)?.attributes["class"]?.contains("bordered") == false)
        field.borderStyle = .roundedRect
        field.font = .boldSystemFont(ofSize: 20)
        field.textColor = .red
        field.textAlignment = .center
        let shown = element(field, on: page)
        #expect(shown?.attributes["class"]?.contains("field bordered") == true)
        #expect(shown?.style["font-size"] == "20px" && shown?.style["font-weight"] == "700")
        #expect(shown?.style["color"] == UIColor.red.css && shown?.style["text-align"] == "center")
    }

    @Test("stands between the views at the sides of its field, which come and go with the typing")
    func sides() {
        let (field, left, right) = (UITextField(), UIView(), UIView())
        field.leftView = left
        field.rightView = right
        field.rightViewMode = .unlessEditing
        let page = page(field)
        let input = "\(field.nodeID).input"
        #expect(element(field, on: page)?.children == [input, right.nodeID])
        field.leftViewMode = .whileEditing
        #expect(element(field, on: page)?.children == [input, right.nodeID])
        field.becomeFirstResponder()
        #expect(element(field, on: page)?.children == [left.nodeID, input])
        field.leftViewMode = .always
        field.rightViewMode = .never
        field.resignFirstResponder()
        #expect(element(field, on: page)?.children == [left.nodeID, input])
        field.leftView = nil
        #expect(left.superview == nil && element(field, on: page)?.tag == "input")
    }

    // MARK: Views of several lines

    @Test("in a view is taken back where it is too long, and told of where it isn't")
    func viewLimit() {
        let view = UITextView()
        view.delegate = limit
        let page = page(view)
        for text in ["abc", "abcdef", #"a\nb"#] { type(text, in: view, on: page) }
        #expect(view.text == "a\nb" && limit.calls == ["changed abc", "changed a\nb"])
        limit.mayEnd = false
        #expect(!view.resignFirstResponder() && view.isFirstResponder)
        limit.mayEnd = true
        #expect(view.resignFirstResponder() && limit.calls.last == "end")
    }

    @Test("with attributes loses them when it is typed over")
    func viewAttributes() {
        let view = UITextView()
        let rich = NSAttributedString(string: "rich", attributes: [.foregroundColor: UIColor.red])
        view.attributedText = rich
        let page = page(view)
        #expect(view.text == "rich" && view.attributedText === rich)
        type("richer", in: view, on: page)
        #expect(view.attributedText.string == "richer")
        #expect(view.attributedText.attribute(.foregroundColor, at: 0, effectiveRange: nil) == nil)
        view.attributedText = rich
        view.text = "plain"
        #expect(view.attributedText !== rich && view.attributedText.string == "plain")
    }

    @Test("in a view has its insets, font and alignment, typed or not")
    func viewLooks() {
        let view = UITextView()
        view.text = "text"
        let page = page(view)
        #expect(element(view, on: page)?.tag == "textarea")
        #expect(element(view, on: page)?.style["padding"] == "8px 5px 8px 5px")
        view.textContainerInset = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        view.textContainer.lineFragmentPadding = 0
        view.textAlignment = .right
        view.font = .systemFont(ofSize: 21)
        #expect(element(view, on: page)?.style["padding"] == "1px 4px 3px 2px")
        #expect(element(view, on: page)?.style["text-align"] == "right")
        #expect(element(view, on: page)?.style["font-size"] == "21px")
        view.isEditable = false
        #expect(element(view, on: page)?.tag != "textarea")
        #expect(element(view, on: page)?.style["padding"] == "1px 4px 3px 2px")
        #expect(page.texts.contains("text"))
    }

    @Test("that can't be edited doesn't become the first responder, and can be selected where it says so")
    func readOnly() {
        let view = UITextView()
        view.text = "text"
        view.isEditable = false
        let page = page(view)
        #expect(!view.canBecomeFirstResponder && !view.becomeFirstResponder())
        #expect(element(view, on: page)?.attributes["class"]?.contains("selectable-text") == true)
        view.isSelectable = false
        #expect(element(view, on: page)?.attributes["class"]?.contains("selectable-text") == false)
        type("other", in: view, on: page)
        #expect(view.text == "text")
    }
}
