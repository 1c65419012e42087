import Foundation
import NIOPosix
import Synchronization

/// Finds the addresses of hosts.
protocol HostResolving: Sendable {
    /// Returns the addresses of a host by its name, in the order in which they are to be tried; none where there is no
    /// such host.
    func addresses(of host: String) async throws -> [HostAddress]
}

/// Asks the resolver of the system.
final class SystemResolver: HostResolving {
    /// The one of the process.
    static let shared = SystemResolver()

    /// How many names may be looked up at a time; a resolver that hangs must not gather more and more of them.
    private static let limit = 256

    // Its own threads, since the system's resolver can't be cancelled and waits as long as it likes.
    private let threads = NIOThreadPool(numberOfThreads: 8)
    private let pending = Mutex(0)

    private init() { threads.start() }

    func addresses(of host: String) async throws -> [HostAddress] {
        let isFree = pending.withLock { pending in
            guard pending < Self.limit else { return false }
            pending += 1
            return true
        }
        guard isFree else { throw OutboundFailure.unreachable("Too many names are being looked up") }
        return try await threads.runIfActive { [self] in
            defer { pending.withLock { $0 -= 1 } }
            return Self.lookUp(host)
        }
    }

    private static func lookUp(_ host: String) -> [HostAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [HostAddress] = []
        var next = list
        while let info = next?.pointee {
            // What can't be read isn't left out: it is one of the addresses, and not public.
            addresses.append(text(of: info).flatMap(HostAddress.init) ?? .unspecified)
            next = info.ai_next
        }
        return addresses
    }

    private static func text(of info: addrinfo) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(name.count)
        guard getnameinfo(info.ai_addr, info.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        // A zone such as `%eth0` belongs to addresses of one network, which are none of the internet.
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
    }
}
