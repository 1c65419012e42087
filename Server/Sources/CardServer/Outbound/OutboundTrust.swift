import NIOPosix
import NIOSSL
import Synchronization

/// The roots that certificates are checked by; reads the system's trusted roots when they are first needed.
final class OutboundTrust: Sendable {
    private let roots: NIOSSLTrustRoots
    private let protocols: [String]
    private let known = Mutex<NIOSSLContext?>(nil)

    /// Creates a trust in the system's roots or in some of its own, for protocols that are named to the host.
    init(_ roots: NIOSSLTrustRoots = .default, protocols: [String] = ["http/1.1"]) {
        (self.roots, self.protocols) = (roots, protocols)
    }

    /// Returns what TLS connections are made with: TLS 1.2 or later, with the certificate checked for the host.
    func context() async throws -> NIOSSLContext {
        if let context = known.withLock({ $0 }) { return context }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = roots
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = protocols
        // Reads and parses more than a hundred certificates.
        let context = try await NIOThreadPool.singleton.runIfActive { [configuration] in
            try NIOSSLContext(configuration: configuration)
        }
        known.withLock { $0 = context }
        return context
    }
}
