import CardModel
import CardServer
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// Processes that the command starts, and the keys of the demo.
struct ProcessTests {
    /// Runs a shell with some lines, and returns how it ended and what it wrote.
    private static func shell(
        _ script: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> (ending: ChildProcess.Ending, output: String) {
        try await CommandFolder.with { folder in
            let (source, target) = (try folder.write(input, to: "input"), try folder.write("", to: "output"))
            let reading = try #require(FileHandle(forReadingAtPath: source))
            let writing = try #require(FileHandle(forWritingAtPath: target))
            let identifier = try SpawnedProcess.start(
                "/bin/sh",
                ["-c", script, "sh"] + arguments,
                environment: environment,
                input: reading.fileDescriptor,
                output: writing.fileDescriptor,
                errors: writing.fileDescriptor
            )
            let ending = ChildProcess.ending(of: identifier)
            withExtendedLifetime((reading, writing)) {}
            return (ending, try folder.text(of: "output"))
        }
    }

    @Test(
        "A process ends with its status or by its signal",
        arguments: [
            ("exit 0", .exited(status: 0)), ("exit 3", .exited(status: 3)), ("exit 255", .exited(status: 255)),
            ("kill -KILL $$", .killed(signal: SIGKILL)), ("kill -TERM $$", .killed(signal: SIGTERM)),
            ("nonexistent-command", .exited(status: 127)),
        ] as [(String, ChildProcess.Ending)]
    )
    func endings(_ script: String, _ ending: ChildProcess.Ending) async throws {
        #expect(try await Self.shell(script).ending == ending)
    }

    @Test func `Arguments, input and variables arrive as they are, and both streams leave together`() async throws {
        let words = ["a b", "", "$HOME", "'\"", "春", "*"]
        let echoed = try await Self.shell(#"for word; do printf '[%s]' "$word"; done"#, words)
        #expect(echoed.output == "[a b][][$HOME]['\"][春][*]")
        #expect(try await Self.shell("cat; echo error >&2", input: "one\ntwo\n").output == "one\ntwo\nerror\n")
        let variables = try await Self.shell(#"printf %s "$ONE/$PLACARD_KEY""#, environment: ["ONE": "1 = 2"])
        #expect(variables.output == "1 = 2/")
    }

    @Test func `A process has its standard streams and no other file of this one`() async throws {
        let secret = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let number = secret.fileDescriptor
        try #require(number > STDERR_FILENO)
        let script = "if [ -e /proc/self/fd/\(number) ]; then echo open; else echo closed; fi"
        #expect(try await Self.shell(script).output == "closed\n")
        withExtendedLifetime(secret) {}
    }

    @Test func `A program that there isn't is an error`() throws {
        let null = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let stream = null.fileDescriptor
        let program = "/nonexistent/program"
        let error = #expect(throws: POSIXError.self) {
            _ = try SpawnedProcess.start(program, [], environment: [:], input: stream, output: stream, errors: nil)
        }
        #expect(error?.code == .ENOENT)
        withExtendedLifetime(null) {}
    }

    // MARK: The demo

    /// The store of a demo and its file of keys.
    private static func withDemo(_ body: (SQLiteCardStore, URL) async throws -> Void) async throws {
        try await CommandFolder.with { folder in
            let store = try SQLiteCardStore(path: folder.path("demo.sqlite"))
            try await body(store, folder.url.appending(path: "keys.json"))
            try await store.close()
        }
    }

    private static func secrets(_ store: SQLiteCardStore, _ file: URL) async throws -> DemoKeys.Secrets {
        let keys = DemoKeys(file: file)
        #expect(keys.secrets == nil)
        try await keys.prepare(in: store)
        return try #require(keys.secrets)
    }

    @Test func `The demo has the same two keys each time, in a file of its owner alone`() async throws {
        try await Self.withDemo { store, file in
            let first = try await Self.secrets(store, file)
            #expect(first.publishable.hasPrefix("pk_") && first.secret.hasPrefix("sk_"))
            let again = try await Self.secrets(store, file)
            #expect(again.publishable == first.publishable && again.secret == first.secret)
            #expect(try await store.apiKeys().count == 2)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
        }
    }

    @Test(
        "A file of keys that can't be read is written again",
        arguments: ["", "{", "[]", "7", #"{"secret": "sk_1"}"#, #"{"secret": {"id": "key_1"}}"#]
    )
    func damagedKeys(_ text: String) async throws {
        try await Self.withDemo { store, file in
            try Data(text.utf8).write(to: file)
            let made = try await Self.secrets(store, file)
            #expect(try await Self.secrets(store, file).secret == made.secret)
            #expect(try await store.apiKeys().count == 2)
        }
    }

    @Test func `A key that was revoked, or is of another database, is made again`() async throws {
        try await Self.withDemo { store, file in
            let first = try await Self.secrets(store, file)
            let revoked = try #require(try await store.apiKeys().first { $0.kind == .secret })
            #expect(try await store.revokeKey(revoked.id, at: 1_800_000_000, by: .command))
            let second = try await Self.secrets(store, file)
            #expect(second.secret != first.secret && second.publishable == first.publishable)
            try await Self.withDemo { other, _ in
                let third = try await Self.secrets(other, file)
                #expect(third.secret != second.secret && third.publishable != first.publishable)
            }
        }
    }

    @Test func `A folder in the place of the keys is an error that says what to give`() async throws {
        try await Self.withDemo { store, file in
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            let keys = DemoKeys(file: file)
            let failure = await #expect(throws: CommandError.self) { try await keys.prepare(in: store) }
            #expect(failure?.description == "\(file.path) cannot be written. Give another place by --directory.")
            #expect(keys.secrets == nil)
        }
    }

    @Test func `The greeting has what other terminals need, and bodies that are JSON`() throws {
        let greeting = DemoGreeting(
            address: "http://127.0.0.1:8081",
            dashboard: "/dashboard",
            secrets: DemoKeys.Secrets(publishable: "pk_1", secret: "sk_1"),
            database: "/tmp/demo.sqlite"
        )
        let text = greeting.text
        #expect(text.contains("export PLACARD_SERVER=http://127.0.0.1:8081\n"))
        #expect(text.contains("export PLACARD_PUBLISHABLE_KEY=pk_1\n") && text.contains("export PLACARD_KEY=sk_1\n"))
        #expect(text.contains("http://127.0.0.1:8081/dashboard\n") && text.contains("/tmp/demo.sqlite\n"))
        let bodies = text.matches(of: /-d '([^']*)'/).map { String($0.output.1) }
        #expect(bodies.count == 4)
        for body in bodies { #expect((try? JSONValue(parsing: body))?.object != nil, "\(body)") }
        // The secret is in no line but those that set it and show it.
        #expect(text.components(separatedBy: "sk_1").count == 3)
    }
}
