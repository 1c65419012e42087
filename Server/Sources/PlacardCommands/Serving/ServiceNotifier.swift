import CommandSettings
import Foundation

/// Tells the service manager how the process is, by datagrams as `sd_notify(3)` sends them.
///
/// What can't be sent within a second is given up: requests are answered all the same.
struct ServiceNotifier: Sendable {
    private let send: @Sendable (String) -> Void

    /// Creates a notifier.
    ///
    /// - Parameter manager: The service manager; without a socket, nothing is sent.
    init(_ manager: ServiceManager) {
        let socket = manager.notifySocket
        send = { text in
            if let socket { Self.send(Array(text.utf8.prefix(4_096)), to: socket) }
        }
    }

    /// Creates a notifier whose messages go to a function.
    init(send: @escaping @Sendable (String) -> Void) { self.send = send }

    /// Says that the server is starting, and what it does; it may take that many seconds from now.
    func starting(_ status: String, extendingBy seconds: Int) {
        send(["STATUS=\(status)", "EXTEND_TIMEOUT_USEC=\(seconds)000000"])
    }

    /// Says that requests are answered.
    func ready(_ status: String) { send(["READY=1", "STATUS=\(status)"]) }

    /// Says what the process does.
    func status(_ status: String) { send(["STATUS=\(status)"]) }

    /// Says that settings are read again; ``ready(_:)`` ends it.
    func reloading() {
        let now = DispatchTime.now().uptimeNanoseconds / 1_000
        send(["RELOADING=1", "MONOTONIC_USEC=\(now)", "STATUS=Reading the settings again"])
    }

    /// Says that the process is ending.
    func stopping(_ status: String) { send(["STOPPING=1", "STATUS=\(status)"]) }

    /// Says that the process lives.
    func alive() { send(["WATCHDOG=1"]) }

    private func send(_ lines: [String]) {
        // A line break would begin another message.
        send(lines.map { String($0.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\n"))
    }

    #if canImport(Darwin)
    private static let kind = SOCK_DGRAM
    #else
    private static let kind = Int32(SOCK_DGRAM.rawValue)
    #endif

    private static func send(_ bytes: [UInt8], to name: String) {
        let descriptor = Foundation.socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // A manager that is busy has a full queue for a moment, and would never learn that the server is ready.
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout.size(ofValue: patience)))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        // The sign stands for a name that isn't in the file system.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard path.count < place.count else { return false }
            place.copyBytes(from: path)
            return true
        }
        guard isFitting else { return }
        // safe: both are small
        let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, 0, address, size) }
            }
        }
    }
}
