import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The boxes of views")
struct BoxTests {
    private let view = UIView()

    private func page() -> Page {
        let controller = UIViewController()
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func style(in page: Page) -> [String: String] {
        page.screen.drawIfNeeded()
        return page.elements[view.nodeID]?.style ?? [:]
    }

    @Test("are round at the corners that are named")
    func corners() {
        let page = page()
        #expect(style(in: page)["border-radius"] == nil)
        view.layer.cornerRadius = 8
        #expect(style(in: page)["border-radius"] == "8px 8px 8px 8px")
        view.layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMaxYCorner]
        #expect(style(in: page)["border-radius"] == "8px 0 8px 0")
        view.layer.maskedCorners = [.layerMaxXMinYCorner, .layerMinXMaxYCorner]
        #expect(style(in: page)["border-radius"] == "0 8px 0 8px")
    }

    @Test("have a border of the width and colour that were set, black by itself")
    func borders() {
        let page = page()
        view.layer.borderWidth = 2
        #expect(style(in: page)["--border"] == "2px solid rgb(0 0 0)")
        #expect(page.elements(class: "edged").count == 1)
        view.layer.borderColor = UIColor.red.cgColor
        #expect(style(in: page)["--border"] == "2px solid rgb(255 0 0)")
        view.layer.borderColor = nil
        #expect(style(in: page)["--border"] == nil)
    }

    @Test("have a shadow once that is seen, and lose it where what lies outside is cut off")
    func shadows() {
        let page = page()
        #expect(style(in: page)["box-shadow"] == nil)
        view.layer.shadowOpacity = 0.5
        #expect(style(in: page)["box-shadow"] == "0px -3px 6px rgb(0 0 0 / 0.5)")
        view.layer.shadowOffset = CGSize(width: 1, height: 2)
        view.layer.shadowRadius = 4
        view.layer.shadowColor = UIColor.red.cgColor
        #expect(style(in: page)["box-shadow"] == "1px 2px 8px rgb(255 0 0 / 0.5)")
        view.clipsToBounds = true
        #expect(view.layer.masksToBounds)
        #expect(style(in: page)["box-shadow"] == nil && style(in: page)["overflow"] == "clip")
    }

    @Test("are as opaque as the view, and have its colour")
    func looks() {
        let page = page()
        #expect(style(in: page)["opacity"] == nil && style(in: page)["background-color"] == nil)
        view.alpha = 0.25
        view.backgroundColor = .red
        #expect(style(in: page)["opacity"] == "0.25")
        #expect(style(in: page)["background-color"] == "rgb(255 0 0)")
        view.isUserInteractionEnabled = false
        #expect(style(in: page)["pointer-events"] == "none")
    }

    @Test("leave the page while the view is hidden, with all that is in it")
    func hidden() {
        let inner = UIView()
        view.addSubview(inner)
        let page = page()
        #expect(page.elements[inner.nodeID] != nil)
        view.isHidden = true
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID] == nil && page.elements[inner.nodeID] == nil)
        view.isHidden = false
        page.screen.drawIfNeeded()
        #expect(page.elements[inner.nodeID] != nil)
    }

    @Test("lie where their frames say, in points, where no constraints do")
    func frames() {
        view.frame = CGRect(x: 10, y: 20.5, width: 100, height: 50)
        let page = page()
        let style = style(in: page)
        #expect(style["position"] == "absolute" && style["left"] == "10px" && style["top"] == "20.5px")
        #expect(style["width"] == "100px" && style["height"] == "50px")
    }
}
