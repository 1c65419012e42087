import CommandSettings
import Foundation
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
    private func manager(_ environment: [String: String]) -> ServiceManager {
        ServiceManager(environment: environment, processID: 42)
    }

    @Test("is nobody where the environment says nothing")
    func nobody() {
        let manager = manager([:])
        #expect(manager.notifySocket == nil && manager.watchdogSeconds == nil && manager.socketCount == 0)
    }

    @Test("is told by a path or an abstract name, and by nothing else")
    func notifySocket() {
        #expect(manager(["NOTIFY_SOCKET": "/run/systemd/notify"]).notifySocket == "/run/systemd/notify")
        #expect(manager(["NOTIFY_SOCKET": "@notify"]).notifySocket == "@notify")
        for name in ["", "/", "@", "notify", "vsock:2:9999", "/" + String(repeating: "a", count: 107)] {
            #expect(manager(["NOTIFY_SOCKET": name]).notifySocket == nil)
        }
    }

    @Test("asks this process for signs of life, and not another one")
    func watchdog() {
        #expect(manager(["WATCHDOG_USEC": "1500000"]).watchdogSeconds == 1.5)
        #expect(manager(["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "42"]).watchdogSeconds == 1.5)
        #expect(manager(["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "41"]).watchdogSeconds == nil)
        for text in ["0", "-1", "", "1.5", "99999999999999999999999"] {
            #expect(manager(["WATCHDOG_USEC": text]).watchdogSeconds == nil)
        }
    }

    @Test("hands sockets to the process that it names alone")
    func sockets() {
        #expect(manager(["LISTEN_FDS": "1", "LISTEN_PID": "42"]).socketCount == 1)
        for environment in [
            ["LISTEN_FDS": "1"], ["LISTEN_FDS": "1", "LISTEN_PID": "41"], ["LISTEN_FDS": "-1", "LISTEN_PID": "42"],
        ] {
            #expect(manager(environment).socketCount == 0)
        }
        let several = #expect(throws: ConfigurationError.self) {
            try manager(["LISTEN_FDS": "2", "LISTEN_PID": "42"]).listeningSocket()
        }
        // A line of a drop-in is added to that of the unit.
        #expect(several?.description.contains("an empty one before it") == true)
    }

    @Test("hands over a socket that listens on a TCP port or at a path, and nothing else")
    func listening() throws {
        let descriptor = try #require(Self.makeSocket(AF_INET))
        defer { close(descriptor) }
        #expect(throws: ConfigurationError.self) { try ServiceManager.listeningSocket(at: descriptor) }
        #expect(listen(descriptor, 1) == 0)
        let socket = try ServiceManager.listeningSocket(at: descriptor)
        #expect(socket.descriptor == descriptor && socket.place == .host("0.0.0.0"))
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)

        let local = try #require(Self.makeSocket(AF_UNIX))
        defer { close(local) }
        // A name that the system chooses.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(local, $0, 2) == 0 }
        }
        #expect(isBound && listen(local, 1) == 0)
        #expect(throws: ConfigurationError.self) { try ServiceManager.listeningSocket(at: local) }
        #expect(throws: ConfigurationError.self) { try ServiceManager.listeningSocket(at: -1) }

        let path = "/tmp/placard-\(UInt32.random(in: .min ... .max))"
        let named = try LocalSocket(path: SettingValues.Value(text: path, origin: "test"))
        let (file, identity) = try named.listen()
        defer {
            close(file)
            named.remove(identity)
        }
        #expect(try ServiceManager.listeningSocket(at: file).place == .path(path))
    }

    private static func makeSocket(_ family: Int32) -> Int32? {
        #if canImport(Darwin)
        let descriptor = socket(family, SOCK_STREAM, 0)
        #else
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        return descriptor >= 0 ? descriptor : nil
    }
}
