import Foundation
import Testing

@testable import BrowserUIKit

@Suite("Snapshots of items and their sections")
struct SnapshotTests {
    private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

    private func snapshot(_ sections: [(name: String, items: [Int])]) -> Snapshot {
        var snapshot = Snapshot()
        for section in sections {
            snapshot.appendSections([section.name])
            snapshot.appendItems(section.items, toSection: section.name)
        }
        return snapshot
    }

    @Test("put sections before and after others, and none beside one that is not there")
    func insertedSections() {
        var snapshot = snapshot([("b", [1])])
        snapshot.insertSections(["a"], beforeSection: "b")
        snapshot.insertSections(["c", "d"], afterSection: "b")
        snapshot.insertSections(["e"], afterSection: "none")
        #expect(snapshot.sectionIdentifiers == ["a", "b", "c", "d"])
        #expect(snapshot.numberOfSections == 4 && snapshot.indexOfSection("c") == 2)
        #expect(snapshot.indexOfSection("e") == nil && snapshot.numberOfItems(inSection: "e") == 0)
    }

    @Test("move sections with their items, and leave them where the other one is not there")
    func movedSections() {
        var snapshot = snapshot([("a", [1, 2]), ("b", [3]), ("c", [4])])
        snapshot.moveSection("a", afterSection: "c")
        #expect(snapshot.sectionIdentifiers == ["b", "c", "a"] && snapshot.itemIdentifiers == [3, 4, 1, 2])
        snapshot.moveSection("a", beforeSection: "b")
        #expect(snapshot.sectionIdentifiers == ["a", "b", "c"])
        snapshot.moveSection("b", beforeSection: "b")
        snapshot.moveSection("b", afterSection: "none")
        snapshot.moveSection("none", afterSection: "b")
        #expect(snapshot.sectionIdentifiers == ["a", "b", "c"] && snapshot.itemIdentifiers == [1, 2, 3, 4])
    }

    @Test("move items within a section and to others")
    func movedItems() {
        var snapshot = snapshot([("a", [1, 2, 3]), ("b", [4])])
        snapshot.moveItem(3, beforeItem: 1)
        #expect(snapshot.itemIdentifiers(inSection: "a") == [3, 1, 2])
        snapshot.moveItem(3, afterItem: 1)
        #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 3, 2])
        snapshot.moveItem(2, beforeItem: 4)
        #expect(snapshot.itemIdentifiers(inSection: "b") == [2, 4])
        #expect(snapshot.sectionIdentifier(containingItem: 2) == "b" && snapshot.numberOfItems == 4)
        snapshot.moveItem(99, beforeItem: 1)
        snapshot.moveItem(1, afterItem: 99)
        #expect(snapshot.itemIdentifiers == [1, 3, 2, 4])
    }

    @Test("have each item once, in the section to which it came first, until it leaves that")
    func uniqueness() {
        var snapshot = snapshot([("a", [1, 2]), ("b", [2, 3])])
        #expect(snapshot.itemIdentifiers == [1, 2, 3] && snapshot.numberOfItems(inSection: "b") == 1)
        snapshot.deleteItems([2])
        snapshot.appendItems([2], toSection: "b")
        #expect(snapshot.itemIdentifiers == [1, 3, 2])
        snapshot.deleteSections(["b"])
        #expect(snapshot.sectionIdentifier(containingItem: 3) == nil && snapshot.numberOfItems == 1)
        snapshot.appendItems([3, 2])
        #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 3, 2])
    }

    @Test("add items to the last section where none is named, and to none that is not there")
    func sections() {
        var snapshot = snapshot([("a", []), ("b", [])])
        snapshot.appendItems([1])
        snapshot.appendItems([2], toSection: "none")
        #expect(snapshot.itemIdentifiers(inSection: "b") == [1] && snapshot.numberOfItems == 1)
    }

    @Test("name what is to be drawn again, of what they have")
    func changes() {
        var snapshot = snapshot([("a", [1, 2])])
        snapshot.reloadItems([1, 99])
        snapshot.reconfigureItems([2, 99])
        snapshot.reloadSections(["a", "none"])
        #expect(snapshot.reloadedItemIdentifiers == [1] && snapshot.reconfiguredItemIdentifiers == [2])
        #expect(snapshot.reloadedSectionIdentifiers == ["a"])
        let settled = snapshot.settled
        #expect(settled.reloadedItemIdentifiers.isEmpty && settled.reconfiguredItemIdentifiers.isEmpty)
        #expect(settled.reloadedSectionIdentifiers.isEmpty && settled.itemIdentifiers == [1, 2])
    }

    @Test("know the place of each item, and the item at each place")
    func places() {
        let snapshot = snapshot([("a", [1]), ("b", []), ("c", [2, 3])])
        for item in snapshot.itemIdentifiers {
            let path = snapshot.path(of: item)
            #expect(path.flatMap { snapshot.item(at: $0) } == item)
        }
        #expect(snapshot.path(of: 3) == IndexPath(row: 1, section: 2) && snapshot.path(of: 4) == nil)
        #expect(snapshot.item(at: IndexPath(row: 0, section: 1)) == nil)
        #expect(snapshot.item(at: IndexPath(row: 0, section: 3)) == nil)
        #expect(snapshot.item(at: IndexPath(index: 0)) == nil)
        #expect(snapshot.indexOfItem(3) == 2 && snapshot.indexOfItem(4) == nil)
    }

    @Test("keep places where the same items are in the same order, and no section is to be drawn again")
    func samePlaces() {
        let before = snapshot([("a", [1, 2])])
        var after = before
        #expect(after.keepsPlaces(of: before))
        after.reconfigureItems([1])
        #expect(after.keepsPlaces(of: before))
        after.moveItem(1, afterItem: 2)
        #expect(!after.keepsPlaces(of: before))
        after.moveItem(1, beforeItem: 2)
        #expect(after.keepsPlaces(of: before))
        after.reloadSections(["a"])
        #expect(!after.keepsPlaces(of: before))
    }
}
