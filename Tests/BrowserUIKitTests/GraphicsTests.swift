import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Images that are drawn")
struct GraphicsTests {
    private static let format: UIGraphicsImageRendererFormat = {
        let format = UIGraphicsImageRendererFormat()
        format.scale = 2
        return format
    }()
    private let renderer = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 10), format: format)

    private func text(of image: UIImage) -> String { String(decoding: image.bytes, as: UTF8.self) }

    /// The elements of an image, without what every image has around them.
    private func content(_ actions: (UIGraphicsImageRendererContext) -> Void) throws -> String {
        let text = text(of: renderer.image(actions: actions))
        return String(text[try #require(text.firstRange(of: "<defs")).lowerBound...].dropLast(6))
    }

    @Test("have the size and the scale of their renderer, and show the rectangle that it was given")
    func sizes() {
        let image = renderer.image { _ in }
        #expect(image.size == CGSize(width: 20, height: 10) && image.scale == 2)
        #expect(text(of: image).contains(#"viewBox="0 0 20 10" width="20""#))
        #expect(image.pngData() == nil && image.mediaType == "image/svg+xml")
        let odd = UIGraphicsImageRenderer(bounds: CGRect(x: -3, y: 2, width: 10.3, height: 5), format: Self.format)
        #expect(odd.image { _ in }.size == CGSize(width: 10.5, height: 5))
        #expect(text(of: odd.image { _ in }).contains(#"viewBox="-3 2 10.5 5""#))
        #expect(UIGraphicsImageRendererFormat.default().scale == UIScreen.main.scale)
        #expect(UIGraphicsImageRendererFormat(for: UITraitCollection()).scale == 2)
        let endless = UIGraphicsImageRenderer(size: CGSize(width: CGFloat.infinity, height: .nan), format: Self.format)
        #expect(endless.image { _ in }.size == .zero)
    }

    @Test("are drawn like other images by the format of those")
    func formats() throws {
        #expect(Self.format.preferredRange == .automatic)
        let raws: [UIGraphicsImageRendererFormat.Range] = [.unspecified, .automatic, .extended, .standard]
        #expect(raws.map(\.rawValue) == [-1, 0, 1, 2])
        let image = renderer.image { _ in }
        let format = image.imageRendererFormat
        #expect(format.scale == 2 && !format.opaque && format !== image.imageRendererFormat)
        #expect(UIGraphicsImageRenderer(size: image.size, format: format).image { _ in }.scale == 2)
    }

    @Test("hold what colours and paths draw, under the traits of now")
    func shapes() throws {
        let drawn = try content { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 1, y: 2, width: 3, height: 4))
            UIColor.blue.set()
            let path = UIBezierPath()
            path.move(to: .zero)
            path.addLine(to: CGPoint(x: 5, y: 5))
            path.lineWidth = 3
            path.lineCapStyle = .round
            path.stroke()
            path.usesEvenOddFillRule = true
            path.fill(with: .multiply, alpha: 0.5)
        }
        let red = ##"<path d="M1 2L4 2L4 6L1 6Z" fill="rgb(255 0 0)"/>"##
        let line =
            ##"<path d="M0 0L5 5" fill="none" stroke="rgb(0 0 255)" stroke-linecap="round" "##
            + ##"stroke-miterlimit="10" stroke-width="3"/>"##
        let filled =
            ##"<path d="M0 0L5 5" fill="rgb(0 0 255)" fill-rule="evenodd" opacity="0.5" "##
            + ##"style="mix-blend-mode:multiply"/>"##
        #expect(drawn == "<defs/>" + red + line + filled)
        UITraitCollection.current = UITraitCollection(userInterfaceStyle: .dark)
        defer { UITraitCollection.current = UITraitCollection() }
        let dark = try content { context in
            UIColor.label.setFill()
            context.fill(.zero)
        }
        #expect(dark.contains("rgb(255 255 255)"))
    }

    @Test("are moved, turned, cut and restored")
    func states() throws {
        let drawn = try content { renderer in
            let context = renderer.cgContext
            context.saveGState()
            context.translateBy(x: 2, y: 3)
            context.scaleBy(x: 2, y: 2)
            #expect(context.ctm == CGAffineTransform(a: 2, b: 0, c: 0, d: 2, tx: 2, ty: 3))
            context.clip(to: CGRect(x: 0, y: 0, width: 4, height: 4))
            UIBezierPath(rect: CGRect(x: 1, y: 1, width: 1, height: 1)).addClip()
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            context.restoreGState()
            context.move(to: .zero)
            context.translateBy(x: 10, y: 0)
            context.addLine(to: .zero)
            context.strokePath()
            #expect(context.path == nil)
        }
        let place = #"transform="matrix(2,0,0,2,2,3)""#
        let first = ##"<clipPath id="d0"><path d="M0 0L4 0L4 4L0 4Z" \##(place)/></clipPath>"##
        let second = ##"<clipPath clip-path="url(#d0)" id="d1"><path d="M1 1L2 1L2 2L1 2Z" \##(place)/></clipPath>"##
        #expect(drawn.hasPrefix("<defs>\(first)\(second)</defs>"))
        #expect(drawn.contains(##"<g clip-path="url(#d1)"><path d="M0 0L1 0L1 1L0 1Z""##))
        #expect(drawn.contains(#"<path d="M-10 0L0 0" fill="none""#))
        #expect(drawn.hasSuffix(#"stroke-width="1" transform="matrix(1,0,0,1,10,0)"/>"#))
    }

    @Test("mix what is cut with what is below, as a group")
    func blending() throws {
        let drawn = try content { renderer in
            let context = renderer.cgContext
            context.clip(to: CGRect(x: 0, y: 0, width: 4, height: 4))
            context.setBlendMode(.multiply)
            context.setAlpha(0.5)
            context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
        }
        let square = ##"<path d="M0 0L2 0L2 2L0 2Z" fill="rgb(0 0 0)" opacity="0.5"/>"##
        #expect(drawn.hasSuffix(##"<g clip-path="url(#d0)" style="mix-blend-mode:multiply">\##(square)</g>"##))
    }

    @Test("lose what UIRectFill puts a clear colour in place of")
    func replacing() throws {
        let rect = CGRect(x: 0, y: 0, width: 2, height: 2)
        let shape = ##"d="M0 0L2 0L2 2L0 2Z""##
        let drawn = try content { context in
            context.cgContext.setBlendMode(.multiply)
            UIRectFill(rect)
            UIColor.red.withAlphaComponent(0.5).setFill()
            UIRectFill(rect)
        }
        #expect(drawn.contains(##"fill="#fff"/><path \##(shape)/></mask></defs>"##))
        let black = ##"<path \##(shape) fill="rgb(0 0 0)"/>"##
        let red = ##"<path \##(shape) fill="rgb(255 0 0 / 0.5)"/>"##
        #expect(drawn.hasSuffix(##"</defs><g mask="url(#d0)">\##(black)</g>\##(red)"##))
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 4, height: 4), true, 1)
        UIColor.red.withAlphaComponent(0.5).setFill()
        UIRectFill(rect)
        let opaque = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(text(of: opaque).contains(black + red))
    }

    @Test("lose what UIRectFrame puts a clear line in place of, and only that line")
    func replacingFrames() throws {
        let rect = CGRect(x: 0, y: 0, width: 4, height: 4)
        let drawn = try content { context in
            context.cgContext.setBlendMode(.multiply)
            context.cgContext.setLineDash(phase: 0, lengths: [1])
            UIRectFill(rect)
            UIColor.red.withAlphaComponent(0.5).set()
            UIRectFrame(rect)
        }
        let between = ##"d="M0 0L4 0L4 4L0 4ZM1 1L3 1L3 3L1 3Z" fill-rule="evenodd""##
        #expect(drawn.contains(##"fill="#fff"/><path \##(between)/></mask></defs>"##))
        let line = ##"d="M0.5 0.5L3.5 0.5L3.5 3.5L0.5 3.5Z" fill="none" stroke="rgb(255 0 0 / 0.5)""##
        #expect(drawn.contains(##"</g><path \##(line)"##) && !drawn.contains("dasharray"))
        let mixed = try content { _ in
            UIColor.red.withAlphaComponent(0.5).set()
            UIRectFrameUsingBlendMode(rect, .multiply)
            UIRectFillUsingBlendMode(rect, .multiply)
        }
        #expect(!mixed.contains("mask") && mixed.components(separatedBy: "mix-blend-mode:multiply").count == 3)
        let flat = try content { _ in UIRectFrame(CGRect(x: 1, y: 1, width: 0.5, height: 9)) }
        #expect(flat.contains("M1.25 1.5L1.25 1.5L1.25 9.5L1.25 9.5Z"))
    }

    @Test("give up the path that is being made where a shape is drawn")
    func paths() throws {
        let rect = CGRect(x: 0, y: 0, width: 2, height: 2)
        _ = try content { renderer in
            let context = renderer.cgContext
            let shapes: [() -> Void] = [
                { context.fill(rect) }, { context.fill([]) }, { context.fillEllipse(in: rect) },
                { context.stroke(rect) }, { context.stroke(rect, width: 2) }, { context.strokeEllipse(in: rect) },
                { context.clip(to: rect) }, { context.clip() }, { context.fillPath() }, { context.strokePath() },
            ]
            for shape in shapes {
                context.addRect(rect)
                shape()
                #expect(context.path == nil)
            }
        }
    }

    @Test("turn round either way, as contexts and paths have it")
    func arcs() throws {
        let drawn = try content { context in
            let quarter = CGFloat.pi / 2
            context.cgContext.addArc(center: .zero, radius: 4, startAngle: 0, endAngle: quarter, clockwise: false)
            context.cgContext.fillPath(using: .evenOdd)
        }
        #expect(drawn.contains("M4 0C4 2.209 2.209 4 0 4") && drawn.contains("evenodd"))
    }

    @Test("hold texts, with nothing in them that could end the element")
    func texts() throws {
        let style = NSMutableParagraphStyle()
        style.alignment = .center
        let drawn = try content { _ in
            let attributes: [NSAttributedString.Key: Any] = [
                .font: UIFont.boldSystemFont(ofSize: 10), .foregroundColor: UIColor.red, .paragraphStyle: style,
            ]
            "<b>&\u{0}".draw(in: CGRect(x: 1, y: 2, width: 3, height: 4), withAttributes: attributes)
            NSString(string: "x").draw(at: CGPoint(x: 5, y: 6), withAttributes: attributes)
            "".draw(at: .zero)
        }
        #expect(drawn.contains(#"<foreignObject height="4" width="3" x="1" y="2"><div style="#))
        #expect(drawn.contains("overflow-wrap:anywhere;text-align:center;white-space:pre-wrap"))
        #expect(drawn.contains("text-align:center;white-space:pre;width:max-content"))
        #expect(drawn.contains("color:rgb(255 0 0);font-size:10px;font-weight:700"))
        #expect(drawn.contains(">&lt;b&gt;&amp;</span>") && drawn.contains(#"x="5" y="6""#))
        #expect(drawn.components(separatedBy: "foreignObject").count == 5)
    }

    @Test("are drawn to measures of texts, which break between words and within long ones")
    func measures() {
        let attributes: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 10)]
        let line = UIFont.systemFont(ofSize: 10).lineHeight
        func room(_ text: String, _ width: CGFloat, _ height: CGFloat = 0) -> [CGFloat] {
            let (size, context) = (CGSize(width: width, height: height), NSStringDrawingContext())
            let found = NSString(string: text).boundingRect(
                with: size,
                options: [.usesLineFragmentOrigin],
                attributes: attributes,
                context: context
            )
            #expect(context.totalBounds == found && found.origin == .zero)
            return [(found.width * 100).rounded() / 100, (found.height / line).rounded()]
        }
        let size = "ab".size(withAttributes: attributes)
        #expect(abs(size.width - 11.12) < 0.01 && abs(size.height - line) < 0.01)
        #expect("a\n\nb".size(withAttributes: attributes).height > 2.9 * line)
        #expect(NSAttributedString(string: "").size() == .zero)
        #expect(room("ab ab", 0) == [25.02, 1] && room("ab ab", 20) == [11.12, 2])
        #expect(room("abab", 12) == [11.12, 2] && room("日本語", 25) == [20, 2])
        #expect(room("ab ab ab", 12, 2.5 * line) == [11.12, 2])
        let one = "ab ab".boundingRect(with: CGSize(width: 5, height: 5), attributes: attributes, context: nil)
        #expect(abs(one.width - 25.02) < 0.01)
    }

    @Test("hold other images, symbols in their colour")
    func images() throws {
        let symbol = try #require(UIImage(systemName: "star"))
        let drawn = try content { _ in
            symbol.draw(at: CGPoint(x: 1, y: 2))
            let place = CGRect(x: 0, y: 0, width: 8, height: 8)
            symbol.withTintColor(.red).draw(in: place, blendMode: .normal, alpha: 0.5)
        }
        #expect(drawn.contains(#" href="data:image/svg+xml;base64,"#))
        #expect(drawn.contains(#"<mask id="d0" style="mask-type:alpha"><image"#))
        #expect(drawn.contains(##"<rect fill="rgb(255 0 0)" height="8" mask="url(#d0)" opacity="0.5" width="8""##))
        #expect(UIImage(systemName: "star")?.jpegData(compressionQuality: 1) == nil)
    }

    @Test("are made by the older functions, too, and shown by views")
    func functions() throws {
        #expect(UIGraphicsGetCurrentContext() == nil && UIGraphicsGetImageFromCurrentImageContext() == nil)
        UIRectFill(.zero)
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 4, height: 4), true, 3)
        UIRectFrame(CGRect(x: 0, y: 0, width: 4, height: 4))
        let image = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() == nil && image.scale == 3)
        #expect(text(of: image).contains(#"<defs/><path d="M0 0L4 0L4 4L0 4Z"/><path d="M0.5 0.5L3.5 0.5"#))
        let (view, controller) = (UIImageView(image: image), UIViewController())
        controller.view.addSubview(view)
        let page = Page { controller }
        let source = try #require(page.elements["\(view.nodeID).image"]?.attributes["src"])
        #expect(page.screen.image(named: String(source.dropFirst(6)))?.mediaType == "image/svg+xml")
    }

    @Test("Transforms are put together and taken back")
    func transforms() {
        let turned = CGAffineTransform(rotationAngle: .pi / 2).translatedBy(x: 10, y: 0)
        let point = CGPoint(x: 1, y: 0).applying(turned)
        #expect(abs(point.x) < 0.001 && abs(point.y - 11) < 0.001)
        let back = point.applying(turned.inverted())
        #expect(abs(back.x - 1) < 0.001 && abs(back.y) < 0.001)
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat && CGAffineTransform.identity.scaledBy(x: 2, y: 3).d == 3)
        #expect(CGAffineTransform.identity.rotated(by: 0) == .identity)
    }
}
