import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Transforms in space")
struct Transform3DTests {
    private func isNear(_ one: CATransform3D, _ other: CATransform3D) -> Bool {
        zip(one.numbers, other.numbers).allSatisfy { abs($0 - $1) < 0.000_001 }
    }

    @Test("Turning about the depth is turning in the plane, and about other axes moves what is seen away")
    func rotations() {
        let flat = CATransform3DMakeAffineTransform(CGAffineTransform(rotationAngle: 0.5))
        #expect(isNear(CATransform3DMakeRotation(0.5, 0, 0, 1), flat))
        #expect(isNear(CATransform3DMakeRotation(0.5, 0, 0, 7), flat))
        let aboutX = CATransform3DMakeRotation(.pi / 2, 1, 0, 0)
        #expect(abs(aboutX.m23 - 1) < 0.000_001 && abs(aboutX.m32 + 1) < 0.000_001 && abs(aboutX.m22) < 0.000_001)
        let aboutY = CATransform3DMakeRotation(.pi / 2, 0, 1, 0)
        #expect(abs(aboutY.m13 + 1) < 0.000_001 && abs(aboutY.m31 - 1) < 0.000_001)
        #expect(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
        #expect(!CATransform3DIsAffine(aboutX) && CATransform3DIsAffine(flat))
    }

    @Test("What is done first comes first, and an inverse takes everything back")
    func arithmetic() {
        let moved = CATransform3DTranslate(CATransform3DMakeScale(2, 3, 4), 10, 20, 30)
        #expect(moved.m41 == 20 && moved.m42 == 60 && moved.m43 == 120)
        let scaled = CATransform3DScale(CATransform3DMakeTranslation(10, 20, 30), 2, 3, 4)
        #expect(scaled.m41 == 10 && scaled.m11 == 2 && scaled.m33 == 4)
        var tilted = CATransform3DRotate(scaled, 0.7, 1, 2, 3)
        tilted.m34 = -0.002
        #expect(isNear(CATransform3DConcat(tilted, CATransform3DInvert(tilted)), CATransform3DIdentity))
        let nothing = CATransform3D()
        #expect(CATransform3DEqualToTransform(CATransform3DInvert(nothing), nothing))
        let flat = CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
        #expect(CATransform3DGetAffineTransform(CATransform3DMakeAffineTransform(flat)) == flat)
    }

    @Test("A view and its layer have one transform, which the page gets as a matrix in space where it leaves the plane")
    func views() {
        let (controller, view) = (UIViewController(), UIView(frame: CGRect(x: 0, y: 0, width: 50, height: 50)))
        controller.view.addSubview(view)
        let page = Page { controller }
        let style = { (name: String) in
            page.screen.drawIfNeeded()
            return page.elements[view.nodeID]?.style[name]
        }
        view.layer.transform = CATransform3DMakeScale(2, 3, 1)
        #expect(view.transform == CGAffineTransform(scaleX: 2, y: 3) && style("transform") == "matrix(2,0,0,3,0,0)")
        var tilted = CATransform3DIdentity
        tilted.m34 = -1.0 / 1_200
        view.transform3D = CATransform3DTranslate(tilted, 0, 0, 24)
        #expect(style("transform") == "matrix3d(1,0,0,0,0,1,0,0,0,0,1,-0.0008333,0,0,24,0.98)")
        view.transform = .identity
        #expect(style("transform") == nil && CATransform3DIsIdentity(view.layer.transform))
    }

    @Test("What is in a layer is seen in its perspective, or moved about its middle")
    func sublayers() {
        let (controller, view) = (UIViewController(), UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100)))
        let (inner, layer) = (UIView(frame: CGRect(x: 0, y: 40, width: 20, height: 20)), CALayer())
        layer.frame = CGRect(x: 90, y: 40, width: 10, height: 20)
        layer.transform = CATransform3DMakeScale(1, 2, 1)
        view.addSubview(inner)
        view.layer.addSublayer(layer)
        controller.view.addSubview(view)
        let page = Page { controller }
        var perspective = CATransform3DIdentity
        perspective.m34 = -1.0 / 500
        view.layer.sublayerTransform = perspective
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["perspective"] == "500px")
        #expect(page.elements[inner.nodeID]?.style["transform"] == nil)
        #expect(page.elements["\(view.nodeID).layer0"]?.style["transform"] == "matrix(1,0,0,2,0,0)")
        view.layer.sublayerTransform = CATransform3DMakeScale(2, 1, 1)
        page.screen.drawIfNeeded()
        #expect(page.elements[view.nodeID]?.style["perspective"] == nil)
        #expect(page.elements[inner.nodeID]?.style["transform"] == "matrix(2,0,0,1,-40,0)")
        #expect(page.elements["\(view.nodeID).layer0"]?.style["transform"] == "matrix(2,0,0,2,45,0)")
    }

    @Test("A view has no transform where its own takes that of what is around it back, or where there is neither")
    func nothing() {
        let (controller, view) = (UIViewController(), UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100)))
        let inner = UIView(frame: CGRect(x: 0, y: 40, width: 20, height: 20))
        view.addSubview(inner)
        controller.view.addSubview(view)
        let page = Page { controller }
        let drawn = {
            page.screen.drawIfNeeded()
            return page.elements[inner.nodeID]?.style["transform"]
        }
        #expect(drawn() == nil)
        let back = CATransform3DConcat(CATransform3DMakeTranslation(-40, 0, 0), CATransform3DMakeScale(0.5, 1, 1))
        inner.transform3D = CATransform3DConcat(back, CATransform3DMakeTranslation(40, 0, 0))
        #expect(drawn() == "matrix(0.5,0,0,1,20,0)")
        view.layer.sublayerTransform = CATransform3DMakeScale(2, 1, 1)
        #expect(drawn() == nil)
        inner.transform3D = CATransform3DIdentity
        #expect(drawn() == "matrix(2,0,0,1,-40,0)")
    }

    @Test("Layers move through transforms, and turn about each axis")
    func animations() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        func values(_ path: String, _ end: Any) -> [String]? {
            let animation = CABasicAnimation(keyPath: path)
            animation.toValue = end
            animation.duration = 1
            return animation.parts(on: view.layer, timing: AnimationSpan(of: animation, now: 0)).first?.values
        }
        let turned = CATransform3DMakeScale(1, 1, 2)
        #expect(values("transform", turned) == ["matrix(1,0,0,1,0,0)", turned.css])
        #expect(turned.css == "matrix3d(1,0,0,0,0,1,0,0,0,0,2,0,0,0,0,1)")
        #expect(values("transform.rotation.x", 1.5) == ["x 0rad", "x 1.5rad"])
        #expect(values("transform.rotation.y", 2) == ["y 0rad", "y 2rad"])
    }
}
