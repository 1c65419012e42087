import CardServer
import CommandSettings
import Synchronization

/// Where a server listens that binds no port by itself, and what is left there when it ends.
struct ListeningPlace {
    private let socket: LocalSocket?
    private let made: Made?

    /// The socket that was made at the path.
    private final class Made: Sendable {
        let identity = Mutex<LocalSocket.Identity?>(nil)
    }

    /// An address and a port.
    init() { (socket, made) = (nil, nil) }

    /// A socket that was handed down, and that stays.
    init(_ socket: ServiceManager.ListeningSocket, _ options: inout PlacardServer.Options) {
        (self.socket, made) = (nil, nil)
        var path: String?
        switch socket.place {
        case .host(let host): options.host = host
        case .path(let name): path = name
        }
        options.socket = SocketSource(path: path) { socket.descriptor }
    }

    /// A Unix socket, made once requests can be answered.
    ///
    /// - Throws: `CommandFailure` where something else is at its path.
    init(_ socket: LocalSocket, _ options: inout PlacardServer.Options) throws {
        do {
            try socket.check()
        } catch {
            throw CommandFailure(error.description)
        }
        let made = Made()
        (self.socket, self.made) = (socket, made)
        options.socket = SocketSource(path: socket.path) {
            do throws(LocalSocket.Failure) {
                let (descriptor, identity) = try socket.listen()
                made.identity.withLock { $0 = identity }
                return descriptor
            } catch {
                throw CommandFailure(error.description)
            }
        }
    }

    /// Whether every account of this machine may connect to the socket that the settings name.
    var isOpenToAll: Bool { socket?.isOpenToAll ?? false }

    /// Removes the socket that was made.
    func leave() {
        guard let socket, let identity = made?.identity.withLock({ $0 }) else { return }
        socket.remove(identity)
    }
}
