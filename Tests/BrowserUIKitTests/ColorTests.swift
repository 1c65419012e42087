import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Colours")
struct ColorTests {
    private let light = UITraitCollection(userInterfaceStyle: .light)
    private let dark = UITraitCollection(userInterfaceStyle: .dark)

    /// The parts of a colour under some traits: red, green, blue and opacity.
    private func parts(_ color: UIColor, _ traits: UITraitCollection) throws -> [CGFloat] {
        try #require(color.resolvedColor(with: traits).usual.light.components)
    }

    @Test("of a provider are asked for with the traits that they are shown under")
    func providers() {
        let color = UIColor { traits in
            if traits.accessibilityContrast == .high { return .green }
            return traits.userInterfaceStyle == .dark ? .red : .blue
        }
        #expect(color.resolvedColor(with: light) == .blue)
        #expect(color.resolvedColor(with: dark) == .red)
        #expect(color.resolvedColor(with: UITraitCollection(accessibilityContrast: .high)) == .green)
        #expect(color != .blue && color.resolvedColor(with: light).resolvedColor(with: dark) == .blue)
    }

    @Test("give one that never changes, of the traits that are the present ones")
    func present() {
        let color = UIColor { $0.userInterfaceStyle == .dark ? .red : .blue }
        light.performAsCurrent { #expect(color.cgColor == UIColor.blue.cgColor) }
        dark.performAsCurrent { #expect(color.cgColor == UIColor.red.cgColor) }
    }

    @Test("are equal where they look the same everywhere, however they were made")
    func equality() {
        #expect(UIColor(white: 1, alpha: 1) == .white && UIColor(red: 1, green: 0, blue: 0, alpha: 1) == .red)
        #expect(UIColor(cgColor: CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 0)) == .clear)
        #expect(UIColor.label != .black && UIColor.systemBackground != .white)
        #expect(Set([UIColor.red, UIColor(red: 1, green: 0, blue: 0, alpha: 1), .blue]).count == 2)
    }

    @Test("keep their sides when they get another opacity")
    func opacity() throws {
        let half = UIColor.label.withAlphaComponent(0.5)
        #expect(try parts(half, light) == [0, 0, 0, 0.5])
        #expect(try parts(half, dark) == [1, 1, 1, 0.5])
        #expect(half.withAlphaComponent(1) == .label)
        #expect(UIColor.red.withAlphaComponent(0.25).cgColor.alpha == 0.25)
    }

    @Test("reach the page with both of their sides, so that it needs no other drawing when it becomes dark")
    func css() {
        UITraitCollection().performAsCurrent {
            #expect(UIColor.red.css == "rgb(255 0 0)")
            #expect(UIColor.red.withAlphaComponent(0.5).css == "rgb(255 0 0 / 0.5)")
            #expect(UIColor.label.css == "light-dark(rgb(0 0 0), rgb(255 255 255))")
            #expect(UIColor.tintColor.css == "var(--tint)")
            #expect(UIColor.systemBackground.css.contains("var(--elevated-background"))
        }
        UITraitCollection(accessibilityContrast: .high).performAsCurrent {
            #expect(UIColor.systemRed.css == "light-dark(rgb(215 0 21), rgb(255 105 97))")
        }
    }

    @Test("that are named are the same on light and on dark, and those of the system are not")
    func sides() {
        let fixed: [UIColor] = [
            .black, .white, .red, .green, .blue, .yellow, .orange, .purple, .brown, .cyan, .magenta, .gray, .lightGray,
            .darkGray, .clear, .darkText, .lightText,
        ]
        for color in fixed { #expect(color.resolvedColor(with: light) == color.resolvedColor(with: dark)) }
        let following: [UIColor] = [
            .label, .secondaryLabel, .separator, .opaqueSeparator, .placeholderText, .link, .systemBackground,
            .systemGroupedBackground, .systemFill, .systemBlue, .systemGreen, .systemRed, .systemOrange, .systemYellow,
            .systemPurple, .systemTeal, .systemPink, .systemMint, .systemCyan, .systemBrown, .systemIndigo,
        ]
        for color in following { #expect(color.resolvedColor(with: light) != color.resolvedColor(with: dark)) }
    }

    @Test("of greys become lighter one by one, and darker where the appearance is dark")
    func greys() throws {
        let greys: [UIColor] = [.systemGray, .systemGray2, .systemGray3, .systemGray4, .systemGray5, .systemGray6]
        let onLight = try greys.map { try parts($0, light)[0] }
        let onDark = try greys.map { try parts($0, dark)[0] }
        #expect(onLight == onLight.sorted() && Set(onLight).count == 6)
        #expect(onDark == onDark.sorted(by: >) && Set(onDark).count == 6)
    }

    @Test("of labels and fills are weaker one by one on either side")
    func strengths() throws {
        let labels: [UIColor] = [.label, .secondaryLabel, .tertiaryLabel, .quaternaryLabel]
        let fills: [UIColor] = [.systemFill, .secondarySystemFill, .tertiarySystemFill, .quaternarySystemFill]
        for colors in [labels, fills] {
            for traits in [light, dark] {
                let strengths = try colors.map { try parts($0, traits)[3] }
                #expect(strengths == strengths.sorted(by: >) && Set(strengths).count == 4)
            }
        }
    }

    @Test("of text stand out from the background of the interface, the more so with more contrast")
    func contrast() throws {
        for style in [UIUserInterfaceStyle.light, .dark] {
            var (usual, high) = (UITraitCollection(userInterfaceStyle: style), UITraitCollection())
            (high.userInterfaceStyle, high.accessibilityContrast) = (style, .high)
            usual.accessibilityContrast = .normal
            for color in [UIColor.secondaryLabel, .tertiaryLabel, .quaternaryLabel] {
                #expect(try parts(color, high)[3] > parts(color, usual)[3])
            }
        }
    }
}
