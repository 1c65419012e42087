import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The geometry of views")
struct GeometryTests {
    @Test("Another size of the bounds is taken about the middle of a view, and leaves one of the same size where it is")
    func bounds() {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 50))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 100, height: 50))
        view.bounds.size = CGSize(width: 60, height: 30)
        #expect(view.frame == CGRect(x: 30, y: 30, width: 60, height: 30))
        view.bounds = CGRect(x: 0, y: 0, width: 60, height: 30)
        #expect(view.frame == CGRect(x: 30, y: 30, width: 60, height: 30))
        view.bounds.size.width = 100
        #expect(view.frame == CGRect(x: 10, y: 30, width: 100, height: 30))
    }

    @Test("Another size of the bounds leaves the position of a layer, and another position its size")
    func layers() {
        let layer = CALayer()
        layer.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
        #expect(layer.position == CGPoint(x: 60, y: 45))
        layer.bounds = CGRect(x: 0, y: 0, width: 20, height: 10)
        #expect(layer.position == CGPoint(x: 60, y: 45))
        #expect(layer.frame == CGRect(x: 50, y: 40, width: 20, height: 10))
        layer.position = CGPoint(x: 10, y: 5)
        #expect(layer.frame == CGRect(x: 0, y: 0, width: 20, height: 10))
    }

    @Test("Another size leaves the middle of layout attributes, and another middle their size")
    func attributes() {
        let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(row: 0, section: 0))
        attributes.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
        attributes.size = CGSize(width: 20, height: 10)
        #expect(attributes.center == CGPoint(x: 60, y: 45))
        #expect(attributes.frame == CGRect(x: 50, y: 40, width: 20, height: 10))
        attributes.center = CGPoint(x: 10, y: 5)
        #expect(attributes.frame == CGRect(x: 0, y: 0, width: 20, height: 10))
    }

    @Test("The layer of a view has the frame, the opacity, the colour and the visibility of the view, and sets them")
    func ownLayer() {
        let view = UIView(frame: CGRect(x: 1, y: 2, width: 30, height: 40))
        view.layer.frame.origin.x = 5
        view.layer.opacity = 0.5
        view.layer.isHidden = true
        view.layer.backgroundColor = UIColor.red.cgColor
        #expect(view.frame == CGRect(x: 5, y: 2, width: 30, height: 40))
        #expect(view.alpha == 0.5 && view.isHidden && view.backgroundColor == .red)
        view.alpha = 1
        view.isHidden = false
        view.backgroundColor = nil
        #expect(view.layer.opacity == 1 && !view.layer.isHidden && view.layer.backgroundColor == nil)
    }

    @Test("Points and rectangles are the same places in views that lie in each other, beside each other, or in none")
    func conversions() {
        let (root, outer, inner, beside) = (UIView(), UIView(), UIView(), UIView())
        outer.frame = CGRect(x: 10, y: 20, width: 100, height: 100)
        inner.frame = CGRect(x: 5, y: 6, width: 50, height: 50)
        beside.frame = CGRect(x: 200, y: 0, width: 50, height: 50)
        outer.addSubview(inner)
        root.addSubview(outer)
        root.addSubview(beside)
        let point = CGPoint(x: 1, y: 1)
        #expect(inner.convert(point, to: outer) == CGPoint(x: 6, y: 7))
        #expect(inner.convert(point, to: nil) == CGPoint(x: 16, y: 27))
        #expect(inner.convert(point, to: beside) == CGPoint(x: -184, y: 27))
        #expect(inner.convert(point, from: outer) == CGPoint(x: -4, y: -5))
        #expect(inner.convert(inner.convert(point, to: beside), from: beside) == point)
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(inner.convert(rect, to: outer) == CGRect(x: 6, y: 8, width: 3, height: 4))
        #expect(inner.convert(rect, from: nil) == CGRect(x: -14, y: -24, width: 3, height: 4))
    }

    @Test("Insets leave a rectangle inside, and none leave it as it is")
    func insets() {
        let rect = CGRect(x: 10, y: 20, width: 100, height: 50)
        let insets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(rect.inset(by: insets) == CGRect(x: 12, y: 21, width: 94, height: 46))
        #expect(rect.inset(by: UIEdgeInsets.zero) == rect)
    }

    @Test("Margins go by the direction of the language, and by sides")
    func margins() {
        let view = UIView()
        #expect(view.layoutMargins == UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8))
        view.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let expected = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        #expect(view.directionalLayoutMargins == expected)
    }

    @Test("A point is in a view that has no size yet, and else where the bounds are")
    func hits() {
        let (outer, inner) = (UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 50)), UIView())
        outer.addSubview(inner)
        #expect(outer.point(inside: CGPoint(x: 99, y: 49), with: nil))
        #expect(!outer.point(inside: CGPoint(x: 100, y: 10), with: nil))
        #expect(inner.point(inside: CGPoint(x: 500, y: 500), with: nil))
        #expect(outer.hitTest(CGPoint(x: 1, y: 1), with: UIEvent(touchedView: inner)) === inner)
        outer.isUserInteractionEnabled = false
        #expect(outer.hitTest(CGPoint(x: 1, y: 1), with: UIEvent(touchedView: inner)) == nil)
        outer.isUserInteractionEnabled = true
        outer.alpha = 0.001
        #expect(outer.hitTest(CGPoint(x: 1, y: 1), with: UIEvent(touchedView: inner)) == nil)
        outer.alpha = 1
        outer.isHidden = true
        #expect(outer.hitTest(CGPoint(x: 1, y: 1), with: UIEvent(touchedView: inner)) == nil)
    }
}
