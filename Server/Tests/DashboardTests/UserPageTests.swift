import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: users")
struct UserPageTests {
    private func add(_ id: String, first: String, last: String, to place: Workplace) async throws {
        var update = UserUpdate(id: UserID(rawValue: id))
        update.standard[.firstName] = .string(first)
        update.standard[.lastName] = .string(last)
        try await place.store.updateUsers([update], at: place.time.now)
    }

    @Test("Users are found by a part of their name in any case, and one user is “1 user”")
    func search() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            try await add("u-1", first: "Anna", last: "Lindqvist", to: place)
            #expect(try await visitor.get("/dashboard/users").text.contains("1 user in this workspace."))
            try await add("u-2", first: "Kenji", last: "Ito", to: place)
            let all = try await visitor.get("/dashboard/users").text
            #expect(all.contains("2 users in this workspace.") && all.contains("Search by ID, name or email"))
            for text in ["Anna", "anna", "nna+lind", "LINDQ", "u-1"] {
                let page = try await visitor.get("/dashboard/users?q=\(text)").text
                #expect(page.contains("Anna Lindqvist") && !page.contains("Kenji"), "\(text)")
            }
            let none = try await visitor.get("/dashboard/users?q=nobody").text
            #expect(none.contains("No ID, name or email contains “nobody”."))
            #expect(!none.contains("Search more users"))
        }
    }

    @Test("The family name comes first in Japanese, Chinese and Korean, and last elsewhere")
    func fullNames() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            try await add("u-1", first: "花子", last: "山田", to: place)
            try await add("u-2", first: "ナオミ", last: "スミス", to: place)
            try await add("u-3", first: "민준", last: "김", to: place)
            try await add("u-4", first: "Kenji", last: "Ito", to: place)
            let list = try await visitor.get("/dashboard/users").text
            for name in ["山田 花子", "スミス ナオミ", "김 민준", "Kenji Ito"] {
                #expect(list.contains(">\(name)</a>"), "\(name)")
            }
            #expect(try await visitor.get("/dashboard/users/u-1").text.contains("<h1>山田 花子</h1>"))
        }
    }

    @Test("Filters that keep a user out are sentences, with the value that was found")
    func explanation() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let fields = [
                "base": "{}", "c.id": "only-jp", "c.name": "Only Japan", "c.delivery.kind": "scheduled",
                "c.audience.kind": "all", "c.audience.items[0].kind": "attribute",
                "c.audience.items[0].name": "last_name", "c.audience.items[0].comparison": "equals",
                "c.audience.items[0].value": "Ito", "c.variants[0].id": "a", "c.variants[0].weight": "100",
                "c.variants[0].card.type": "classic", "c.variants[0].card.title": "Hello",
                "c.variants[0].card.description": "You",
            ]
            _ = try await visitor.post("/dashboard/campaigns/new", from: "/dashboard/campaigns/new", fields)
            let launch = "/dashboard/campaigns/only-jp/launch"
            _ = try await visitor.post(launch, from: launch, ["version": "1"])
            try await add("u-1", first: "Anna", last: "Lindqvist", to: place)
            let page = try await visitor.get("/dashboard/users/u-1").text
            #expect(
                page.contains("<b>last_name is Ito</b>: doesn’t match <span class=\"hint\">(found: Lindqvist)</span>")
            )
            #expect(!page.contains("&quot;summary&quot;"))
        }
    }

    @Test("The latest events are in the order in which they happened")
    func order() {
        let events = [2.0, 3, 3, 1].enumerated().map { place, time in
            StoredEvent(
                position: Int64(place),
                user: UserID(rawValue: "u"),
                id: EventID(high: 0, low: UInt64(place)),
                type: "custom",
                at: time,
                receivedAt: time
            )
        }
        #expect(UserPages.newestFirst(events).map(\.position) == [1, 2, 0, 3])
    }
}
