import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("A configured button")
struct ButtonTests {
    private func page(_ view: UIView) -> Page {
        let controller = UIViewController()
        controller.view.addSubview(view)
        return Page { controller }
    }

    private func background(of button: UIButton, on page: Page) -> String? {
        page.elements["\(button.nodeID).background"]?.style["background-color"]
    }

    @Test("shows title, subtitle and image at the side that the configuration says")
    func content() throws {
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Buy"
        configuration.subtitle = "Ships today"
        configuration.image = UIImage(systemName: "cart")
        configuration.imagePlacement = .trailing
        configuration.imagePadding = 6
        configuration.cornerStyle = .capsule
        let button = UIButton(configuration: configuration)
        let page = page(button)
        let element = try #require(page.elements[button.nodeID])
        #expect(element.style["flex-direction"] == "row-reverse" && element.style["gap"] == "6px")
        #expect(element.style["border-radius"] == "999px")
        #expect(element.style["color"] == UIColor.white.css)
        #expect(background(of: button, on: page) == "var(--tint)")
        #expect(Set(page.texts) == ["Buy", "Ships today"])
        #expect(page.elements["\(button.nodeID).image"]?.style["--tint"] == UIColor.white.css)
        #expect(element.attributes["aria-label"] == "Buy")
    }

    @Test(
        "has the colours of its style, until the app gives others",
        arguments: ["plain", "tinted", "gray", "bordered"]
    )
    func styles(name: String) {
        let styles: [String: UIButton.Configuration] = [
            "plain": .plain(), "tinted": .tinted(), "gray": .gray(), "bordered": .bordered(),
        ]
        let expected = [
            "plain": "transparent", "tinted": "color-mix(in srgb, var(--tint) 18%, transparent)",
            "gray": UIColor.tertiarySystemFill.css, "bordered": UIColor.tertiarySystemFill.css,
        ]
        let button = UIButton(configuration: styles[name] ?? .plain())
        let page = page(button)
        #expect(background(of: button, on: page) == expected[name])
        #expect(page.elements[button.nodeID]?.style["color"] == "var(--tint)")
        button.configuration?.background.backgroundColor = .systemGreen
        button.configuration?.baseForegroundColor = .black
        page.screen.drawIfNeeded()
        #expect(background(of: button, on: page) == UIColor.systemGreen.css)
        #expect(page.elements[button.nodeID]?.style["color"] == UIColor.black.css)
    }

    @Test("changes by its handler when its state does, and not otherwise")
    func handler() throws {
        let button = UIButton(configuration: .filled())
        var states: [UIControl.State] = []
        button.configurationUpdateHandler = { button in
            states.append(button.state)
            button.configuration?.title = button.isEnabled ? "Send" : "Sending"
            button.configuration?.showsActivityIndicator = !button.isEnabled
        }
        let page = page(button)
        #expect(page.texts == ["Send"])
        button.isEnabled = false
        page.screen.drawIfNeeded()
        #expect(page.texts == ["Sending"])
        #expect(page.elements["\(button.nodeID).spinner"] != nil)
        #expect(background(of: button, on: page) == UIColor.tertiarySystemFill.css)
        button.isEnabled = false
        button.tintColor = .red
        page.screen.drawIfNeeded()
        #expect(states == [.normal, .disabled])
    }

    @Test("takes font and colour of the title from its attributes and their transformer")
    func attributes() {
        var configuration = UIButton.Configuration.plain()
        var title = AttributedString("Sale")
        title.foregroundColor = .systemRed
        configuration.attributedTitle = title
        configuration.titleTextAttributesTransformer = UIConfigurationTextAttributesTransformer { incoming in
            var outgoing = incoming
            outgoing.font = .boldSystemFont(ofSize: 30)
            return outgoing
        }
        let button = UIButton(configuration: configuration)
        let page = page(button)
        let style = page.elements["\(button.nodeID).title"]?.style
        #expect(style?["font-size"] == "30px" && style?["font-weight"] == "700")
        #expect(style?["color"] == UIColor.systemRed.css)
    }

    @Test("is selected and no longer by taps where it says so")
    func selection() {
        let button = UIButton(configuration: .gray())
        button.changesSelectionAsPrimaryAction = true
        let page = page(button)
        page.tap(button.nodeID)
        #expect(button.isSelected)
        #expect(background(of: button, on: page) == "color-mix(in srgb, var(--tint) 18%, transparent)")
        page.tap(button.nodeID)
        #expect(!button.isSelected)
    }

    @Test("takes symbols in sizes, weights and colours")
    func symbols() throws {
        let large = UIImage.SymbolConfiguration(pointSize: 34, weight: .bold, scale: .medium)
        let image = try #require(UIImage(systemName: "star", withConfiguration: large))
        #expect(image.size == CGSize(width: 40, height: 40))
        #expect(String(bytes: image.bytes, encoding: .utf8)?.contains(#"stroke-width="2.6""#) == true)
        let red = image.applyingSymbolConfiguration(UIImage.SymbolConfiguration(paletteColors: [.systemRed, .white]))
        #expect(red?.tint == .systemRed && red?.size == image.size)
        #expect(image.withTintColor(.systemBlue).tint == .systemBlue)
        let view = UIImageView(image: red)
        view.preferredSymbolConfiguration = UIImage.SymbolConfiguration(scale: .large)
        #expect(view.intrinsicContentSize.width == 52)
        let page = page(view)
        #expect(page.elements[view.nodeID]?.style["--tint"] == UIColor.systemRed.css)
    }
}
