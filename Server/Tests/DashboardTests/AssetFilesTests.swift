import Foundation
import Testing

@testable import Dashboard

struct AssetFilesTests {
    @Test(arguments: ["dashboard.css", "dashboard.js", "editor.css", "editor.js", "media.js", "phone.css"])
    func `A file of several parts is the same from the program and from the folder`(name: String) throws {
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

    @Test(arguments: [("editor.js", "globalThis.placardEditor"), ("media.js", "globalThis.placardMedia")])
    func `A script of several parts gives them their object before one of them uses it`(
        name: String,
        object: String
    ) throws {
        let script = try #require(AssetFiles(folder: nil).file(name))
        let text = String(decoding: script.bytes, as: UTF8.self)
        let given = try #require(text.firstRange(of: "\(object) = {"))
        let named = text.ranges(of: object)
        #expect(named.count >= 3 && named.first?.lowerBound == given.lowerBound)
        #expect(text.ranges(of: "\"use strict\";\n").count == 3)
    }

    @Test func `The parts of the editor's script are handed what finds elements, and the form`() throws {
        let script = try #require(AssetFiles(folder: nil).file("editor.js"))
        let text = String(decoding: script.bytes, as: UTF8.self)
        for name in ["$", "$$", "editor", "fields", "text"] {
            let own = text.ranges(of: "\n    const \(name) = ")
            #expect(own.count == 1, "\(name)")
        }
        #expect(text.ranges(of: "const { $, $$, editor, fields, text } = parts;").count == 2)
    }

    @Test func `What a refusal means is said in one place, so no script takes a permission for a session`() throws {
        let files = AssetFiles(folder: nil)
        func script(_ name: String) throws -> String {
            String(decoding: try #require(files.file(name)).bytes, as: UTF8.self)
        }
        let page = try script("dashboard.js")
        let given = try #require(page.firstRange(of: "globalThis.placardAsk = "))
        let texts = try #require(page.firstRange(of: "globalThis.placardText = "))
        #expect(texts.lowerBound < given.lowerBound)
        for status in [403, 409, 413, 429, 503] { #expect(page.contains("case \(status):"), "\(status)") }
        for name in ["editor.js", "imports.js", "media.js", "palette.js"] {
            let text = try script(name)
            #expect(text.contains("globalThis.placardAsk("), "\(name)")
            #expect(!text.contains("status === 401") && !text.contains("[401, 403]"), "\(name)")
        }
    }

    @Test func `Every script of the folder is a part of one file that browsers load`() throws {
        let assets = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Dashboard/Assets").standardizedFileURL
        let files = AssetFiles(folder: nil)
        let names = ["dashboard.js", "editor.js", "imports.js", "liquid.js", "media.js", "palette.js"]
        let served = try names.map { String(decoding: try #require(files.file($0)).bytes, as: UTF8.self) }
        let scripts = try FileManager.default.contentsOfDirectory(at: assets, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "js" }
        #expect(scripts.count == 11)
        for script in scripts {
            let text = try String(contentsOf: script, encoding: .utf8)
            #expect(served.filter { $0.contains(text) }.count == 1, "\(script.lastPathComponent)")
        }
    }

    @Test func `The sheet of previews has every part of that of a page with an app, in the same order`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Browser/Sources/BrowserHost").standardizedFileURL
        let host = try String(contentsOf: folder.appending(path: "Page.swift"), encoding: .utf8)
        let line = try #require(host.split(separator: "\n").first { $0.contains("static let styles = [") })
        let names = line.split(separator: "\"").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        let sheet = try #require(AssetFiles(folder: nil).file("phone.css"))
        let parts = try names.map {
            try String(contentsOf: folder.appending(path: "Page/\($0).css"), encoding: .utf8)
        }
        #expect(names.count == 7 && String(decoding: sheet.bytes, as: UTF8.self) == parts.joined())
    }
}
