import Foundation
import Testing

@testable import Dashboard

@Suite("Pages by their descriptors")
struct PageDescriptorTests {
    private func repeated(_ names: [String]) -> [String] {
        Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }

    @Test func `No two pages have a part of the navigation, a template or a route in common`() {
        let pages = PageDescriptor.all
        #expect(repeated(pages.compactMap(\.section).map(\.path)) == [])
        #expect(repeated(pages.flatMap(\.templates.keys)) == [])
        let routes = Dashboard.pages
        let pagePaths = routes.entries.map { "\($0.method.rawValue) \($0.path)" }
        let openPaths = routes.openEntries.map { "\($0.method.rawValue) \($0.path)" }
        let paths = pagePaths + openPaths
        #expect(repeated(paths) == [])
        #expect(paths.count == pages.map { $0.routes.entries.count + $0.routes.openEntries.count }.reduce(0, +))
    }

    @Test func `A page with a part of the navigation answers at its address`() {
        for page in PageDescriptor.all {
            guard let section = page.section else { continue }
            let isAnswered = page.routes.entries.contains { $0.method == .get && $0.path == section.address }
            #expect(isAnswered, "\(section.path)")
        }
    }

    @Test func `Each template in the folder is a page's`() throws {
        let assets = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Dashboard/Assets").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: assets.path)
        let names = files.filter { $0.hasSuffix(".mustache") }.map { String($0.dropLast(".mustache".count)) }
        #expect(names.sorted() == Templates.embedded.keys.sorted())
    }

    @Test func `Only the page of the account opens before a member is set up`() {
        let open = PageDescriptor.all.filter { page in page.routes.entries.contains { !$0.needs.setup } }
        #expect(open.count == 1 && open.first?.section == Section.account)
        #expect(open.allSatisfy { page in page.routes.entries.allSatisfy { !$0.needs.setup } })
    }
}
