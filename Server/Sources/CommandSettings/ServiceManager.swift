import Foundation

/// The values of the service manager that started the process, such as systemd: where to say how it is, how often it is
/// to say that it lives, and a socket that listens already.
///
/// The names are those of `sd_notify(3)` and `sd_listen_fds(3)`. Without a service manager there is none of it.
package struct ServiceManager: Sendable, Equatable {
    /// The first descriptor that is handed down.
    private static let firstDescriptor: Int32 = 3
    private static let names = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_PIDFDID",
        "LISTEN_FDNAMES",
    ]

    /// The address of the socket that takes messages; one that begins with `@` isn't in the file system.
    package let notifySocket: String?
    /// The seconds within which a sign of life has to come, or `nil` where none is asked for.
    package let watchdogSeconds: Double?
    /// The number of sockets that were handed down to this process.
    package let socketCount: Int

    /// Reads what the environment says.
    ///
    /// - Parameters:
    ///   - environment: The environment.
    ///   - processID: The process's id: what is meant for another process, such as a parent, is passed over.
    package init(environment: [String: String], processID: Int32) {
        func isMine(_ name: String) -> Bool? { environment[name].map { $0 == String(processID) } }
        notifySocket = environment["NOTIFY_SOCKET"].flatMap { name in
            // A path of a socket has at most so many bytes.
            (name.hasPrefix("/") || name.hasPrefix("@")) && (2...107).contains(name.utf8.count) ? name : nil
        }
        let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
        watchdogSeconds = microseconds > 0 && isMine("WATCHDOG_PID") ?? true ? Double(microseconds) / 1e6 : nil
        let sockets = environment["LISTEN_FDS"].flatMap { UInt16($0) } ?? 0
        // safe: sixteen bits
        socketCount = isMine("LISTEN_PID") == true ? Int(sockets) : 0
    }

    /// Reads what the process was started with, and takes it out of the environment: processes that this one starts are
    /// others.
    package static func current() -> ServiceManager {
        let manager = ServiceManager(
            environment: ProcessInfo.processInfo.environment,
            processID: ProcessInfo.processInfo.processIdentifier
        )
        for name in names { unsetenv(name) }
        return manager
    }

    /// A socket that was handed down.
    package struct ListeningSocket: Sendable, Equatable {
        /// The place where a socket listens.
        package enum Place: Sendable, Equatable {
            /// At an address, such as `127.0.0.1` or `::`.
            case host(String)
            /// At a path of the file system.
            case path(String)
        }

        /// Its descriptor.
        package let descriptor: Int32
        /// The place where it listens.
        package let place: Place
    }

    /// Returns the socket that was handed down, or `nil` for none.
    ///
    /// - Throws: `ConfigurationError` where there are several, or it is none that listens on a TCP port or at a path.
    package func listeningSocket() throws(ConfigurationError) -> ListeningSocket? {
        guard socketCount > 0 else { return nil }
        guard socketCount == 1 else {
            throw ConfigurationError(
                "The service manager handed \(socketCount) sockets down. Give placard.socket one ListenStream=; in a "
                    + "drop-in, an empty one before it takes the unit's own away."
            )
        }
        return try Self.listeningSocket(at: Self.firstDescriptor)
    }

    /// Returns the socket of a descriptor.
    ///
    /// - Parameter descriptor: A descriptor of this process.
    /// - Returns: The socket, which processes that this one starts don't get.
    /// - Throws: `ConfigurationError` where it is none that listens on a TCP port or at a path.
    package static func listeningSocket(at descriptor: Int32) throws(ConfigurationError) -> ListeningSocket {
        guard option(SO_ACCEPTCONN, of: descriptor) == 1, option(SO_TYPE, of: descriptor) == stream,
            let place = place(of: descriptor)
        else {
            throw ConfigurationError(
                "What the service manager handed down listens neither on a TCP port nor at a path. "
                    + "Give ListenStream= an "
                    + "address and a port, or a path, and Accept=no."
            )
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return ListeningSocket(descriptor: descriptor, place: place)
    }

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// Returns where a socket listens, or `nil` where it has neither an address nor a path: anybody on this machine may
    /// connect to one with a name of another kind.
    private static func place(of descriptor: Int32) -> ListeningSocket.Place? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout.size(ofValue: storage))
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &size) == 0 else { return nil }
                switch address.pointee.sa_family {
                case sa_family_t(AF_INET), sa_family_t(AF_INET6):
                    return host(address, size).map(ListeningSocket.Place.host)
                case sa_family_t(AF_UNIX): return path(address, size).map(ListeningSocket.Place.path)
                default: return nil
                }
            }
        }
    }

    private static func host(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func path(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        guard let start = MemoryLayout<sockaddr_un>.offset(of: \sockaddr_un.sun_path) else { return nil }
        // safe: the size of an address, which is a hundred bytes or so
        let bytes = UnsafeRawBufferPointer(start: address, count: min(Int(size), MemoryLayout<sockaddr_un>.size))
        // safe: where a field of it begins
        let path = bytes.dropFirst(start).prefix { $0 != 0 }
        return path.isEmpty ? nil : String(validating: path, as: UTF8.self)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout.size(ofValue: value))
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
