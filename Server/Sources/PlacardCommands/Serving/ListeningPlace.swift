import CardModel
import CardServer
import CommandSettings
import Logging
import Synchronization

/// The place where a server that binds no port by itself listens, and what is left there when it ends.
struct ListeningPlace {
    /// The time between two looks whether the socket is still there.
    private static let step = Duration.seconds(1)
    /// The maximum number of times that the socket is put back: each time takes a descriptor until the server ends.
    static let replacementLimit = 64

    private let socket: LocalSocket?
    private let made: Made?

    /// The socket that was made at the path.
    private final class Made: Sendable {
        let identity = Mutex<LocalSocket.Identity?>(nil)
        /// Takes the descriptors of sockets that were put back.
        let replacements: AsyncStream<Int32>.Continuation

        init(_ replacements: AsyncStream<Int32>.Continuation) { self.replacements = replacements }
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
    /// - Throws: `CommandError` where something else is at its path.
    init(_ socket: LocalSocket, _ options: inout PlacardServer.Options) throws {
        do {
            try socket.check()
        } catch {
            throw CommandError(error.description)
        }
        let (replacements, replaced) = AsyncStream.makeStream(of: Int32.self)
        let made = Made(replaced)
        (self.socket, self.made) = (socket, made)
        options.socket = SocketSource(path: socket.path, replacements: replacements) {
            do throws(LocalSocket.Failure) {
                let (descriptor, identity) = try socket.listen()
                made.identity.withLock { $0 = identity }
                return descriptor
            } catch {
                throw CommandError(error.description)
            }
        }
    }

    /// Whether every account of this machine may connect to the socket that the settings name.
    var isOpenToAll: Bool { socket?.isOpenToAll ?? false }

    /// Serves, and puts the socket back where something removes it, such as what cleans `/tmp`; removes it in the end.
    func kept(
        _ logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(),
        _ serve: () async throws -> Void
    ) async throws {
        let watching = Task { await watch(logger, clock) }
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve())
        } catch {
            result = .failure(error)
        }
        watching.cancel()
        await watching.value
        leave()
        try result.get()
    }

    /// Looks whether the socket is there, for as long as the task runs.
    func watch(_ logger: Logger, _ clock: any Clock<Duration>) async {
        guard let socket, let made else { return }
        var (count, problem) = (0, "")
        while (try? await clock.sleep(for: Self.step)) != nil {
            guard let identity = made.identity.withLock({ $0 }), !socket.isThere(identity) else {
                problem = ""
                continue
            }
            let failure = putBack(socket, made, &count, logger)
            if failure != problem, !failure.isEmpty {
                logger.error(
                    "The socket is gone, so that no one can connect, and can't be put back",
                    metadata: ["path": "\(socket.path)", "error": "\(failure)"]
                )
            }
            problem = failure
        }
    }

    /// Makes the socket again; returns why it can't be, or nothing.
    private func putBack(_ socket: LocalSocket, _ made: Made, _ count: inout Int, _ logger: Logger) -> String {
        guard count < Self.replacementLimit else {
            return "It was put back \(Quantity.text(count, "time")). Find out what removes it, and restart the server."
        }
        do throws(LocalSocket.Failure) {
            let (descriptor, identity) = try socket.listen()
            made.identity.withLock { $0 = identity }
            made.replacements.yield(descriptor)
        } catch {
            return error.description
        }
        count += 1
        logger.error(
            "The socket was removed or replaced, and was put back. Keep what cleans its folder from it",
            metadata: ["path": "\(socket.path)"]
        )
        return ""
    }

    /// Removes the socket that was made.
    private func leave() {
        guard let socket, let identity = made?.identity.withLock({ $0 }) else { return }
        socket.remove(identity)
    }
}
