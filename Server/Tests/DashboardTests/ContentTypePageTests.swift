import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: content types")
struct ContentTypePageTests {
    private func propose(_ place: Workplace, _ id: String, _ fields: JSONValue) async throws {
        let schema: JSONValue = ["class_type": "coupon", "fields": fields]
        try await place.store.proposeContentTypes(
            ContentTypeProposal(
                id: id,
                keyID: "key_a",
                appVersion: "1.2",
                types: [ContentType(classType: "coupon", schema: schema, updatedAt: place.time.now)],
                updatedAt: place.time.now
            )
        )
    }

    @Test("A proposal is shown beside what was accepted, and an editor accepts what the page showed")
    func accepting() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let viewer = try await place.member(.viewer)
            let page = "/dashboard/content-types"
            try await propose(place, "one", [["name": "code", "type": "string", "required": true]])
            let shown = try await editor.get(page).text
            #expect(shown.contains("version 1.2") && shown.contains("string, required") && shown.contains("key_a"))
            let path = "\(page)/proposals/one/accept"
            #expect(shown.contains("action=\"\(path)\""))
            #expect(try await !viewer.get(page).text.contains("action=\"\(path)\""))
            #expect(try await viewer.post(path, from: page).status == 403)
            #expect(try await editor.post(path, from: page).location == "\(page)?done=types-accept")
            #expect(try await place.store.contentTypes().map(\.classType) == ["coupon"])

            try await propose(place, "two", [["name": "percent", "type": "integer"]])
            let changed = try await viewer.get(page).text
            #expect(changed.contains("removed") && changed.contains("integer") && changed.contains("string, required"))
            try await propose(place, "three", [["name": "percent", "type": "decimal"]])
            #expect(try await editor.post("\(page)/proposals/two/accept", from: page).status == 404)
            #expect(try await editor.post("\(page)/proposals/three/dismiss", from: page).status == 303)
            #expect(try await !editor.get(page).text.contains("decimal"))
        }
    }

    @Test("An editor deletes a content type, whatever its name, and a viewer can't")
    func deleting() async throws {
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let viewer = try await place.member(.viewer)
            let page = "/dashboard/content-types"
            let types = ["a/b ?%&\"", "a"].map { name in
                ContentType(classType: name, schema: ["class_type": .string(name), "fields": []], updatedAt: 0)
            }
            try await place.store.saveContentTypes(types, at: place.time.now, by: .command)
            let path = "\(page)/\(FormData.escape("a/b ?%&\""))/delete"
            #expect(try await editor.get(page).text.contains("action=\"\(path)\""))
            #expect(try await !viewer.get(page).text.contains("/delete\""))
            #expect(try await viewer.post(path, from: page).status == 403)
            #expect(try await editor.post(path, from: page).location == "\(page)?done=types-delete")
            #expect(try await place.store.contentTypes().map(\.classType) == ["a"])
            #expect(try await editor.post(path, from: page).status == 404)
            #expect(try await place.audit().contains("content_types.delete"))
        }
    }

    @Test("The page shows so many changes of a proposal and so many fields, and counts the others")
    func bound() async throws {
        try await Workplace.run { place in
            let page = "/dashboard/content-types"
            let fields = JSONValue.array((0..<60).map { ["name": .string("field-\($0)"), "type": "string"] })
            try await propose(place, "one", fields)
            let editor = try await place.member(.editor)
            let proposed = try await editor.get(page).text
            #expect(proposed.contains("field-49<") && !proposed.contains("field-50<"))
            #expect(proposed.contains("and 10 more"))

            let types = (0..<40).map { number in
                let schema: JSONValue = ["class_type": .string("type-\(number + 10)"), "fields": fields]
                return ContentType(classType: "type-\(number + 10)", schema: schema, updatedAt: 0)
            }
            try await place.store.saveContentTypes(types, at: place.time.now, by: .command)
            let shown = try await editor.get(page).text
            #expect(shown.contains("<code>type-42</code>") && !shown.contains("<code>type-43</code>"))
            #expect(shown.contains("and 7 more"))
        }
    }
}
