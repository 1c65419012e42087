import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Layers and paths")
struct LayerTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        controller.view.addSubview(view)
        return Page { controller }
    }

    private final class Banner: UIView {
        override class var layerClass: AnyClass { CAGradientLayer.self }
    }

    @Test("draw gradients, as the layer of a view or in it")
    func gradients() throws {
        let banner = Banner()
        let own = try #require(banner.layer as? CAGradientLayer)
        own.colors = [UIColor.red.cgColor, UIColor.blue.cgColor]
        let inner = CAGradientLayer()
        inner.colors = [UIColor.white.cgColor, UIColor.black.cgColor]
        inner.locations = [0, 0.25]
        inner.startPoint = CGPoint(x: 0, y: 0.5)
        inner.endPoint = CGPoint(x: 1, y: 0.5)
        banner.layer.addSublayer(inner)
        let page = page(banner)
        let image = page.elements[banner.nodeID]?.style["background-image"]
        #expect(image == "linear-gradient(180deg, rgb(255 0 0), rgb(0 0 255))")
        let element = try #require(page.elements["\(banner.nodeID).layer0"])
        #expect(
            element.style["background-image"] == "linear-gradient(90deg, rgb(255 255 255) 0%, rgb(0 0 0) 25%)"
        )
        // A layer without a size fills the view, whose size the browser knows.
        #expect(element.style["inset"] == "0")
        inner.endPoint = CGPoint(x: 1, y: 1)
        inner.startPoint = .zero
        inner.locations = nil
        page.screen.drawIfNeeded()
        #expect(
            page.elements["\(banner.nodeID).layer0"]?.style["background-image"]
                == "linear-gradient(to bottom right, rgb(255 255 255), rgb(0 0 0))"
        )
        inner.removeFromSuperlayer()
        page.screen.drawIfNeeded()
        #expect(page.elements["\(banner.nodeID).layer0"] == nil && banner.layer.sublayers == nil)
    }

    @Test("draw shapes as images, with their lines")
    func shapes() throws {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let shape = CAShapeLayer()
        shape.path = UIBezierPath(rect: CGRect(x: 10, y: 20, width: 30, height: 40)).cgPath
        shape.fillColor = nil
        shape.strokeColor = UIColor.red.cgColor
        shape.lineWidth = 4
        shape.lineDashPattern = [6, 2]
        shape.frame = view.bounds
        view.layer.addSublayer(shape)
        let page = page(view)
        let image = try #require(page.elements["\(view.nodeID).layer0.shape"])
        #expect(image.style["left"] == "6px" && image.style["top"] == "16px" && image.style["width"] == "38px")
        let name = try #require(image.attributes["src"]?.dropFirst("image/".count))
        let file = try #require(page.screen.image(named: String(name)))
        let svg = String(decoding: file.bytes, as: UTF8.self)
        #expect(file.mediaType == "image/svg+xml")
        #expect(svg.contains(#"d="M10 20L40 20L40 60L10 60Z""#) && svg.contains(#"fill="none""#))
        #expect(svg.contains(#"stroke-dasharray="6 2""#) && svg.contains(#"stroke-width="4""#))
        shape.strokeEnd = 0.25
        shape.path = UIBezierPath(rect: CGRect(x: CGFloat.nan, y: 0, width: 1e9, height: 1)).cgPath
        page.screen.drawIfNeeded()
        #expect(page.elements["\(view.nodeID).layer0.shape"] == nil)
    }

    @Test("cut a view to a shape, and keep their own values beside those of the view")
    func masks() {
        let view = UIView()
        let mask = CAShapeLayer()
        mask.path = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 5, height: 5)).cgPath
        view.layer.mask = mask
        view.layer.backgroundColor = UIColor.red.cgColor
        view.layer.opacity = 0.5
        let page = page(view)
        #expect(page.elements[view.nodeID]?.style["clip-path"] == #"path("M0 0L5 0L5 5L0 5Z")"#)
        #expect(view.backgroundColor == UIColor(cgColor: UIColor.red.cgColor) && view.alpha == 0.5)
        #expect(mask.superlayer == nil && mask.opacity == 1)
        // Sizes that mean “any” are no trap.
        #expect(CSS.number(.greatestFiniteMagnitude) == "1000000000000")
        #expect(CSS.number(-.infinity) == "0")
    }

    @Test("are made of lines, curves and parts of circles")
    func paths() {
        let path = UIBezierPath()
        path.move(to: CGPoint(x: 1, y: 2))
        path.addLine(to: CGPoint(x: 3, y: 2))
        path.addQuadCurve(to: CGPoint(x: 5, y: 6), controlPoint: CGPoint(x: 4, y: 2))
        #expect(path.currentPoint == CGPoint(x: 5, y: 6))
        path.close()
        #expect(path.currentPoint == CGPoint(x: 1, y: 2))
        #expect(path.cgPath.svg == "M1 2L3 2Q4 2 5 6Z")
        path.apply(CGAffineTransform(translationX: 10, y: 0))
        #expect(path.bounds == CGRect(x: 11, y: 2, width: 4, height: 4))
        let half = UIBezierPath(
            arcCenter: .zero,
            radius: 10,
            startAngle: 0,
            endAngle: .pi,
            clockwise: true
        )
        // With the hands of a clock, from the right to the left, below the middle.
        #expect(abs(half.currentPoint.x + 10) < 0.001 && abs(half.bounds.maxY - 10) < 0.001)
        #expect(half.cgPath.steps.count == 3)
        let circle = UIBezierPath(arcCenter: .zero, radius: 1, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        #expect(circle.cgPath.steps.count == 5)
        let corner = UIBezierPath(
            roundedRect: CGRect(x: 0, y: 0, width: 10, height: 10),
            byRoundingCorners: .topLeft,
            cornerRadii: CGSize(width: 4, height: 4)
        )
        #expect(corner.cgPath.svg.hasPrefix("M0 4C0 1.791 1.791 0 4 0L10 0"))
        #expect(UIBezierPath().isEmpty && UIBezierPath().bounds.isNull)
    }

    @Test("blur what lies behind a view, and hold views over it")
    func blur() throws {
        let view = UIVisualEffectView(effect: UIBlurEffect(style: .systemMaterialDark))
        let label = UILabel()
        label.text = "Over it"
        view.contentView.addSubview(label)
        let page = page(view)
        #expect(page.elements[view.nodeID]?.style["backdrop-filter"] == "saturate(180%) blur(20px)")
        #expect(page.elements[view.nodeID]?.style["background-color"] == "rgb(37 37 37 / 0.72)")
        #expect(page.texts == ["Over it"])
        view.effect = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["backdrop-filter"] == nil)
    }

    @Test("are animated by an animator, which says once where it ended, and nothing when it was stopped")
    func animator() async {
        let view = UIView()
        let page = page(view)
        var ends: [UIViewAnimatingPosition] = []
        let animator = UIViewPropertyAnimator(duration: 0.2, dampingRatio: 1) { view.alpha = 0.5 }
        animator.addCompletion { ends.append($0) }
        #expect(animator.state == .inactive)
        animator.startAnimation()
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["transition"]?.hasPrefix("all 0.2s linear(") == true)
        #expect((animator.state, animator.isRunning) == (.active, true))
        animator.stopAnimation(false)
        #expect(animator.state == .stopped)
        animator.finishAnimation(at: .current)
        #expect(ends == [.current] && animator.state == .inactive)
        await withCheckedContinuation { done in
            UIViewPropertyAnimator.runningPropertyAnimator(
                withDuration: 0,
                delay: 0,
                animations: { view.alpha = 1 },
                completion: { position in
                    ends.append(position)
                    done.resume()
                }
            )
        }
        #expect(ends == [.current, .end])
    }
}
