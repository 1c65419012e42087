import CardModel
import CardStore
import CardStoreConformance
import GRDB
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: search for users")
struct UserSearchTests {
    @Test("A search stops after so many users and goes on where it stopped")
    func pieces() async throws {
        try await withFolder { folder in
            let path = "\(folder)/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 100..<150 {
                var update = UserUpdate(id: UserID(rawValue: "u-\(number)"))
                if number % 10 == 7 { update.standard[.firstName] = .string("Anna") }
                try await store.updateUsers([update], at: 0)
            }
            try await store.close()
            let database = try DatabaseQueue(path: path)
            var found: [String] = []
            var rounds = 0
            var place: String?
            repeat {
                let search = UserSearch(text: "anna", limit: 2, longest: 8, piece: 4)
                let part = try await database.read { [place] in try search.run(after: place, $0) }
                #expect(part.ids.count <= 2)
                found += part.ids
                place = part.searchedTo
                rounds += 1
            } while place != nil && rounds < 100
            #expect(found == ["u-107", "u-117", "u-127", "u-137", "u-147"])
            #expect(rounds > 5)
        }
    }

    @Test("A search stops once the texts of users have taken as long as it may, and misses nobody")
    func bytes() async throws {
        try await withFolder { folder in
            let path = "\(folder)/placard.sqlite"
            let store = try SQLiteCardStore(path: path)
            for number in 100..<130 {
                var update = UserUpdate(id: UserID(rawValue: "u-\(number)"))
                // Each letter is folded to eighteen.
                update.standard[.firstName] = .string(number == 128 ? "Zoë" : String(repeating: "\u{FDFA}", count: 20))
                try await store.updateUsers([update], at: 0)
            }
            try await store.close()
            let database = try DatabaseQueue(path: path)
            var found: [String] = []
            var places: [String] = []
            var place: String?
            repeat {
                var search = UserSearch(text: "zoe", limit: 2)
                search.mostBytes = 5_000
                let part = try await database.read { [place, search] in try search.run(after: place, $0) }
                found += part.ids
                place = part.searchedTo
                places += [place].compactMap(\.self)
            } while place != nil && places.count < 100
            #expect(found == ["u-128"])
            #expect(places.count > 5 && Set(places).count == places.count)
        }
    }
}
