import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The HTML of a screen")
struct PreviewMarkupTests {
    @Test("has the signs of texts escaped where a mark or another letter makes a character of them, too")
    func marks() {
        let controller = UIViewController()
        let label = UILabel()
        label.text = "\u{D4E}<b>\u{D4E}&"
        let picture = UIImageView()
        (picture.isAccessibilityElement, picture.accessibilityLabel) = (true, "\"\u{301} title=x")
        controller.view.addSubview(label)
        controller.view.addSubview(picture)
        let page = Page { controller }
        page.screen.drawIfNeeded()
        let markup = Array(page.screen.html { _, _ in "" }.markup.utf8)
        #expect(markup.firstRange(of: Array("\u{D4E}&lt;b&gt;\u{D4E}&amp;".utf8)) != nil)
        #expect(markup.firstRange(of: Array("&quot;\u{301} title=x".utf8)) != nil)
        #expect(markup.firstRange(of: Array("\"\u{301}".utf8)) == nil)
    }
}
