import CardModel
import NIOCore
import NIOHTTP1

/// The other end of a connection: a client, or a proxy that says which client each request comes from.
struct ConnectionPeer: Sendable {
    private var address = PeerAddress.unknown
    private var proxies = TrustedProxies.none
    /// The client that requests are counted for where no proxy says otherwise.
    private var own: ClientKey?

    /// Creates a peer without an address.
    init() {}

    /// Reads where a connection comes from.
    init(_ channel: any Channel, _ proxies: TrustedProxies) {
        address = PeerAddress(channel.remoteAddress)
        own = ClientKey(address)
        guard proxies.contains(address) else { return }
        self.proxies = proxies
    }

    /// Whether it is a proxy that forwards requests of others.
    var isProxy: Bool { !proxies.isEmpty }

    /// The client that the connection itself is counted for: none where it is a proxy's.
    var connectionKey: ClientKey? { isProxy ? nil : own }

    /// The address that a request is logged with: the connection's own where no head says more.
    func address(of headers: HTTPHeaders?) -> IPAddress? {
        guard isProxy, let headers else {
            if case .network(let own) = address { return own }
            return nil
        }
        return proxies.client(peer: address) { headers[$0] }.address
    }

    /// The client that a request is counted for, and whether it speaks HTTPS, as a proxy says.
    func client(of headers: HTTPHeaders) -> (key: ClientKey?, isSecure: Bool) {
        guard isProxy else { return (own, false) }
        let client = proxies.client(peer: address) { headers[$0] }
        return (client.key, client.isSecure)
    }
}
