import Foundation

/// Looks whether a server answers, or could start.
struct ServerCheck {
    let host: String
    let port: Int
    /// Whether a server or another command has the database open.
    let isDatabaseInUse: Bool

    func check() -> DoctorCheck { check(PortProbe.look(at: host, port: port)) }

    /// Says what was found at the port.
    func check(_ finding: PortProbe.Finding) -> DoctorCheck {
        switch finding {
        case .free where isDatabaseInUse:
            DoctorCheck(
                .warning,
                "server",
                "A server or another command has the database open, but none answers at port \(port) of \(host): say where "
                    + "it listens, and it is asked whether it is ready.",
                command: "placard doctor --host HOST --port PORT"
            )
        case .free:
            DoctorCheck(.good, "server", "none has the database open; port \(port) of \(host) is free")
        case .forbidden:
            DoctorCheck(
                .bad,
                "server",
                "Port \(port) can't be used without more rights.",
                command: "placard serve --port 8080"
            )
        case .unknown: DoctorCheck(.bad, "server", "\(host) is not an address of this machine.", command: "ip address")
        case .taken: ask()
        }
    }

    private func ask() -> DoctorCheck {
        let address = ServerRun.address(host, port)
        guard let status = ReadinessRequest(host: reachableHost, port: port).status() else {
            return DoctorCheck(
                .bad,
                "server",
                "Port \(port) is in use by something that doesn't answer HTTP within five seconds.",
                command: "ss -ltnp sport = :\(port)"
            )
        }
        guard status == 200 else {
            return DoctorCheck(
                .bad,
                "server",
                "\(address)/readyz answers with status \(status). The server's log says why.",
                command: "journalctl -u placard"
            )
        }
        return DoctorCheck(.good, "server", "ready at \(address)")
    }

    /// Where a server is asked that listens on all addresses.
    private var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

/// A request for `/readyz` over a socket of its own, for IPv4 and IPv6 alike.
private struct ReadinessRequest {
    private static let seconds = 5

    let host: String
    let port: Int

    /// The status of the answer, or `nil` where none comes in time.
    func status() -> Int? {
        guard let found = PortProbe.address(host, port) else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, found.pointee.ai_protocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: Self.seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        }
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard write(descriptor, request, request.utf8.count) == request.utf8.count else { return nil }
        return Self.status(ofAnswer: descriptor)
    }

    /// Reads the beginning of an answer, `HTTP/1.1 200`.
    private static func status(ofAnswer descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 12)
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard read > 0 else { return nil }
            // safe: at most the rest of the bytes
            count += read
        }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return parts.count == 2 && parts[0].hasPrefix("HTTP/") ? Int(parts[1]) : nil
    }
}
