import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("POST /users/track: nested objects")
struct NestedAttributeTests {
    @Test("Nested objects are replaced, or merged where that is asked for; times in them become plain")
    func nested() async throws {
        try await Workspace.run { workspace in
            func track(_ attributes: JSONValue) async throws {
                let reply = try await workspace.backend("/users/track", ["attributes": [attributes]])
                #expect(reply.json["errors"] == nil)
            }
            try await track(["external_id": "ann", "song": ["name": "Solea", "plays": ["count": 1]]])
            try await track(
                [
                    "external_id": "ann", "_merge_objects": true,
                    "song": ["year": 1960, "plays": ["top": true], "on": ["$time": "2026-01-01"]],
                ]
            )
            #expect(
                try await workspace.exported("ann")["custom_attributes"]?["song"] == [
                    "name": "Solea", "plays": ["count": 1, "top": true], "year": 1960, "on": "2026-01-01",
                ]
            )
            try await track(["external_id": "ann", "song": ["name": "So What"], "plan": .null])
            #expect(try await workspace.exported("ann")["custom_attributes"] == ["song": ["name": "So What"]])
        }
    }

    @Test("Objects in an array are added, changed and removed by a key")
    func arraysOfObjects() async throws {
        try await Workspace.run { workspace in
            let bodies: [JSONValue] = [
                ["external_id": "ann", "pets": [["id": 1, "type": "dog"], ["id": 2, "type": "cat"]]],
                ["external_id": "ann", "pets": ["$add": [["id": 3, "type": "fish"]]]],
                [
                    "external_id": "ann", "_merge_objects": true,
                    "pets": [
                        "$update": [["$identifier_key": "id", "$identifier_value": 2, "$new_object": ["name": "Tom"]]]
                    ],
                ],
                [
                    "external_id": "ann",
                    "pets": ["$remove": [["$identifier_key": "type", "$identifier_value": "dog"]]],
                ],
            ]
            for body in bodies { _ = try await workspace.backend("/users/track", ["attributes": [body]]) }
            #expect(
                try await workspace.exported("ann")["custom_attributes"] == [
                    "pets": [["id": 2, "type": "cat", "name": "Tom"], ["id": 3, "type": "fish"]]
                ]
            )
        }
    }
}
