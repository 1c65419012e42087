import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: rows that can't be read", .timeLimit(.minutes(20)))
struct UnreadableRowTests {
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
