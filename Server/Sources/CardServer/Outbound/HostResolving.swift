import Foundation
import NIOPosix

/// Finds the addresses of hosts.
protocol HostResolving: Sendable {
    /// Returns the addresses of a host by its name, in the order in which they are to be tried; none where there is no
    /// such host.
    func addresses(of host: String) async throws -> [HostAddress]
}

/// Asks the resolver of the system.
///
/// It can't be cancelled, and waits as long as it likes for a name whose servers don't answer. So names that editors
/// write are looked up by threads of their own, and keep nobody waiting who signs in with a provider or gets a webhook.
final class SystemResolver: HostResolving {
    /// The one for hosts that administrators and the operator name.
    static let shared = SystemResolver(threads: 8, limit: 256)
    /// The one for hosts of images, which editors name.
    static let ofImages = SystemResolver(threads: 4, limit: 48)

    private let threads: NIOThreadPool
    private let load: WorkLimit
    private let lookUp: @Sendable (String) -> [HostAddress]

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - threads: How many names are looked up at a time.
    ///   - limit: How many may be looked up or wait for that; one that hangs must not gather more and more of them.
    ///   - lookUp: Asks for the addresses of a name.
    init(
        threads: Int,
        limit: Int,
        lookUp: @escaping @Sendable (String) -> [HostAddress] = SystemResolver.systemAddresses
    ) {
        self.threads = NIOThreadPool(numberOfThreads: threads)
        load = WorkLimit(limit)
        self.lookUp = lookUp
        self.threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    func addresses(of host: String) async throws -> [HostAddress] {
        guard load.begin() else { throw OutboundError.busy("Too many names are being looked up") }
        // Of who doesn't wait any longer, nothing is looked up, and nothing is run.
        defer { load.end() }
        return try await threads.runIfActive { [lookUp] in lookUp(host) }
    }

    @Sendable private static func systemAddresses(_ host: String) -> [HostAddress] {
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
