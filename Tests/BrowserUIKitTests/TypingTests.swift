import Foundation
import Testing

@testable import BrowserUIKit

/// Notes what it is asked and told about typing.
@MainActor
final class TypingDelegate: NSObject, UITextFieldDelegate, UITextViewDelegate {
    var calls: [String] = []
    var lets = true

    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { lets }
    func textFieldDidBeginEditing(_ textField: UITextField) { calls.append("begin") }
    func textFieldDidEndEditing(_ textField: UITextField) { calls.append("end \(textField.text ?? "")") }
    func textFieldShouldClear(_ textField: UITextField) -> Bool { lets }
    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        calls.append("return")
        textField.resignFirstResponder()
        return true
    }

    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { lets }
    func textViewDidBeginEditing(_ textView: UITextView) { calls.append("begin") }
    func textViewDidEndEditing(_ textView: UITextView) { calls.append("end \(textView.text ?? "")") }
    func textViewDidChange(_ textView: UITextView) { calls.append("changed \(textView.text ?? "")") }
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool {
        calls.append("\(range.location),\(range.length) \(text)")
        return text != "\n"
    }
    func textView(
        _ textView: UITextView,
        shouldInteractWith url: URL,
        in characterRange: NSRange,
        interaction: UITextItemInteraction
    ) -> Bool {
        calls.append("\(url.absoluteString) \(characterRange.location)+\(characterRange.length)")
        return lets
    }
}

@MainActor
@Suite("Typing")
struct TypingTests {
    private func page(_ views: UIView...) -> Page {
        let controller = UIViewController()
        for view in views { controller.view.addSubview(view) }
        return Page { controller }
    }

    private func event(_ view: UIView, _ kind: String, _ text: String? = nil, isFinal: Bool = false) -> String {
        let fields = text.map { #","t":"\#($0)","f":\#(isFinal)"# } ?? ""
        return #"{"i":"\#(view.nodeID)","k":"\#(kind)"\#(fields)}"#
    }

    @Test("tells the page which keyboard, key and content a field is for")
    func traits() throws {
        let field = UITextField()
        field.keyboardType = .emailAddress
        field.returnKeyType = .next
        field.textContentType = .oneTimeCode
        field.autocapitalizationType = .allCharacters
        field.isSecureTextEntry = true
        let page = page(field)
        let attributes = try #require(page.elements[field.nodeID]).attributes
        #expect(attributes["inputmode"] == "email" && attributes["enterkeyhint"] == "next")
        #expect(attributes["autocomplete"] == "one-time-code" && attributes["autocapitalize"] == "characters")
        #expect(attributes["type"] == "password" && attributes["spellcheck"] == "false")
        field.keyboardType = .default
        field.textContentType = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.attributes["autocomplete"] == "off")
        #expect(page.elements[field.nodeID]?.attributes["inputmode"] == nil)
    }

    @Test("begins when the cursor comes, and ends once, by Return or when the cursor goes")
    func life() {
        let (field, delegate) = (UITextField(), TypingDelegate())
        field.delegate = delegate
        var events: [String] = []
        field.addAction(UIAction { _ in events.append("began") }, for: .editingDidBegin)
        field.addAction(UIAction { _ in events.append("ended") }, for: .editingDidEnd)
        let page = page(field)
        page.report(event(field, "focus"))
        #expect((field.isEditing, field.isFirstResponder) == (true, true))
        page.report(event(field, "return", "ann"))
        // The page takes the cursor away then, and tells of that, too.
        page.report(event(field, "text", "ann", isFinal: true))
        #expect(delegate.calls == ["begin", "return", "end ann"])
        #expect(events == ["began", "ended"])
        delegate.lets = false
        page.report(event(field, "focus"))
        #expect(!field.isEditing)
        #expect(page.elements[field.nodeID]?.attributes["data-focus"]?.hasSuffix(":0") == true)
    }

    @Test("asks for the cursor no longer once the user has taken it away", arguments: [true, false])
    func abandoned(isLong: Bool) {
        let view: UIView = isLong ? UITextView() : UITextField()
        let page = page(view)
        view.becomeFirstResponder()
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.attributes["data-focus"] == "1:1")
        page.report(event(view, "focus"))
        page.report(event(view, "text", "a", isFinal: true))
        #expect(!view.isFirstResponder && page.elements[view.nodeID]?.attributes["data-focus"] == nil)
        page.report(event(view, "focus"))
        #expect(view.isFirstResponder && page.elements[view.nodeID]?.attributes["data-focus"] == nil)
        view.resignFirstResponder()
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.attributes["data-focus"] == "2:0")
    }

    @Test("offers to remove the text where the field says so, and the delegate agrees")
    func clearButton() throws {
        let (field, delegate) = (UITextField(), TypingDelegate())
        field.clearButtonMode = .whileEditing
        field.text = "old"
        var changes = 0
        field.addAction(UIAction { _ in changes += 1 }, for: .editingChanged)
        let page = page(field)
        let button = "\(field.nodeID).clear"
        #expect(page.elements[button] == nil)
        page.report(#"{"i":"\#(field.nodeID).input","k":"focus"}"#)
        #expect(page.elements[button]?.attributes["aria-label"] == "Clear")
        field.delegate = delegate
        delegate.lets = false
        page.tap(button)
        #expect(field.text == "old")
        delegate.lets = true
        page.tap(button)
        #expect((field.text, changes) == ("", 1))
        #expect(page.elements[button] == nil)
        let glass = UIImageView(image: UIImage(systemName: "magnifyingglass"))
        field.leftView = glass
        field.leftViewMode = .always
        page.screen.drawIfNeeded()
        #expect(page.elements[field.nodeID]?.children.count == 2)
        #expect(page.elements[glass.nodeID]?.style["width"] == "20px")
    }

    @Test("posts how much a keyboard covers once the browser says so, and where it was when it goes")
    func keyboardFrames() {
        let field = UITextField()
        let page = page(field)
        var ends: [CGRect] = []
        var begin: CGRect?
        let names = [UIResponder.keyboardWillShowNotification, UIResponder.keyboardWillHideNotification]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                let end = (note.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? NSValue)?.cgRectValue
                let start = (note.userInfo?[UIResponder.keyboardFrameBeginUserInfoKey] as? NSValue)?.cgRectValue
                MainActor.assumeIsolated {
                    if let end { ends.append(end) }
                    begin = start
                }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        page.report(event(field, "focus"))
        page.screen.receive(Data(#"{"environment":{"keyboard":300},"events":[]}"#.utf8))
        #expect(ends.map(\.height) == [0, 300] && ends.last?.minY == page.screen.environment.height - 300)
        page.report(event(field, "text", "", isFinal: true))
        #expect(ends.map(\.height) == [0, 300, 0] && begin?.height == 300)
    }

    @Test("posts that a keyboard comes and goes, and not between two fields")
    func keyboard() throws {
        let (first, second) = (UITextField(), UITextField())
        let page = page(first, second)
        var posted: [String] = []
        var frame: CGRect?
        let names = [UIResponder.keyboardWillShowNotification, UIResponder.keyboardDidHideNotification]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                let name = note.name.rawValue
                MainActor.assumeIsolated { posted.append(name) }
            }
        }
        let other = NotificationCenter.default.addObserver(
            forName: UIResponder.keyboardWillChangeFrameNotification,
            object: nil,
            queue: nil
        ) { note in
            let value = note.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? NSValue
            let rect = value?.cgRectValue
            MainActor.assumeIsolated { frame = rect }
        }
        defer { for observer in observers + [other] { NotificationCenter.default.removeObserver(observer) } }
        page.report(event(first, "focus"))
        page.report(event(first, "text", "", isFinal: true) + "," + event(second, "focus"))
        #expect(posted == ["UIKeyboardWillShowNotification"])
        #expect(frame == CGRect(x: 0, y: 844, width: 390, height: 0))
        #expect(second.becomeFirstResponder() && second.isFirstResponder && !first.isFirstResponder)
        #expect(first.becomeFirstResponder() && !second.isFirstResponder)
        #expect(posted.count == 1)
        first.resignFirstResponder()
        #expect(posted == ["UIKeyboardWillShowNotification", "UIKeyboardDidHideNotification"])
    }

    @Test("of several lines asks the delegate about every change, and takes back what is refused")
    func textView() throws {
        let (view, delegate) = (UITextView(), TypingDelegate())
        view.delegate = delegate
        view.isScrollEnabled = false
        let page = page(view)
        #expect(page.elements[view.nodeID]?.tag == "textarea")
        page.report(event(view, "focus"))
        page.report(event(view, "text", "ab"))
        page.report(event(view, "text", #"a\nb"#))
        #expect(view.text == "ab")
        #expect(page.elements[view.nodeID]?.attributes["data-value"] == "1:ab")
        #expect(view.endEditing(true))
        #expect(delegate.calls == ["begin", "0,0 ab", "changed ab", "1,0 \n", "end ab"])
    }

    @Test("is not needed to follow a link of a text, which the delegate may keep to itself")
    func links() throws {
        let (view, delegate) = (UITextView(), TypingDelegate())
        view.delegate = delegate
        view.isEditable = false
        let text = NSMutableAttributedString(string: "Read our terms")
        text.addAttribute(
            .link,
            value: try #require(URL(string: "https://shop.example/terms")),
            range: NSRange(location: 9, length: 5)
        )
        view.attributedText = text
        let page = page(view)
        let link = try #require(page.elements.first { $0.value.text == "terms" })
        #expect(link.value.attributes["role"] == "link" && link.value.style["color"] == UIColor.link.css)
        delegate.lets = false
        page.tap(link.key)
        #expect(page.opened.isEmpty && delegate.calls == ["https://shop.example/terms 9+5"])
        delegate.lets = true
        page.tap(link.key)
        #expect(page.opened == ["https://shop.example/terms"])
    }

    @Test("ends by scrolling where a list says so")
    func dismissal() {
        let scroll = UIScrollView()
        let page = page(scroll)
        #expect(page.elements[scroll.nodeID]?.attributes["data-dismiss"] == nil)
        scroll.keyboardDismissMode = .onDrag
        page.screen.drawIfNeeded()
        #expect(page.elements[scroll.nodeID]?.attributes["data-dismiss"] != nil)
    }
}
