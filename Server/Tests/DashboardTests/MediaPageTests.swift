import CardModel
import CardStore
import Testing
import WireJSON

@testable import CardServer
@testable import Dashboard

@Suite("Dashboard: the media library")
struct MediaPageTests {
    @Test("A picture says who uploaded it by the member's name, or by the address where there is none")
    func author() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let tess = TeamMember(
                email: "tess@example.com",
                name: "Tess",
                role: .editor,
                passwordHash: try TestPassword.hash,
                createdAt: place.time.now
            )
            try await place.store.insertMember(tess, by: .command)
            for (letter, email) in [("a", "tess@example.com"), ("b", "editor@example.com")] {
                let picture = MediaItem(
                    id: String(repeating: letter, count: 32),
                    name: "\(letter).png",
                    format: .png,
                    width: 1,
                    height: 1,
                    widths: [1],
                    bytes: 1,
                    createdAt: place.time.now,
                    createdBy: email
                )
                let files = [MediaFile(width: 1, bytes: [1])]
                _ = try await place.store.addMedia(picture, files: files, totalBytes: 100, by: .command)
            }
            let page = try await visitor.get("/dashboard/media").text
            #expect(page.contains("by Tess") && page.contains("by editor@example.com"))
            #expect(!page.contains("tess@example.com"))
        }
    }

    @Test("Pictures are searched on the page and in the editor, and unused ones are found among all")
    func search() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            for letter in "ab" { _ = try await Self.add(letter, to: place) }
            let second = String(repeating: "b", count: 32)
            #expect(try await place.store.setMediaAlt("Zwei Stühle", of: second, at: 1, by: .command))
            let found = try await visitor.get("\(Self.path)?q=%20stuhle%20b").text
            #expect(found.contains("&lt;b&gt;.png") && !found.contains("&lt;a&gt;.png"))
            #expect(found.contains("value=\"stuhle b\""))
            #expect(found.contains("href=\"/dashboard/media?show=unused&amp;q=stuhle%20b\""))
            let none = try await visitor.get("\(Self.path)?q=nothing").text
            #expect(none.contains("No matching pictures") && !none.contains("No pictures yet"))
            let choices = try await visitor.get("\(Self.path)/list?q=STUHLE").text
            let json = try JSONValue(parsing: choices)
            #expect(json["pictures"]?.array?.map { $0["name"]?.string } == ["<b>.png"])
            #expect(json["has_more"]?.bool == false)
            let all = try await visitor.get("\(Self.path)/list").text
            #expect(try JSONValue(parsing: all)["pictures"]?.array?.count == 2)

            let block = ContentBlock(
                name: "logo",
                content: "/media/\(String(repeating: "a", count: 32))/a.png",
                description: "",
                updatedAt: 1
            )
            try await place.store.saveContentBlock(block, by: .command)
            let unused = try await visitor.get("\(Self.path)?show=unused").text
            #expect(unused.contains("&lt;b&gt;.png") && !unused.contains("&lt;a&gt;.png"))
            let both = try await visitor.get("\(Self.path)?show=unused&q=png").text
            #expect(both.contains("&lt;b&gt;.png") && !both.contains("&lt;a&gt;.png"))
            #expect(both.contains("<input type=\"hidden\" name=\"show\" value=\"unused\">"))
        }
    }

    private static let path = "/dashboard/media"

    private static func add(_ letter: Character, to place: Workplace) async throws -> MediaItem {
        let picture = MediaItem(
            id: String(repeating: letter, count: 32),
            name: "<\(letter)>.png",
            format: .png,
            width: 1,
            height: 1,
            widths: [1],
            bytes: 2,
            createdAt: place.time.now
        )
        let files = [MediaFile(width: 1, bytes: Array("AB".utf8))]
        _ = try await place.store.addMedia(picture, files: files, totalBytes: 100, by: .command)
        return picture
    }

    /// Deletes a picture, and returns what undoes it.
    private static func delete(_ picture: MediaItem, _ visitor: Visitor) async throws -> [String: String] {
        let ask = "\(path)/\(picture.id)/delete"
        let deleted = try await visitor.post(ask, from: ask)
        #expect(deleted.location?.hasPrefix("\(path)?done=picture-deleted&undo=") == true)
        let page = try await visitor.get(try #require(deleted.location)).text
        #expect(page.contains("Picture deleted.") && !page.contains(picture.id))
        let token = String(try #require(page.firstMatch(of: /name="undo" value="([^"]+)"/)).1)
        return ["undo": token, "back": path]
    }

    @Test("Whoever works through a search or the unused pictures stays there, and a text that is too long isn't lost")
    func staysInList() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let (first, second) = (try await Self.add("a", to: place), try await Self.add("b", to: place))
            let list = "\(Self.path)?show=unused&q=png"
            let page = try await visitor.get(list).text
            #expect(page.contains("name=\"back\" value=\"\(Self.path)?show=unused&amp;q=png\""))
            let ask = try #require(page.firstMatch(of: /href="(\/dashboard\/media\/b+\/delete\?back=[^"]+)"/)).1
            let saved = try await visitor.post("\(Self.path)/\(first.id)/alt", from: list, ["alt": "A", "back": list])
            #expect(saved.location == "\(list)&done=alt")

            let typed = String(repeating: "椅子", count: 200)
            let form = ["alt": typed, "back": list]
            let long = try await visitor.post("\(Self.path)/\(first.id)/alt", from: list, form)
            #expect(long.status == 400 && long.text.contains("value=\"\(typed)\""))
            #expect(long.text.contains("Enter at most 1000 bytes, in one line."))
            #expect(long.text.contains("name=\"q\" value=\"png\"") && long.text.contains("value=\"unused\""))

            let confirmation = try await visitor.get(String(ask)).text
            #expect(confirmation.contains("<a class=\"button quiet\" href=\"\(Self.path)?show=unused&amp;q=png\">"))
            let address = "\(Self.path)/\(second.id)/delete"
            let deleted = try await visitor.post(address, from: String(ask), ["back": list])
            #expect(deleted.location?.hasPrefix("\(list)&done=picture-deleted&undo=") == true)
            // Nowhere else.
            for other in ["https://example.com", "/dashboard/keys", "/dashboard/media/x", "/dashboard/mediax?a"] {
                let form = ["alt": "B", "back": other]
                let back = try await visitor.post("\(Self.path)/\(first.id)/alt", from: list, form)
                #expect(back.location == "\(Self.path)?done=alt", "\(other)")
            }
        }
    }

    @Test("The page before is shown where the only picture of the last one was deleted")
    func emptyPage() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            _ = try await Self.add("a", to: place)
            #expect(try await visitor.get("\(Self.path)?page=2").text.contains("&lt;a&gt;.png"))
        }
    }

    @Test("A deleted picture is gone from everywhere at once, and comes back by undo, once or twice")
    func undo() async throws {
        try await Workplace.run { place in
            let (visitor, viewer) = (try await place.member(.editor), try await place.member(.viewer))
            let picture = try await Self.add("a", to: place)
            let undo = try await Self.delete(picture, visitor)
            #expect(try await visitor.get(picture.path()).status == 404)
            #expect(try await visitor.get("\(Self.path)/\(picture.id)/delete").status == 404)
            let other = try await viewer.post("/dashboard/undo", from: Self.path, undo)
            #expect(other.location == "\(Self.path)?done=undo-late")
            #expect(try await visitor.get(picture.path()).status == 404)
            for _ in 1...2 {
                let undone = try await visitor.post("/dashboard/undo", from: Self.path, undo)
                #expect(try await visitor.get(try #require(undone.location)).text.contains("Change undone."))
                #expect(try await visitor.get(picture.path()).text == "AB")
            }
            #expect(
                try await place.audit().filter { $0.hasPrefix("media") } == [
                    "media.restore", "media.delete", "media.upload",
                ]
            )
        }
    }

    @Test("The files of a deleted picture are there for as long as its deletion can be undone")
    func delay() {
        #expect(DeletedPictureRemover.delay > Double(ChangeNotice.lifetime))
    }

    @Test("A deletion whose files were removed can't be undone, nor one that is a minute ago")
    func late() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let picture = try await Self.add("a", to: place)
            let undo = try await Self.delete(picture, visitor)
            let time = place.time.now
            #expect(try await place.store.dropDeletedMedia(before: time, limit: 9).map(\.id) == [picture.id])
            let refused = try await visitor.post("/dashboard/undo", from: Self.path, undo)
            let said = try await visitor.get(try #require(refused.location)).text
            #expect(said.contains("&lt;a&gt;.png: The files of the picture were removed. Upload it again."))
            #expect(!said.contains("Change undone."))

            let next = try await Self.delete(try await Self.add("b", to: place), visitor)
            place.time.advance(by: 61)
            let late = try await visitor.post("/dashboard/undo", from: Self.path, next)
            #expect(late.location == "\(Self.path)?done=undo-late")
        }
    }
}
