import CardModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The context of one request while it is answered.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    private var forwarded: ClientConnection?
    /// Whether the connection is encrypted.
    private var isEncrypted = false
    /// The name of the request in logs.
    var requestID = ""
    /// Whether the client asked for the head of the answer alone, which nothing may be opened, ended or noted for.
    package internal(set) var isHead = false
    /// The caller, once that was checked.
    var caller: Caller?

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The client that the request comes from, as trusted proxies say.
    package var client: ClientConnection {
        forwarded ?? ClientConnection(PeerAddress(channel.remoteAddress), isSecure: isEncrypted)
    }

    /// The client that the server counts the request for, or `nil` where the connection has no address.
    var clientKey: ClientKey? { client.key }

    /// Returns the caller, whose permission was checked before its handler was called.
    ///
    /// - Throws: `RequestError` with 401 on a route that anybody may call.
    func requireCaller() throws(RequestError) -> Caller {
        guard let caller else { throw RequestError(.unauthorized, "key_missing", "Send an API key.") }
        return caller
    }

    /// Whether the other end of the connection is one of some proxies.
    func comes(by proxies: TrustedProxies) -> Bool { proxies.contains(PeerAddress(channel.remoteAddress)) }

    /// Reads from a request's headers where it comes from, if a proxy is trusted at all.
    mutating func readForwarding(_ headers: HTTPFields, _ proxies: TrustedProxies, isEncrypted: Bool) {
        self.isEncrypted = isEncrypted
        guard !proxies.isEmpty else { return }
        let peer = PeerAddress(channel.remoteAddress)
        forwarded = proxies.client(peer: peer, isEncrypted: isEncrypted) { name in
            HTTPField.Name(name).map { headers[values: $0] } ?? []
        }
    }
}

extension PeerAddress {
    /// Creates the address of a socket.
    init(_ address: SocketAddress?) {
        if case .unixDomainSocket = address {
            self = .socket
        } else {
            self.init(IPAddress(address))
        }
    }
}

extension IPAddress {
    /// Creates the address of a socket, or returns `nil` where it has none.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let four): self.init(bytes: withUnsafeBytes(of: four.address.sin_addr) { Array($0) })
        case .v6(let six): self.init(bytes: withUnsafeBytes(of: six.address.sin6_addr) { Array($0) })
        default: return nil
        }
    }
}
