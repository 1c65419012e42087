import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: rows that can't be read", .timeLimit(.minutes(20)))
struct UnreadableRowTests {
    @Test("An event or user that can't be read keeps nobody from the others, and a user like that can be deleted")
    func others() async throws {
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            let store = try await PostgresCardStore.open(url: url, options: PostgresCardStore.Options())
            try await UnreadableRows.expectOthersRead(in: store) { statement in
                try await PostgresCluster.shared().execute(statement, in: name)
            }
            try await store.close()
        }
    }

    @Test("What can't be read of users and events is named, and the printed command takes it away")
    func diagnosis() async throws {
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            let cluster = try await PostgresCluster.shared()
            let store = try await PostgresCardStore.open(url: url, options: PostgresCardStore.Options())
            try await store.launch(.sample())
            let user = UserID(rawValue: "o'user$1")
            try await store.give("card-1", to: user)
            try await store.record([.impression(1)], of: user)
            try await store.close()
            func finding(_ subject: String) async -> StoreFinding? {
                let key = SecretsKeySource.keyring(SecretsKeyring([.random()]))
                return await PostgresCardStore.diagnose(url: url, secretsKey: key, isFull: true)
                    .first { $0.subject == subject }
            }
            for subject in ["rows", "day totals"] { #expect(await finding(subject)?.level == .good) }
            for statement in [
                "UPDATE users SET custom = '{x'", "UPDATE deliveries SET rendered = ',\"type\":\"cl', properties = '7'",
                "UPDATE events SET details = '{x'", "UPDATE day_totals SET delivered = delivered + 1",
            ] { try await cluster.execute(statement, in: name) }

            for subject in ["rows", "day totals"] {
                let found = try #require(await finding(subject))
                #expect(found.level == .bad)
                if subject == "rows" {
                    for part in ["attributes of the user “o'user$1”", "frozen card", "properties", "the event"] {
                        #expect(found.message.contains(part), "\(found.message)")
                    }
                }
                // What a shell would make of it.
                for part in try #require(found.command).components(separatedBy: " --command ").dropFirst() {
                    let statement = String(part.dropFirst().dropLast())
                    try await cluster.execute(statement.replacing("\\$", with: "$"), in: name)
                }
                #expect(await finding(subject)?.level == .good)
            }
        }
    }

    @Test("Rows that can't be read are left out and named, and the rest is served")
    func leftOut() async throws {
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            var options = PostgresCardStore.Options()
            options.now = { testTime }
            let store = try await PostgresCardStore.open(url: url, options: options)
            try await UnreadableRows.expectLeftOut(in: store) { statement in
                try await PostgresCluster.shared().execute(statement, in: name)
            }
            try await store.close()
        }
    }
}
