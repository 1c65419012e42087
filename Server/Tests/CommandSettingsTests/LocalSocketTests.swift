import CommandSettings
import Foundation
import Testing

@Suite("A Unix socket")
struct LocalSocketTests {
    private let folder: URL

    init() throws {
        // Short: a socket's path is.
        folder = URL(filePath: "/tmp/placard-\(UInt32.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder.appending(path: "s").path }

    private func value(_ text: String) -> SettingValues.Value { SettingValues.Value(text: text, origin: "test") }

    private func socket(_ mode: String? = nil, group: String? = nil) throws -> LocalSocket {
        try LocalSocket(path: value(path), mode: mode.map(value), group: group)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("has its mode, and no other file beside it")
    func modes() throws {
        let (descriptor, _) = try socket("0600").listen()
        defer { close(descriptor) }
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s"])
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try socket().mode == 0o660)
        #expect(try socket("666").isOpenToAll && !socket("660").isOpenToAll)
    }

    @Test("isn't taken from a server that listens on it")
    func taken() throws {
        let (descriptor, _) = try socket().listen()
        defer { close(descriptor) }
        #expect(LocalSocket.look(at: path) == .taken)
        #expect(throws: LocalSocket.Failure.self) { try socket().listen() }
        #expect(LocalSocket.look(at: path) == .taken)
    }

    @Test("is replaced where nobody listens on it any more")
    func stale() throws {
        let (descriptor, first) = try socket().listen()
        close(descriptor)
        #expect(LocalSocket.look(at: path) == .stale)
        let (next, second) = try socket().listen()
        defer { close(next) }
        #expect(LocalSocket.look(at: path) == .taken)
        // The one that was replaced removes nothing of the other's.
        try socket().remove(first)
        #expect(LocalSocket.look(at: path) == .taken)
        try socket().remove(second)
        #expect(LocalSocket.look(at: path) == .free)
    }

    @Test("takes the place of no file, folder or link")
    func others() throws {
        let target = folder.appending(path: "target").path
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(LocalSocket.look(at: path) == .other)
        #expect(throws: LocalSocket.Failure.self) { try socket().listen() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(LocalSocket.look(at: path) == .other)
    }

    @Test("can't be in a folder that isn't there, and leaves nothing where it can't be made")
    func failures() throws {
        let nowhere = try LocalSocket(path: value(folder.path + "/none/s"))
        #expect(throws: LocalSocket.Failure.self) { try nowhere.listen() }
        #expect(throws: LocalSocket.Failure.self) { try socket(group: "there is no such group").listen() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("is refused where its path or mode can't be meant", arguments: ["888", "66", "06600", "0o66", "060", ""])
    func refusals(mode: String) throws {
        #expect(throws: ConfigurationError.self) { try socket(mode) }
        #expect(throws: ConfigurationError.self) {
            try LocalSocket(path: value(String(repeating: "x", count: 91)))
        }
    }
}
