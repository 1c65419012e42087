import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The content of rows, as values")
struct ContentConfigurationTests {
    private func page(_ configuration: UIListContentConfiguration) -> (page: Page, view: UIListContentView) {
        let controller = UIViewController()
        let view = UIListContentView(configuration: configuration)
        view.translatesAutoresizingMaskIntoConstraints = false
        controller.view.addSubview(view)
        return (Page { controller }, view)
    }

    @Test("has the look of its style, and texts that follow the user's text size")
    func styles() {
        let cell = UIListContentConfiguration.cell()
        #expect(!cell.prefersSideBySideTextAndSecondaryText && cell.textProperties.color == .label)
        #expect(cell.textProperties.adjustsFontForContentSizeCategory && cell.textProperties.numberOfLines == 0)
        let subtitle = UIListContentConfiguration.subtitleCell()
        #expect(!subtitle.prefersSideBySideTextAndSecondaryText)
        #expect(subtitle.secondaryTextProperties.color == .secondaryLabel)
        let value = UIListContentConfiguration.valueCell()
        #expect(value.prefersSideBySideTextAndSecondaryText)
        #expect(value.secondaryTextProperties.font == value.textProperties.font)
        let header = UIListContentConfiguration.groupedHeader()
        #expect(header.textProperties.transform == .uppercase && header.textProperties.color == .secondaryLabel)
        #expect(UIListContentConfiguration.groupedFooter().textProperties.transform == .none)
        #expect(UIListContentConfiguration.plainHeader().textProperties.font.weight == .semibold)
        #expect(UIListContentConfiguration.plainFooter().textProperties.color == .secondaryLabel)
        #expect(UIListContentConfiguration.sidebarCell().text == nil)
    }

    @Test("is copied with what holds it: a change of the copy leaves the other")
    func copies() {
        let first = UIListContentConfiguration.cell()
        var second = first
        second.text = "Second"
        second.textProperties.numberOfLines = 2
        #expect(first.text == nil && first.textProperties.numberOfLines == 0)
    }

    @Test("writes letters as its transform says")
    func transforms() {
        var configuration = UIListContentConfiguration.groupedHeader()
        configuration.text = "Paid orders"
        let (page, view) = page(configuration)
        #expect(page.id(text: "PAID ORDERS") != nil)
        let transforms: [(transform: UIListContentConfiguration.TextProperties.TextTransform, text: String)] = [
            (.none, "Paid orders"), (.lowercase, "paid orders"), (.capitalized, "Paid Orders"),
        ]
        for (transform, text) in transforms {
            configuration.textProperties.transform = transform
            view.configuration = configuration
            page.screen.drawIfNeeded()
            #expect(page.id(text: text) != nil)
        }
        configuration.attributedText = NSAttributedString(string: "As it is")
        configuration.textProperties.transform = .uppercase
        view.configuration = configuration
        page.screen.drawIfNeeded()
        #expect(page.id(text: "As it is") != nil)
    }

    @Test("shows the texts that there are, below each other or side by side")
    func texts() throws {
        var configuration = UIListContentConfiguration.subtitleCell()
        configuration.text = "Title"
        let (page, view) = page(configuration)
        #expect(page.texts == ["Title"])
        configuration.secondaryText = "Subtitle"
        view.configuration = configuration
        page.screen.drawIfNeeded()
        let title = try #require(page.id(text: "Title"))
        let subtitle = try #require(page.id(text: "Subtitle"))
        #expect(page.elements[subtitle]?.style["margin-top"] == "3px")
        let stack = try #require(page.elements.values.first(where: { $0.children == [title, subtitle] }))
        #expect(stack.style["flex-direction"] == "column")
        configuration.prefersSideBySideTextAndSecondaryText = true
        configuration.textToSecondaryTextHorizontalPadding = 20
        view.configuration = configuration
        page.screen.drawIfNeeded()
        #expect(page.elements[subtitle]?.style["margin-inline-start"] == "20px")
        #expect(page.elements[subtitle]?.style["margin-top"] == nil)
        configuration.text = ""
        view.configuration = configuration
        page.screen.drawIfNeeded()
        #expect(page.texts == ["Subtitle"])
    }

    @Test("tells a cell once of a state, until it is asked for again or the surroundings are others")
    func updates() {
        var updates = ConfigurationUpdates()
        let (light, dark) = (UITraitCollection(), UITraitCollection(userInterfaceStyle: .dark))
        let first = [light, light, dark, dark].map { updates.take($0) }
        #expect(first == [true, false, true, false])
        updates.isNeeded = true
        let second = [dark, dark].map { updates.take($0) }
        #expect(second == [true, false])
    }

    @Test("knows a cell that is new as one that nothing has happened to")
    func states() {
        let state = UICellConfigurationState(traitCollection: UITraitCollection(userInterfaceStyle: .dark))
        #expect(state.traitCollection.userInterfaceStyle == .dark)
        let flags = [
            state.isSelected, state.isHighlighted, state.isDisabled, state.isFocused, state.isEditing, state.isSwiped,
            state.isExpanded, state.isReordering,
        ]
        #expect(!flags.contains(true))
    }

    @Test("A slider keeps its number between its ends, also where these move")
    func slider() {
        let slider = UISlider()
        #expect(slider.value == 0 && slider.minimumValue == 0 && slider.maximumValue == 1)
        slider.value = 5
        #expect(slider.value == 1)
        slider.setValue(-5, animated: true)
        #expect(slider.value == 0)
        slider.maximumValue = 10
        slider.value = 8
        slider.maximumValue = 4
        #expect(slider.value == 4)
        slider.minimumValue = 4
        slider.value = .nan
        #expect(slider.value == 4)
    }

    @Test("A stepper keeps its number between its ends, also where these move")
    func stepper() {
        let stepper = UIStepper()
        #expect(stepper.value == 0 && stepper.maximumValue == 100 && stepper.stepValue == 1)
        stepper.value = 500
        #expect(stepper.value == 100)
        stepper.maximumValue = 40
        #expect(stepper.value == 40)
        stepper.value = -3
        #expect(stepper.value == 0)
        stepper.minimumValue = 10
        #expect(stepper.value == 10)
    }
}
