import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Accessories of cells in lists")
struct CellAccessoryTests {
    private let cell = UICollectionViewListCell(frame: .zero)
    private let control = UISwitch()
    private let page: Page

    init() {
        let (controller, cell) = (UIViewController(), cell)
        controller.view.addSubview(cell)
        page = Page { controller }
    }

    private func style(_ name: String) -> String? { page.elements[cell.contentView.nodeID]?.style[name] }

    @Test("can be views of the app's own, which are used and leave the content its room")
    func custom() {
        var isOn: [Bool] = []
        control.addAction(
            UIAction { action in isOn.append((action.sender as? UISwitch)?.isOn ?? false) },
            for: .valueChanged
        )
        cell.accessories = [.customView(configuration: .init(customView: control, placement: .trailing()))]
        page.screen.drawIfNeeded()
        #expect(control.superview === cell && style("padding-inline-end") == "75px")
        #expect(page.elements["\(cell.nodeID).accessory0"]?.children == [control.nodeID])
        page.tap(control.nodeID)
        #expect(isOn == [true])
        cell.accessories = [.customView(configuration: .init(customView: control, placement: .leading()))]
        page.screen.drawIfNeeded()
        #expect(style("padding-inline-start") == "75px" && style("padding-inline-end") == nil)
        let own = page.elements["\(cell.nodeID).accessory0"]
        #expect(own?.attributes["class"] == "accessory own leading" && control.superview === cell)
        cell.accessories = []
        page.screen.drawIfNeeded()
        #expect(control.superview == nil && page.elements[control.nodeID] == nil)
    }

    @Test("stand beside one another, those for editing left out")
    func several() {
        var hidden = UICellAccessory.CustomViewConfiguration(customView: UIView(), placement: .trailing())
        hidden.isHidden = true
        cell.accessories = [
            .label(text: "3"), .checkmark(displayed: .whenEditing), .disclosureIndicator(),
            .customView(configuration: hidden),
            .customView(configuration: .init(customView: control, placement: .leading(displayed: .whenNotEditing))),
        ]
        page.screen.drawIfNeeded()
        let row = page.elements["\(cell.nodeID).accessories"]
        #expect(row?.children == ["\(cell.nodeID).accessory0", "\(cell.nodeID).accessory2"])
        #expect(page.elements["\(cell.nodeID).accessory1"] == nil && page.elements["\(cell.nodeID).accessory3"] == nil)
        #expect(page.elements[cell.nodeID]?.children.contains("\(cell.nodeID).accessory4") == true)
        cell.accessories = [.checkmark()]
        page.screen.drawIfNeeded()
        #expect(page.elements["\(cell.nodeID).accessories"] == nil)
        #expect(page.elements[cell.nodeID]?.children.last == "\(cell.nodeID).accessory0")
    }

    @Test("Images of cells have the size of symbols that their content asks for")
    func symbols() {
        var content = cell.defaultContentConfiguration()
        content.image = UIImage(systemName: "star")
        content.imageProperties.preferredSymbolConfiguration = UIImage.SymbolConfiguration(pointSize: 40)
        cell.contentConfiguration = content
        let images = cell.contentView.subviews.flatMap(Self.images)
        #expect(images.count == 1)
        #expect(images.first?.preferredSymbolConfiguration != nil)
    }

    private static func images(in view: UIView) -> [UIImageView] {
        ((view as? UIImageView).map { [$0] } ?? []) + view.subviews.flatMap(images)
    }
}
