import CardModel
import CardStore
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: searches that go through users piece by piece", .timeLimit(.minutes(20)))
struct UserSearchPieceTests {
    private typealias User = (id: String, name: String, email: String?)

    /// Adds users with their folded texts, as they are kept.
    private func insert(_ users: [User], at url: String) throws -> PostgresConnection {
        let connection = try PostgresConnection(ConnectionSettings(url: url))
        try connection.execute(
            """
            INSERT INTO users (id, version, device, created_at, sample_rank, folded, folded_email)
            SELECT u.id, 1, 0, 0, 0, u.folded, u.email FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[])
                AS u (id, folded, email)
            """,
            [
                users.map(\.id), users.map { "\($0.id)\u{1F}\($0.name)\u{1F}\($0.email ?? "")" },
                users.map(\.email),
            ]
        )
        return connection
    }

    /// Users, of which every fifth has a name that is looked for.
    private static let many: [User] = (1...25).map { number in
        let id = number < 10 ? "u-0\(number)" : "u-\(number)"
        return (id: id, name: number % 5 == 0 ? "anna lind" : "else", email: nil)
    }

    private func search(_ text: String, limit: Int, longest: Int = 1_000, piece: Int = 10) -> UserSearch {
        UserSearch(text: text, limit: limit, longest: longest, piece: piece)
    }

    @Test("However large pieces are, each user is found once, in the order of the ids")
    func pieces() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(Self.many, at: url)
            for piece in [1, 2, 4, 5, 6, 24, 25, 26, 1_000] {
                let search = search("lind", limit: 50, longest: 1_000_000, piece: piece)
                let found = try search.run(after: nil, connection)
                #expect(found.ids == ["u-05", "u-10", "u-15", "u-20", "u-25"], "\(piece)")
                #expect(found.searchedTo == nil, "\(piece)")
            }
        }
    }

    @Test("A search that has looked at enough users stops, and goes on where it stopped")
    func longest() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(Self.many, at: url)
            let search = search("lind", limit: 50, longest: 20)
            let first = try search.run(after: nil, connection)
            #expect(first.ids == ["u-05", "u-10", "u-15", "u-20"] && first.searchedTo == "u-20")
            let second = try search.run(after: first.searchedTo, connection)
            #expect(second.ids == ["u-25"] && second.searchedTo == nil)
            // Also where nobody is found in what it has looked at.
            let none = try self.search("nobody", limit: 50, longest: 10).run(after: nil, connection)
            #expect(none.ids.isEmpty && none.searchedTo == "u-10")
        }
    }

    @Test("A page that is full ends with its last user, and the next one begins after it", arguments: 1...6)
    func pages(limit: Int) async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(Self.many, at: url)
            var (ids, place): ([String], String?) = ([], nil)
            for _ in 0..<9 {
                let page = try search("lind", limit: limit, piece: 7).run(after: place, connection)
                #expect(page.ids.count <= limit)
                ids += page.ids
                if page.ids.count == limit { #expect(page.searchedTo == page.ids.last) }
                place = page.searchedTo
                if place == nil { break }
            }
            #expect(ids == ["u-05", "u-10", "u-15", "u-20", "u-25"])
            #expect(place == nil)
        }
    }

    @Test("A place at which nobody is any more, and one after all users, are where a search goes on")
    func places() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(Self.many, at: url)
            let search = search("lind", limit: 50)
            #expect(try search.run(after: "u-17-gone", connection).ids == ["u-20", "u-25"])
            #expect(try search.run(after: "u-25", connection).ids.isEmpty)
            let end = try search.run(after: "\u{10FFFF}", connection)
            #expect(end.ids.isEmpty && end.searchedTo == nil)
            #expect(try search.run(after: "", connection).ids.count == 5)
        }
    }

    @Test("What LIKE takes for a pattern is looked for as it is")
    func patterns() async throws {
        try await TemplateDatabase.withCopy { url in
            let names = ["100% sure", "100 sure", "a_b", "axb", #"c\d"#, "cd", "e%_f"]
            let users: [User] = names.enumerated().map { (id: "u-\($0.offset)", name: $0.element, email: nil) }
            let connection = try insert(users, at: url)
            for (text, expected) in [
                ("0% s", ["u-0"]), ("a_b", ["u-2"]), (#"c\d"#, ["u-4"]), (#"\"#, ["u-4"]), ("%_", ["u-6"]),
                ("%", ["u-0", "u-6"]), ("_", ["u-2", "u-6"]),
            ] as [(String, [String])] {
                let found = try search(text, limit: 9).run(after: nil, connection).ids
                #expect(found == expected, "\(text)")
            }
        }
    }

    @Test("Nobody is found by a text that no user can have, and none of them is read")
    func nothing() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(Self.many, at: url)
            for text in ["", "lind\u{1F}", "\u{1F}"] {
                let found = try search(text, limit: 9).run(after: nil, connection)
                #expect(found.ids.isEmpty && found.searchedTo == nil)
            }
        }
    }

    @Test("Those whose id or address begins with the text are left to the search by its beginning")
    func beginnings() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(
                [
                    (id: "lind-1", name: "x", email: nil), (id: "u-1", name: "lind", email: "lind@example.com"),
                    (id: "u-2", name: "lind", email: "other@example.com"), (id: "u-3", name: "lind", email: nil),
                    (id: "u-lind", name: "x", email: nil),
                ],
                at: url
            )
            let inside = try search("lind", limit: 9).run(after: nil, connection).ids
            #expect(inside == ["u-2", "u-3", "u-lind"])
            let beginning = try UserQuery(text: "lind", place: nil, limit: 9).run(connection)
            #expect(beginning == ["lind-1", "u-1"])
        }
    }

    // MARK: The beginning of an id or an address

    @Test("Ids are in the order of their bytes, whatever a language would make of them, and so are their pages")
    func bytes() async throws {
        try await TemplateDatabase.withCopy { url in
            let some = ["a", "a\u{0}", "a\u{1}b", "aa"]
            let ids = ["", "\u{0}", "\u{1}", "A", "B", "Z"] + some + ["b", "z", "ä", "Ω", "あ", "🙂"]
            let users: [User] = ids.reversed().map { (id: $0, name: "", email: nil) }
            let connection = try insert(users, at: url)
            #expect(try UserQuery(text: "", place: nil, limit: 50).run(connection) == ids)
            #expect(try UserQuery(text: "a", place: nil, limit: 50).run(connection) == some)
            var found: [String] = []
            while found.count < 50 {
                let place = found.last.map { UserID(rawValue: $0) }
                let page = try UserQuery(text: "", place: place, limit: 3).run(connection)
                found += page
                if page.count < 3 { break }
            }
            #expect(found == ids)
        }
    }

    @Test("After the ids come addresses that begin so, by address and id, each user once, over pages of any length")
    func addresses() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try insert(
                [
                    (id: "an-2", name: "", email: "an@example.com"), (id: "an-1", name: "", email: nil),
                    (id: "x-3", name: "", email: "anna@example.com"), (id: "x-1", name: "", email: "anna@example.com"),
                    (id: "x-2", name: "", email: "andy@example.com"),
                    (id: "x-4", name: "", email: "bo@example.com"),
                ],
                at: url
            )
            let all = ["an-1", "an-2", "x-2", "x-1", "x-3"]
            for limit in 1...6 {
                var found: [String] = []
                for _ in 0..<9 {
                    let place = found.last.map { UserID(rawValue: $0) }
                    let page = try UserQuery(text: "an", place: place, limit: limit).run(connection)
                    found += page
                    if page.count < limit { break }
                }
                #expect(found == all, "\(limit)")
            }
            // Addresses are kept in lower case, and ids as they are.
            #expect(try UserQuery(text: "AN", place: nil, limit: 9).run(connection) == ["an-2", "x-2", "x-1", "x-3"])
        }
    }
}
