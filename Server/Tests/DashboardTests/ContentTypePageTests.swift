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
}
