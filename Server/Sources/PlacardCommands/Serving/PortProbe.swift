import Foundation

/// Tells whether a server could listen on a port.
enum PortProbe {
    /// The finding of a probe.
    enum Finding: Equatable {
        case free
        case taken
        /// Only the administrator may listen there.
        case forbidden
        /// The host is not an address of this machine, or cannot be told.
        case unknown
    }

    /// Tries to take the port and gives it back at once.
    static func look(at host: String, port: Int) -> Finding {
        guard let found = address(host, port) else { return .unknown }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, found.pointee.ai_protocol)
        guard descriptor >= 0 else { return .unknown }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0 else {
            return finding(of: errno)
        }
        return .free
    }

    private static func finding(of code: Int32) -> Finding {
        switch code {
        case EADDRINUSE: .taken
        case EACCES, EPERM: .forbidden
        default: .unknown
        }
    }

    /// Finds the socket address of a host and port; the caller frees it with `freeaddrinfo`.
    static func address(_ host: String, _ port: Int) -> UnsafeMutablePointer<addrinfo>? {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        return getaddrinfo(host, String(port), &hints, &found) == 0 ? found : nil
    }

    /// Throws where a server cannot listen there, saying what to do.
    static func check(_ host: String, port: Int) throws {
        switch look(at: host, port: port) {
        case .free: break
        case .taken:
            throw CommandError("Port \(port) of \(host) is in use. Stop what uses it, or give another by --port.")
        case .forbidden:
            throw CommandError("Port \(port) can't be used without more rights. Give one above 1023 by --port.")
        case .unknown:
            throw CommandError("\(host) is not an address of this machine. Give one by --host, such as 127.0.0.1.")
        }
    }
}
