import CardModel
import CardStore
import Foundation
import NIOCore
import Testing
import WireJSON

/// HTML and scripts in every place where people, backends and apps can write something.
enum EvilData {
    static let text = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    /// The beginning of the text as a page has to show it.
    static let escaped = "&lt;script&gt;alert(1)&lt;/script&gt;"

    /// The id of the picture.
    static let pictureID = String(repeating: "e", count: 32)

    /// Fills a workplace; each thing has the id `evil-…`.
    static func fill(_ place: Workplace, by admin: Visitor) async throws {
        let manage = try await caller("secret", place, admin)
        let device = try await caller("publishable", place, admin)
        try await manage.send("POST", "/v1/segments", segment)
        try await addContents(by: manage, and: device)
        try await manage.send("POST", "/v1/campaigns", campaign)
        try await manage.send("POST", "/v1/campaigns/evil-campaign/launch", ["force": true])
        try await manage.send("POST", "/users/track", user)
        let picture = MediaItem(
            id: pictureID,
            name: "evil.png",
            alt: text,
            format: .png,
            width: 1,
            height: 1,
            widths: [1],
            bytes: 1,
            createdAt: place.time.now,
            createdBy: text
        )
        try await addImport(to: place)
        _ = try await place.store.addMedia(picture, files: [], totalBytes: 10, by: .command)
        let sync = try await device.send("POST", "/v1/sync", ["user_id": "evil-user", "device_id": "d"])
        let card = try #require(sync["cards"]?.array?.first?["id"]?.string)
        try await device.send("POST", "/v1/events", events(of: card, at: place.time.now))
        var member = TeamMember(
            email: "evil@example.com",
            name: text,
            role: .viewer,
            passwordHash: try TestPassword.hash,
            createdAt: place.time.now
        )
        let key = APIKey(
            id: "key_evil",
            name: text,
            kind: .secret,
            permissions: [.read],
            hash: Array(repeating: 1, count: 32),
            hint: text,
            createdAt: place.time.now
        )
        try await place.store.insertKey(key, by: .command)
        member.codeSecret = Array(repeating: 1, count: 20)
        try await place.store.insertMember(member, by: .command)
        var filter = SavedFilter(
            id: "evil-filter",
            of: .campaigns,
            owner: member.email,
            name: text,
            query: "q=\(text)",
            at: place.time.now
        )
        filter.isShared = true
        try await place.store.insertSavedFilter(filter, by: .command)
        try await place.store.appendAuditNote(
            "request.forged",
            of: "POST /\(text)",
            at: place.time.now,
            by: .member(text)
        )
    }

    private static func addContents(by manage: Caller, and device: Caller) async throws {
        try await manage.send("PUT", "/v1/content-blocks/evil-block", ["content": evil, "description": evil])
        try await manage.send("PUT", "/v1/content-types", contentTypes)
        try await device.send("PUT", "/v1/content-types", proposedTypes)
    }

    /// A file whose heading and values are markup, which waits for its import.
    private static func addImport(to place: Workplace) async throws {
        func cell(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
        let file = Array("\(cell(text)),\(cell(text + "2"))\n\(cell(text)),\(cell(text))\n".utf8)
        let job = ImportJob(
            id: "evil-user",
            fileName: text,
            format: "csv",
            size: file.count,
            fingerprint: text,
            // Tests let days pass, in which it doesn't expire.
            createdAt: place.time.now + 30 * 86_400,
            createdBy: text
        )
        _ = try await place.store.insertImport(job)
        _ = try await place.store.appendImportBytes(file, at: 0, to: job.id)
    }

    /// The holder of a new key, whose secret its page shows once.
    private static func caller(_ kind: String, _ place: Workplace, _ admin: Visitor) async throws -> Caller {
        let fields = ["name": text, "kind": kind, "permission": "manage"]
        let page = try await admin.post("/dashboard/keys", from: "/dashboard/keys", fields)
        let secret = try #require(page.text.firstMatch(of: /id="secret">([^<]+)</), "\(page.text)").1
        return Caller(place: place, key: String(secret))
    }

    private static let evil = JSONValue.string(text)

    private static let segment: JSONValue = [
        "id": "evil-segment", "name": evil, "description": evil,
        "audience": ["custom_attribute": ["custom_attribute_name": evil, "comparison": "equals", "value": evil]],
    ]

    private static let contentTypes: JSONValue = [
        "types": [["class_type": evil, "fields": [["name": evil, "type": "decimal", "required": true]]]]
    ]

    private static let proposedTypes: JSONValue = [
        "types": [
            [
                "class_type": evil,
                "fields": [
                    ["name": evil, "type": "enum", "values": [evil]], ["name": .string(text + "2"), "type": "url"],
                ],
            ]
        ],
        "app_version": evil,
    ]

    private static let campaign: JSONValue = [
        "id": "evil-campaign", "name": evil, "tags": [evil],
        "audience": ["none": [["users": [evil]]]],
        "variants": [
            [
                "id": "a", "name": evil, "weight": 1,
                "card": [
                    "type": "captioned_image", "title": evil, "description": evil, "image_alt": evil, "domain": evil,
                    "image": "https://images.example.com/a.jpg?\"><script>alert(1)</script>",
                    "extras": ["class_type": evil, "key": evil],
                ],
            ]
        ],
        "conversions": [["id": "evil", "name": evil, "on": ["event": evil]]],
    ]

    private static let user: JSONValue = [
        "attributes": [
            [
                "external_id": "evil-user", "first_name": evil, "last_name": evil, "home_city": evil, "country": "JP",
                "evil": evil,
            ]
        ]
    ]

    private static func events(of card: String, at now: UnixTime) -> JSONValue {
        func event(_ number: Int, _ type: String, _ members: JSONValue) -> JSONValue {
            var event = members.object ?? [:]
            event["id"] = .string("0190a0b0-0000-7000-8000-00000000000\(number)")
            event["type"] = .string(type)
            event["at"] = .number(now)
            return .object(event)
        }
        return [
            "user_id": "evil-user", "device_id": "d",
            "events": [
                event(1, "impression", ["card_id": .string(card)]),
                event(2, "custom", ["name": evil, "properties": ["key": evil]]),
                event(3, "purchase", ["product_id": evil, "currency": "EUR", "price": 1]),
                event(
                    4,
                    "content_error",
                    ["card_id": .string(card), "class_type": evil, "field": evil, "message": evil]
                ),
            ],
        ]
    }

    /// The holder of a key.
    private struct Caller {
        let place: Workplace
        let key: String

        @discardableResult
        func send(_ method: String, _ path: String, _ body: JSONValue) async throws -> JSONValue {
            try await place.client.execute(
                uri: path,
                method: try #require(.init(method)),
                headers: [.authorization: "Bearer \(key)", .contentType: "application/json"],
                body: ByteBuffer(bytes: body.bytes)
            ) { answer in
                let text = String(buffer: answer.body)
                guard answer.status.code < 300 else { throw Refused(path: path, text: text) }
                return try JSONValue(parsing: text)
            }
        }
    }

    private struct Refused: Error {
        let path: String
        let text: String
    }
}
