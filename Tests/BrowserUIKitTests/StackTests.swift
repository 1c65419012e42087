import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Stacks")
struct StackTests {
    private let stack = UIStackView()

    private func page() -> Page {
        let controller = UIViewController()
        stack.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(stack)
        return Page { controller }
    }

    /// Adds labels to the stack, and returns them.
    private func labels(_ count: Int) -> [UIView] {
        let labels: [UIView] = (0..<count).map { index in
            let label = UILabel()
            label.text = "Label \(index)"
            return label
        }
        for label in labels { stack.addArrangedSubview(label) }
        return labels
    }

    private func style(_ view: UIView, in page: Page) -> [String: String] { page.elements[view.nodeID]?.style ?? [:] }

    @Test("show views in the order in which they were added, without those that are hidden")
    func order() {
        let labels = labels(3)
        let page = page()
        let names = labels.map { $0.nodeID }
        #expect(page.elements[stack.nodeID]?.children == names)
        labels[1].isHidden = true
        page.screen.drawIfNeeded()
        #expect(page.elements[stack.nodeID]?.children == [names[0], names[2]])
        #expect(stack.arrangedSubviews.count == 3 && stack.subviews.count == 3)
        labels[1].isHidden = false
        page.screen.drawIfNeeded()
        #expect(page.elements[stack.nodeID]?.children == names)
    }

    @Test("move a view that they have already, and leave the order of subviews")
    func moves() {
        let labels = labels(3)
        stack.insertArrangedSubview(labels[2], at: 0)
        #expect(stack.arrangedSubviews == [labels[2], labels[0], labels[1]])
        #expect(stack.subviews == labels)
        stack.addArrangedSubview(labels[0])
        #expect(stack.arrangedSubviews == [labels[2], labels[1], labels[0]])
        stack.insertArrangedSubview(labels[2], at: 99)
        #expect(stack.arrangedSubviews == [labels[1], labels[0], labels[2]])
    }

    @Test("keep a view that they no longer arrange among their subviews, and forget one that leaves them")
    func removal() {
        let labels = labels(3)
        stack.removeArrangedSubview(labels[1])
        #expect(stack.arrangedSubviews == [labels[0], labels[2]])
        #expect(labels[1].superview === stack)
        labels[0].removeFromSuperview()
        #expect(stack.arrangedSubviews == [labels[2]])
        let other = UIView()
        other.addSubview(labels[2])
        #expect(stack.arrangedSubviews.isEmpty && stack.subviews == [labels[1]])
    }

    @Test("take views out of the rules of frames, and another stack's views out of that")
    func takesOver() {
        let view = UIView()
        #expect(view.translatesAutoresizingMaskIntoConstraints)
        let other = UIStackView(arrangedSubviews: [view])
        #expect(other.arrangedSubviews == [view] && !view.translatesAutoresizingMaskIntoConstraints)
        stack.addArrangedSubview(view)
        #expect(other.arrangedSubviews.isEmpty && other.subviews.isEmpty && view.superview === stack)
    }

    @Test("leave room between views, and another after some, along their axis")
    func spacing() {
        let labels = labels(3)
        stack.spacing = 12
        stack.setCustomSpacing(4, after: labels[0])
        let page = page()
        #expect(style(labels[0], in: page)["margin-inline-start"] == nil)
        #expect(style(labels[1], in: page)["margin-inline-start"] == "4px")
        #expect(style(labels[2], in: page)["margin-inline-start"] == "12px")
        stack.axis = .vertical
        page.screen.drawIfNeeded()
        #expect(style(labels[1], in: page)["margin-inline-start"] == nil)
        #expect(style(labels[1], in: page)["margin-top"] == "4px")
        #expect(style(stack, in: page)["flex-direction"] == "column")
        stack.setCustomSpacing(UIStackView.spacingUseSystem, after: labels[0])
        stack.setCustomSpacing(UIStackView.spacingUseDefault, after: labels[1])
        page.screen.drawIfNeeded()
        #expect(style(labels[1], in: page)["margin-top"] == "8px")
        #expect(style(labels[2], in: page)["margin-top"] == "12px")
    }

    @Test("know the room after a view, and forget it with the view")
    func customSpacings() {
        let labels = labels(2)
        #expect(stack.customSpacing(after: labels[0]) == UIStackView.spacingUseDefault)
        stack.setCustomSpacing(20, after: labels[0])
        #expect(stack.customSpacing(after: labels[0]) == 20)
        #expect(stack.customSpacing(after: labels[1]) == UIStackView.spacingUseDefault)
        stack.removeArrangedSubview(labels[0])
        stack.addArrangedSubview(labels[0])
        #expect(stack.customSpacing(after: labels[0]) == UIStackView.spacingUseDefault)
    }

    @Test("leave no room for a view that is hidden")
    func hiddenSpacing() {
        let labels = labels(3)
        stack.spacing = 12
        stack.setCustomSpacing(40, after: labels[1])
        labels[1].isHidden = true
        let page = page()
        #expect(style(labels[2], in: page)["margin-inline-start"] == "12px")
        labels[0].isHidden = true
        page.screen.drawIfNeeded()
        #expect(style(labels[2], in: page)["margin-inline-start"] == nil)
    }

    @Test("place views across their axis by their alignment")
    func alignment() {
        let names: [(alignment: UIStackView.Alignment, css: String)] = [
            (.fill, "stretch"), (.leading, "flex-start"), (.top, "flex-start"), (.firstBaseline, "baseline"),
            (.center, "center"), (.trailing, "flex-end"), (.bottom, "flex-end"), (.lastBaseline, "last baseline"),
        ]
        let page = page()
        #expect(stack.alignment == .fill)
        for (alignment, css) in names {
            stack.alignment = alignment
            page.screen.drawIfNeeded()
            #expect(style(stack, in: page)["align-items"] == css)
        }
    }

    @Test("share the room along their axis by their distribution")
    func distribution() {
        let labels = labels(2)
        let page = page()
        #expect(stack.distribution == .fill && style(labels[0], in: page)["flex"] == "1 1 auto")
        stack.distribution = .fillEqually
        page.screen.drawIfNeeded()
        #expect(labels.allSatisfy { style($0, in: page)["flex"] == "1 1 0" })
        #expect(style(stack, in: page)["justify-content"] == nil)
        for distribution in [UIStackView.Distribution.equalSpacing, .equalCentering] {
            stack.distribution = distribution
            page.screen.drawIfNeeded()
            #expect(style(stack, in: page)["justify-content"] == "space-between")
            #expect(labels.allSatisfy { style($0, in: page)["flex"] == "0 1 auto" })
        }
    }

    @Test("give what is left to views that don't hug their content, and have no width of their own")
    func hugging() {
        let labels = labels(2)
        labels[0].setContentHuggingPriority(.required, for: .horizontal)
        let page = page()
        #expect(style(labels[0], in: page)["flex"] == "0 0 auto")
        #expect(style(labels[1], in: page)["flex"] == "1 1 auto")
        let width = labels[1].widthAnchor.constraint(equalToConstant: 40)
        width.isActive = true
        page.screen.drawIfNeeded()
        #expect(style(labels[1], in: page)["width"] == "40px" && style(labels[1], in: page)["flex"] == "0 0 auto")
        width.isActive = false
        stack.axis = .vertical
        page.screen.drawIfNeeded()
        #expect(style(labels[1], in: page)["flex"] == "0 0 auto")
    }

    @Test("keep views off their edges by margins, where that is asked, by the direction of the language")
    func margins() {
        stack.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        let page = page()
        #expect(!stack.isLayoutMarginsRelativeArrangement && style(stack, in: page)["padding-block"] == nil)
        stack.isLayoutMarginsRelativeArrangement = true
        page.screen.drawIfNeeded()
        #expect(style(stack, in: page)["padding-block"] == "1px 3px")
        #expect(style(stack, in: page)["padding-inline"] == "2px 4px")
    }
}
