import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Paths and transforms in the plane")
struct PathTests {
    private func isNear(_ one: CGPoint, _ other: CGPoint) -> Bool {
        abs(one.x - other.x) < 1e-9 && abs(one.y - other.y) < 1e-9
    }

    @Test("A path goes on from where its last step has led, and back to where it began")
    func currentPoint() {
        let path = UIBezierPath()
        #expect(path.isEmpty && path.currentPoint == .zero && path.bounds.isNull)
        path.move(to: CGPoint(x: 1, y: 2))
        path.addLine(to: CGPoint(x: 5, y: 2))
        #expect(path.currentPoint == CGPoint(x: 5, y: 2) && !path.isEmpty)
        path.addQuadCurve(to: CGPoint(x: 5, y: 8), controlPoint: CGPoint(x: 9, y: 5))
        #expect(path.currentPoint == CGPoint(x: 5, y: 8))
        path.addCurve(
            to: CGPoint(x: 1, y: 8),
            controlPoint1: CGPoint(x: 4, y: 10),
            controlPoint2: CGPoint(x: 2, y: 10)
        )
        #expect(path.currentPoint == CGPoint(x: 1, y: 8))
        path.close()
        #expect(path.currentPoint == CGPoint(x: 1, y: 2))
        #expect(path.bounds == CGRect(x: 1, y: 2, width: 8, height: 8))
        path.removeAllPoints()
        #expect(path.isEmpty && path.currentPoint == .zero)
    }

    @Test("Rectangles and ovals fill the rectangle that they are made of")
    func shapes() {
        let rect = CGRect(x: 10, y: 20, width: 30, height: 40)
        #expect(UIBezierPath(rect: rect).bounds == rect)
        #expect(UIBezierPath(ovalIn: rect).bounds == rect)
        #expect(UIBezierPath(roundedRect: rect, cornerRadius: 5).bounds == rect)
        #expect(UIBezierPath(roundedRect: rect, cornerRadius: 500).bounds == rect)
        #expect(UIBezierPath(rect: rect).cgPath == CGPath(rect: rect, transform: nil))
        #expect(UIBezierPath(ovalIn: rect).cgPath == CGPath(ellipseIn: rect, transform: nil))
    }

    @Test("Only the corners that were named are round")
    func corners() {
        let rect = CGRect(x: 0, y: 0, width: 20, height: 20)
        let radii = CGSize(width: 5, height: 5)
        let all = UIBezierPath(roundedRect: rect, byRoundingCorners: .allCorners, cornerRadii: radii)
        let some = UIBezierPath(roundedRect: rect, byRoundingCorners: [.topRight, .bottomLeft], cornerRadii: radii)
        #expect(all.cgPath == UIBezierPath(roundedRect: rect, cornerRadius: 5).cgPath && all.cgPath != some.cgPath)
        let points = Set(some.cgPath.steps.flatMap(\.points).map { [$0.x, $0.y] })
        #expect(points.contains([0, 0]) && points.contains([20, 20]))
        #expect(!points.contains([20, 0]) && !points.contains([0, 20]))
    }

    @Test("An arc ends at its angle, by either way around")
    func arcs() {
        let center = CGPoint(x: 10, y: 10)
        let path = UIBezierPath(arcCenter: center, radius: 5, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        #expect(isNear(path.currentPoint, CGPoint(x: 10, y: 15)))
        #expect(path.cgPath.steps.count == 2)
        let other = UIBezierPath(arcCenter: center, radius: 5, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        #expect(isNear(other.currentPoint, CGPoint(x: 10, y: 15)))
        #expect(other.cgPath.steps.count > path.cgPath.steps.count)
        #expect(other.bounds.minX < 10 && path.bounds.minX >= 10 - 1e-9)
        let whole = UIBezierPath(arcCenter: center, radius: 5, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        #expect(isNear(whole.currentPoint, CGPoint(x: 15, y: 10)))
    }

    @Test("A path takes in another one, and is moved and scaled whole")
    func changes() {
        let path = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
        path.append(UIBezierPath(rect: CGRect(x: 20, y: 0, width: 10, height: 10)))
        #expect(path.bounds == CGRect(x: 0, y: 0, width: 30, height: 10))
        path.apply(CGAffineTransform(scaleX: 2, y: 3))
        #expect(path.bounds == CGRect(x: 0, y: 0, width: 60, height: 30))
        #expect(path.currentPoint == CGPoint(x: 40, y: 0))
        path.apply(CGAffineTransform(translationX: 5, y: 7))
        #expect(path.bounds.origin == CGPoint(x: 5, y: 7))
        let copy = UIBezierPath(cgPath: path.cgPath)
        #expect(copy.cgPath == path.cgPath && copy.currentPoint == path.currentPoint)
    }

    @Test("A transform does what was added to it first")
    func order() {
        let point = CGPoint(x: 1, y: 1)
        let moved = CGAffineTransform(translationX: 10, y: 0).scaledBy(x: 2, y: 2)
        #expect(point.applying(moved) == CGPoint(x: 12, y: 2))
        let scaled = CGAffineTransform(scaleX: 2, y: 2).translatedBy(x: 10, y: 0)
        #expect(point.applying(scaled) == CGPoint(x: 22, y: 2))
        let both = CGAffineTransform(scaleX: 2, y: 2).concatenating(CGAffineTransform(translationX: 10, y: 0))
        #expect(both == moved)
    }

    @Test("A transform turns with the hands of a clock, as the y axis leads downwards")
    func rotation() {
        let quarter = CGAffineTransform(rotationAngle: .pi / 2)
        #expect(isNear(CGPoint(x: 1, y: 0).applying(quarter), CGPoint(x: 0, y: 1)))
        let whole = quarter.rotated(by: .pi / 2).rotated(by: .pi)
        #expect(isNear(CGPoint(x: 3, y: 4).applying(whole), CGPoint(x: 3, y: 4)))
    }

    @Test("A transform is taken back by its inverse, where there is one")
    func inverses() {
        let transform = CGAffineTransform(rotationAngle: 0.3).translatedBy(x: 4, y: -2).scaledBy(x: 3, y: 0.5)
        let point = CGPoint(x: 7, y: -5)
        #expect(isNear(point.applying(transform).applying(transform.inverted()), point))
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat)
        #expect(CGAffineTransform.identity.isIdentity && CGAffineTransform.identity.inverted().isIdentity)
        #expect(!CGAffineTransform().isIdentity)
    }
}
