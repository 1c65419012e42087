import CommandSettings
import Foundation
import Simulation
import Testing
import WireJSON

@testable import PlacardCommands

/// What the command's processes leave for each other, and find of the machine.
struct PrimitivesTests {
    @Test func `A line of a ledger that a kill has torn spoils none that follows`() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.write("R one\nI two us", to: "ledger")
            for _ in 0..<2 {
                let ledger = try LedgerFile(path: path)
                ledger.write(.done(id: "three", isLogged: true))
            }
            let text = try folder.text(of: "ledger")
            #expect(text == "R one\nI two us\nD three 1\nD three 1\n")
            let fresh = folder.path("fresh")
            try LedgerFile(path: fresh).write(.automatic(id: "a"))
            #expect(try folder.text(of: "fresh") == "A a\n")
            #expect(throws: CommandError.self) { _ = try LedgerFile(path: folder.path) }
        }
    }

    @Test func `The settings of a simulation are read as they were written, and only as a whole`() throws {
        let settings = SimulationSettings(
            server: "http://127.0.0.1:1",
            key: "pk_1",
            directory: "/tmp/a b",
            users: 7,
            processes: 3,
            seed: .max,
            hasFaults: true,
            pause: 0.25
        )
        let again = try #require(SimulationSettings(json: try JSONValue(parsing: settings.json.text)))
        #expect(again.json == settings.json && again.seed == .max && again.path("x") == "/tmp/a b/x")
        for name in try #require(settings.json.object).keys {
            var members = try #require(settings.json.object)
            members[name] = nil
            #expect(SimulationSettings(json: .object(members)) == nil, "\(name)")
        }
        // Each client is of one process.
        let clients = (0..<3).flatMap { settings.clients(of: $0) }
        #expect(clients.sorted() == Array(0..<7))
        #expect(SimulationSettings.userNames(of: 4) == ["sim-4-a", "sim-4-b"])
    }

    @Test func `A port is free or taken, and a host of elsewhere is none to listen on`() async throws {
        try await CommandServer.run { server in
            let port = try #require(URL(string: server.address)?.port)
            #expect(PortProbe.look(at: "127.0.0.1", port: port) == .taken)
            let failure = #expect(throws: CommandError.self) { try PortProbe.check("127.0.0.1", port: port) }
            #expect(failure?.description.hasPrefix("Port \(port) of 127.0.0.1 is in use. ") == true)
        }
        #expect(PortProbe.look(at: "127.0.0.1", port: 0) == .free)
        // An address of the documentation, which no machine has.
        for host in ["192.0.2.1", "::1 x"] {
            #expect(PortProbe.look(at: host, port: 0) == .unknown)
            let failure = #expect(throws: CommandError.self) { try PortProbe.check(host, port: 0) }
            #expect(failure?.description.hasPrefix("\(host) is not an address of this machine.") == true)
        }
    }

    @Test(
        "A part of a path is one part, whatever an ID has",
        arguments: [
            ("a", "a"), ("a/b", "a%2Fb"), ("..", "%2E%2E"), (".", "%2E"), ("...", "%2E%2E%2E"), ("a.b", "a.b"),
            ("a?b#c", "a%3Fb%23c"), ("a b", "a%20b"), ("%2F", "%252F"), ("a\\b", "a%5Cb"), ("a\nb", "a%0Ab"),
            ("~_-", "~_-"),
        ]
    )
    func parts(_ part: String, _ encoded: String) { #expect(ManagementClient.encoded(part) == encoded) }

    @Test(
        "The address of a server has a scheme and a host, and errors don't repeat a password",
        arguments: [
            "", "x", "ftp://h", "http://", "http://u:hush@h", "http://h?hush", "http://h#hush", "//h", "file:///h",
        ]
    )
    func addresses(_ text: String) throws {
        let value = SettingValues.Value(text: text, origin: "PLACARD_SERVER")
        let error = #expect(throws: ConfigurationError.self) { _ = try ServerAddress.url(value) }
        #expect(
            error?.description.hasPrefix("PLACARD_SERVER: ") == true && error?.description.contains("hush") == false
        )
        #expect(try ServerAddress.url(nil).absoluteString == "http://127.0.0.1:8080")
    }
}
