import Testing

@testable import Dashboard

struct SectionTests {
    @Test func `Each part of the navigation has an address of its own and an icon in the style sheet`() throws {
        #expect(Set(Section.all.map(\.address)).count == Section.all.count)
        let sheet = try #require(AssetFiles(folder: nil).file("dashboard.css"))
        let text = String(decoding: sheet.bytes, as: UTF8.self)
        for section in Section.all {
            #expect(text.contains(".nav-\(section.path) {") == (section.group != nil), "\(section.path)")
        }
        #expect(text.contains("stroke='%23000'") && text.contains("%3Cpath d='M1 8.5h3l2-6 3.5 11 2-5H15'/%3E"))
        #expect(!text.contains("stroke='#000'"))
    }

    @Test func `The navigation shows the parts in their groups, in the order of their list`() {
        let groups = Section.NavigationGroup.allCases.map { group in Section.all.filter { $0.group == group } }
        #expect(groups.flatMap { $0 } == Section.all.filter { $0.group != nil })
        #expect(groups.allSatisfy { !$0.isEmpty })
    }
}
