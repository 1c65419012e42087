import Foundation
import Testing

@testable import BrowserUIKit

private final class Zoomed: NSObject, UIScrollViewDelegate {
    let picture = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 500))
    var calls: [String] = []

    func viewForZooming(in scrollView: UIScrollView) -> UIView? { picture }
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) { calls.append("begin") }
    func scrollViewDidZoom(_ scrollView: UIScrollView) { calls.append("zoom \(scrollView.zoomScale)") }
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        calls.append("end \(scale)")
    }
}

@MainActor
@Suite("Zooming")
struct ZoomTests {
    private let controller = UIViewController()
    private let scroll = UIScrollView()
    private let delegate = Zoomed()

    private func page() -> Page {
        scroll.addSubview(delegate.picture)
        scroll.delegate = delegate
        controller.view.addSubview(scroll)
        return Page { controller }
    }

    private func pinch(to scale: Double, _ phase: String? = nil, on page: Page) {
        let part = phase.map { #","t":"\#($0)""# } ?? ""
        page.report(#"{"i":"\#(scroll.nodeID)","k":"zoom","s":\#(scale)\#(part)}"#)
    }

    @Test("Two fingers change the scale within its limits, and the delegate hears of it")
    func pinching() {
        let page = page()
        pinch(to: 2, "b", on: page)
        #expect(delegate.calls.isEmpty && scroll.zoomScale == 1)
        scroll.maximumZoomScale = 3
        pinch(to: 1, "b", on: page)
        #expect(scroll.isZooming)
        pinch(to: 2, on: page)
        pinch(to: 9, "e", on: page)
        #expect(delegate.calls == ["begin", "zoom 2.0", "zoom 3.0", "end 3.0"] && !scroll.isZooming)
        let picture = page.elements[delegate.picture.nodeID]
        #expect(picture?.style["transform-origin"] == "0 0")
        #expect(picture?.style["transform"] == CGAffineTransform(scaleX: 3, y: 3).css)
        let element = page.elements[scroll.nodeID]
        #expect(element?.attributes["data-zoom"] == "1 3 3" && element?.style["overflow"] == "auto")
    }

    @Test("The app sets the scale, and shows a part of the content")
    func setting() {
        let page = page()
        (scroll.minimumZoomScale, scroll.maximumZoomScale) = (0.5, 4)
        scroll.zoomScale = 0.1
        #expect(scroll.zoomScale == 0.5 && delegate.picture.transform == CGAffineTransform(scaleX: 0.5, y: 0.5))
        page.report(#"{"i":"\#(scroll.nodeID)","k":"scroll","y":0,"w":400,"h":800,"c":800,"r":{}}"#)
        scroll.zoom(to: CGRect(x: 100, y: 50, width: 200, height: 100), animated: true)
        page.screen.drawIfNeeded()
        #expect(scroll.zoomScale == 2)
        #expect(page.elements[scroll.nodeID]?.attributes["data-zoom"] == "0.5 4 2 1 200 100")
        scroll.zoom(to: .zero, animated: true)
        scroll.setZoomScale(.nan, animated: true)
        #expect(scroll.zoomScale == 2)
    }

    @Test("A scroll view whose delegate gives no view has no scale")
    func without() {
        let page = page()
        scroll.delegate = nil
        scroll.maximumZoomScale = 2
        scroll.zoomScale = 2
        page.screen.drawIfNeeded()
        #expect(scroll.zoomScale == 1 && page.elements[scroll.nodeID]?.attributes["data-zoom"] == nil)
    }
}
