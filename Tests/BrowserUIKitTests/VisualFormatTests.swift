import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Constraints in visual format")
struct VisualFormatTests {
    private let root = UIView()
    private let label = UILabel()
    private let button = UIButton(type: .system)

    init() {
        root.addSubview(label)
        root.addSubview(button)
    }

    /// Returns constraints as texts, such as `button.leading == label.trailing + 8`.
    private func said(
        _ format: String,
        _ options: NSLayoutConstraint.FormatOptions = [],
        metrics: [String: Any]? = nil
    ) -> [String] {
        let views: [String: Any] = ["label": label, "button": button]
        return NSLayoutConstraint.constraints(
            withVisualFormat: format,
            options: options,
            metrics: metrics,
            views: views
        ).map(text)
    }

    private func text(_ constraint: NSLayoutConstraint) -> String {
        let relations = [-1: "<=", 0: "==", 1: ">="]
        let relation = relations[constraint.relation.rawValue] ?? ""
        let first = "\(name(constraint.firstItem)).\(constraint.firstAttribute)"
        let second = constraint.secondItem.map { "\(name($0)).\(constraint.secondAttribute) + " } ?? ""
        let priority = Int(constraint.priority.rawValue)
        return "\(first) \(relation) \(second)\(Int(constraint.constant))" + (priority < 1_000 ? " @\(priority)" : "")
    }

    private func name(_ item: AnyObject?) -> String {
        if item === label { return "label" }
        if item === button { return "button" }
        return item === root ? "root" : item === root.layoutMarginsGuide ? "margins" : "?"
    }

    @Test("A row says where each view begins, from the superview to its end")
    func row() {
        #expect(
            said("|-16-[label]-[button]-|") == [
                "label.leading == root.leading + 16", "button.leading == label.trailing + 8",
                "margins.trailing == button.trailing + 0",
            ]
        )
        #expect(said("H:|[label]") == ["label.leading == root.leading + 0"])
        #expect(said("[label][button]") == ["button.leading == label.trailing + 0"])
    }

    @Test("A column goes from top to bottom, with names for numbers")
    func column() {
        let metrics: [String: Any] = ["gap": 12, "low": NSNumber(value: 250), "height": 44.0]
        #expect(
            said("V:|-gap-[label(height)]-(>=gap@low,<=40)-[button(==label)]|", metrics: metrics) == [
                "label.height == 44", "button.height == label.height + 0", "label.top == root.top + 12",
                "button.top >= label.bottom + 12 @250", "button.top <= label.bottom + 40",
                "root.bottom == button.bottom + 0",
            ]
        )
    }

    @Test("Lengths have relations and priorities, and room can be negative in parentheses")
    func lengths() {
        #expect(said("[label(>=80,<=120@500)]") == ["label.width >= 80", "label.width <= 120 @500"])
        #expect(said("[label]-(-4.0)-[button]") == ["button.leading == label.trailing + -4"])
    }

    @Test("Options align views, and turn the direction")
    func options() {
        #expect(
            said("[label]-2-[button]", [.alignAllCenterY, .directionLeftToRight]) == [
                "button.left == label.right + 2", "label.centerY == button.centerY + 0",
            ]
        )
        #expect(
            said("|-1-[label]-2-[button]-3-|", .directionRightToLeft) == [
                "root.right == label.right + 1", "label.left == button.right + 2", "button.left == root.left + 3",
            ]
        )
    }

    @Test("Constraints hold once they are made active, and lay views out")
    func layout() {
        let controller = UIViewController()
        controller.view.addSubview(label)
        label.translatesAutoresizingMaskIntoConstraints = false
        let views = ["label": label]
        for format in ["H:|-20-[label(100)]", "V:|-30-[label]"] {
            NSLayoutConstraint.activate(
                NSLayoutConstraint.constraints(withVisualFormat: format, metrics: nil, views: views)
            )
        }
        let page = Page { controller }
        let style = page.elements[label.nodeID]?.style
        #expect(style?["width"] == "100px" && style?["margin-top"] == "30px" && style?["margin-inline-start"] == "20px")
    }

    @Test(
        "A format that can't be read is told with its place",
        arguments: [
            ("[label", 6, "Expected \"]\"."), ("[label]-", 8, "Expected \"[\"."),
            ("[]", 1, "Expected the name of a view."), ("H[label]", 1, "Expected \":\"."),
            ("[label(>80)]", 8, "Expected \"=\"."),
            ("[label]-1.2.3-[button]", 8, "1.2.3 is not a number."),
            ("[label]--[button]", 8, "Expected a number or a name."),
            ("|[label]|[button]", 9, "Nothing can follow the end of the superview."),
        ]
    )
    func unreadable(format: String, place: Int, reason: String) {
        let expected = VisualFormatError(format: format, place: place, reason: reason)
        #expect(throws: expected) { try VisualFormatParser.parse(format) }
        #expect(expected.description.hasSuffix("^") && expected.description.contains(reason))
    }

    @Test("What isn't given, and what can't be, is told")
    func unknown() {
        func failure(
            _ format: String,
            _ options: NSLayoutConstraint.FormatOptions = [],
            metrics: [String: Any] = [:]
        ) -> String? {
            do throws(VisualFormatError) {
                let views: [String: Any] = ["label": label, "button": button, "text": "no view", "root": root]
                _ = try VisualConstraints(format, options, metrics: metrics, views: views).all()
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(failure("[label]") == nil)
        #expect(failure("[other]") == "other is not a key in the views dictionary.")
        #expect(failure("[text]") == "text is neither a view nor a guide.")
        #expect(failure("[label]-gap-[button]") == "gap is not a key in the metrics dictionary.")
        #expect(failure("[label(gap)]", metrics: ["gap": "wide"]) == "gap is not a number.")
        #expect(failure("|[root]") == "Unable to interpret \"|\": the view has no superview.")
        #expect(failure("[label(80@1001)]") == "A priority is more than 0 and at most 1000.")
        #expect(failure("[label][button]", .alignAllLeft)?.hasPrefix("Views can't have the same side") == true)
    }
}
