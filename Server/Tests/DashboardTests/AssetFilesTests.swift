import Foundation
import Testing

@testable import Dashboard

struct AssetFilesTests {
    @Test(arguments: ["dashboard.css", "editor.css"])
    func `A style sheet of several parts is the same from the program and from the folder`(name: String) throws {
        let assets = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Dashboard/Assets").standardizedFileURL
        let embedded = try #require(AssetFiles(folder: nil).file(name))
        let read = try #require(AssetFiles(folder: assets.path).file(name))
        #expect(read.bytes == embedded.bytes && read.address == embedded.address)
    }

    @Test func `The editor's style sheet has its parts in their order`() throws {
        let sheet = try #require(AssetFiles(folder: nil).file("editor.css"))
        let text = String(decoding: sheet.bytes, as: UTF8.self)
        let fields = try #require(text.range(of: ".field {"))
        let choices = try #require(text.range(of: ".completion {"))
        let versions = try #require(text.range(of: ".versions :is(td, th) {"))
        #expect(fields.lowerBound < choices.lowerBound && choices.lowerBound < versions.lowerBound)
    }
}
