import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: lists of users")
struct UserListTests {
    @Test("A list and a search have each user as a sync reads them, also where other connections read first")
    func profiles() async throws {
        try await withSQLiteStore { store in
            try await store.launch(.sample())
            let device = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo", appVersion: "3.1")
            try await store.recordDevice(device, of: someone, at: noon)
            try await store.give("card-1")
            let update = UserUpdate(id: someone, custom: ["plan": "gold", "visits": 3, "shops": ["a", "b"]])
            try await store.updateUsers([update], at: noon + 1)
            let other = UserID(rawValue: "user-2")
            try await store.updateUsers([UserUpdate(id: other, custom: [:])], at: noon + 2)
            for _ in 0..<2 {
                let listed = try await store.listUsers(startingWith: "user-", after: nil, limit: 10)
                let found = try await store.searchUsers(matching: "user-", after: nil, limit: 10).users
                #expect(listed.map(\.id) == [someone, other])
                #expect(found == listed)
                for profile in listed {
                    let state = try await store.userState(of: profile.id, including: [], dueBy: noon)
                    #expect(profile == state?.profile)
                }
            }
            let connection = try ReadConnection(path: store.path, cacheKiB: 100)
            #expect(try connection.profile(of: someone)?.device == device)
            #expect(try connection.profile(of: UserID(rawValue: "nobody")) == nil)
            #expect(try connection.state(of: someone, including: [])?.deliveries.count == 1)
        }
    }
}
