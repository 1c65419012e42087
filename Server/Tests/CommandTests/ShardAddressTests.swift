import Foundation
import Testing

@testable import PlacardCommands

@Suite("The address of a shard, for commands")
struct ShardAddressTests {
    /// Writes a file, and returns the address that is read from it.
    private func url(inFile text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try ShardAddressOptions.parse(["--address-file", path]).url()
    }

    @Test("It is read from the first line of a file")
    func file() throws {
        let address = "postgresql://placard:secret@db2/cards?sslmode=verify-full"
        #expect(try url(inFile: "\(address)\n") == address)
        #expect(try url(inFile: "host=db2 dbname=cards\r\nhost=db3\r\n") == "host=db2 dbname=cards")
        #expect(try ShardAddressOptions.parse(["POSTGRES://db2/cards"]).url() == "postgres://db2/cards")
    }

    @Test(
        "What is none of PostgreSQL is refused without saying what it was",
        arguments: ["", "\n", "hunter22", "sqlite:hunter22", "mysql://a:hunter22@db/cards"]
    )
    func wrong(_ text: String) throws {
        let error = #expect(throws: (any Error).self) { try url(inFile: text) }
        #expect(!"\(try #require(error))".contains("hunter22"))
    }

    @Test("An address is at most as long as one can be")
    func length() throws {
        let address = "postgresql://db2/" + String(repeating: "n", count: 4_096 - 17)
        #expect(try url(inFile: address) == address)
        #expect(throws: (any Error).self) { try url(inFile: address + "n") }
    }

    @Test(
        "A password is found wherever libpq reads one",
        arguments: [
            ("postgres://db2/cards", false), ("postgres://placard@db2:5432/cards", false),
            ("postgres://placard:secret@db2/cards", true), ("postgres://placard:@db2/cards", true),
            ("postgres://placard@db2/cards?user=a:b@c", false), ("postgres:///cards?password=secret", true),
            ("host=db2 password=secret", true), ("host=db2 password = secret", true), ("host=db2 dbname=a:b@c", false),
        ] as [(String, Bool)]
    )
    func passwords(_ url: String, _ hasPassword: Bool) { #expect(ShardAddressOptions.hasPassword(url) == hasPassword) }
}
