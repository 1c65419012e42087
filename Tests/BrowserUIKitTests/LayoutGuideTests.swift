import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Guides and baselines")
struct LayoutGuideTests {
    private let controller = UIViewController()

    private func add(_ views: UIView...) {
        for view in views {
            view.translatesAutoresizingMaskIntoConstraints = false
            controller.view.addSubview(view)
        }
    }

    private func label(_ size: CGFloat) -> UILabel {
        let label = UILabel()
        label.font = .systemFont(ofSize: size)
        label.text = "Text"
        return label
    }

    @Test("of the app's own are laid out as views that nobody sees")
    func guides() throws {
        let (root, guide) = (try #require(controller.view), UILayoutGuide())
        let (above, below) = (label(17), label(17))
        add(above, below)
        root.addLayoutGuide(guide)
        #expect(guide.owningView === root && root.layoutGuides == [guide] && root.subviews.count == 2)
        NSLayoutConstraint.activate([
            above.topAnchor.constraint(equalTo: root.topAnchor, constant: 10),
            guide.topAnchor.constraint(equalTo: above.bottomAnchor),
            guide.heightAnchor.constraint(equalToConstant: 40),
            guide.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 8),
            below.topAnchor.constraint(equalTo: guide.bottomAnchor, constant: 6),
        ])
        let page = Page { controller }
        let standIn = try #require(guide.standIn)
        let element = try #require(page.elements[standIn.nodeID])
        #expect(element.style["height"] == "40px" && element.style["pointer-events"] == "none")
        #expect(element.style["order"] == "1" && page.elements[below.nodeID]?.style["order"] == "2")
        #expect(page.elements[below.nodeID]?.style["margin-top"] == "6px")
        let other = UIView()
        other.addLayoutGuide(guide)
        page.screen.drawIfNeeded()
        #expect(root.layoutGuides.isEmpty && guide.owningView === other)
        #expect(page.elements[standIn.nodeID] == nil && standIn.involved.isEmpty)
        other.removeLayoutGuide(guide)
        #expect(guide.owningView == nil && other.layoutGuides.isEmpty)
        other.addLayoutGuide(root.safeAreaLayoutGuide)
        #expect(other.layoutGuides.isEmpty && root.safeAreaLayoutGuide.owningView === root)
    }

    @Test("of what scrolls are its content, and the width that is seen")
    func scrolling() throws {
        let (scroll, content) = (UIScrollView(), UIView())
        add(scroll)
        content.translatesAutoresizingMaskIntoConstraints = false
        scroll.addSubview(content)
        NSLayoutConstraint.activate([
            scroll.contentLayoutGuide.topAnchor.constraint(equalTo: content.topAnchor, constant: -12),
            content.leadingAnchor.constraint(equalTo: scroll.contentLayoutGuide.leadingAnchor, constant: 4),
            content.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor, constant: -8),
            scroll.contentLayoutGuide.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor),
        ])
        let page = Page { controller }
        let style = try #require(page.elements[content.nodeID]).style
        #expect(style["margin-top"] == "12px" && style["margin-inline-start"] == "4px")
        #expect(style["width"] == "calc(100% + -8px)")
    }

    @Test("Texts of two sizes stand on one line")
    func baselines() throws {
        let root = try #require(controller.view)
        let (large, small, icon) = (label(34), label(17), UIView())
        add(large, small, icon)
        NSLayoutConstraint.activate([
            large.topAnchor.constraint(equalTo: root.topAnchor, constant: 20),
            small.firstBaselineAnchor.constraint(equalTo: large.firstBaselineAnchor, constant: 3),
            large.bottomAnchor.constraint(equalTo: root.bottomAnchor, constant: -50),
            icon.lastBaselineAnchor.constraint(equalTo: large.lastBaselineAnchor),
        ])
        let page = Page { controller }
        let (big, little) = (UIFont.systemFont(ofSize: 34), UIFont.systemFont(ofSize: 17))
        let top = 20 + 3 + big.ascender - little.ascender
        #expect(page.elements[small.nodeID]?.style["top"] == CSS.points(top))
        #expect(page.elements[icon.nodeID]?.style["bottom"] == CSS.points(50 - big.descender))
    }

    @Test("Margins count from the edge where a view says so")
    func margins() throws {
        let (root, box) = (try #require(controller.view), UIView())
        add(box)
        root.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 5, leading: 6, bottom: 7, trailing: 8)
        box.topAnchor.constraint(equalTo: root.layoutMarginsGuide.topAnchor).isActive = true
        var environment = BrowserEnvironment()
        environment.safeArea = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
        let page = Page(environment) { controller }
        #expect(page.elements[box.nodeID]?.style["margin-top"] == "52px")
        root.insetsLayoutMarginsFromSafeArea = false
        page.screen.drawIfNeeded()
        #expect(page.elements[box.nodeID]?.style["margin-top"] == "5px")
        root.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
        #expect(root.safeAreaLayoutGuide.layoutFrame == CGRect(x: 0, y: 47, width: 100, height: 119))
        #expect(root.layoutMarginsGuide.layoutFrame == CGRect(x: 6, y: 5, width: 86, height: 188))
        #expect(UILayoutGuide().layoutFrame == .zero)
    }

    @Test("A rectangle is scrolled to where it isn't on screen, and no further than it takes")
    func rectangles() {
        let scroll = UIScrollView()
        controller.view.addSubview(scroll)
        let page = Page { controller }
        page.report(#"{"i":"\#(scroll.nodeID)","k":"scroll","y":100,"w":390,"h":400,"c":2000,"r":{}}"#)
        func offset(_ y: CGFloat, _ height: CGFloat) -> CGFloat {
            scroll.setContentOffset(CGPoint(x: 0, y: 100), animated: false)
            scroll.scrollRectToVisible(CGRect(x: 0, y: y, width: 10, height: height), animated: true)
            return scroll.contentOffset.y
        }
        #expect(offset(120, 50) == 100 && offset(40, 50) == 40)
        #expect(offset(480, 50) == 130 && offset(450, 900) == 450)
    }
}
