import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Passes connections on to a cluster, and once loses the answer to a commit, as a network can.
///
/// The first commit on a connection that has sent a certain text reaches the server and is done; the connection ends
/// before its client hears of it. All else is passed on.
public final class CommitLosingProxy: Sendable {
    private let folder: String
    private let clusterFolder: String
    private let marker: Data
    private let listener: Int32
    private let hasLost = Atomic<Bool>(false)

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - cluster: Where connections lead.
    ///   - marker: A text of the transaction whose commit is lost.
    /// - Throws: ``PostgresCluster/Failure`` where the socket can't be made.
    public init(to cluster: PostgresCluster, marker: String) throws {
        folder = cluster.folder + "-proxy-\(UInt32.random(in: .min ... .max))"
        clusterFolder = cluster.folder
        self.marker = Data(marker.utf8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = try UnixSocket.open(folder + "/.s.PGSQL.5432") { bind($0, $1, $2) }
        guard listen(listener, 64) == 0 else { throw UnixSocket.failure() }
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { pass(client) }
        }
    }

    /// Stops to listen, and removes the socket.
    public func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a database of the cluster, through here.
    public func url(for url: String) -> String { url.replacingOccurrences(of: clusterFolder, with: folder) }

    private func pass(_ client: Int32) {
        guard let server = try? UnixSocket.open(clusterFolder + "/.s.PGSQL.5432", { connect($0, $1, $2) }) else {
            Foundation.close(client)
            return
        }
        let link = Link()
        Thread.detachNewThread { [self] in
            var isMarked = false
            Self.pump(from: client, to: server) { bytes in
                isMarked = isMarked || bytes.range(of: marker) != nil
                let isCommit = isMarked && bytes.range(of: Data("COMMIT\0".utf8)) != nil
                if isCommit, !hasLost.exchange(true, ordering: .relaxed) {
                    link.losesAnswer.store(true, ordering: .releasing)
                }
                return true
            }
            link.leave(client, server)
        }
        Thread.detachNewThread {
            // The server answers a commit when it is done.
            Self.pump(from: server, to: client) { _ in !link.losesAnswer.load(ordering: .acquiring) }
            link.leave(client, server)
        }
    }

    /// Passes bytes on until one of the sides ends, or they aren't to be passed on.
    private static func pump(from source: Int32, to target: Int32, while isPassedOn: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            guard isPassedOn(Data(buffer[..<count])) else { return }
            var written = 0
            while written < count {
                let sent = buffer[written..<count].withUnsafeBytes { send(target, $0.baseAddress, $0.count, noSignal) }
                guard sent > 0 else { return }
                written += sent
            }
        }
    }

    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// What the two directions of a connection share.
    private final class Link: Sendable {
        let losesAnswer = Atomic<Bool>(false)
        private let hasLeft = Atomic<Bool>(false)

        /// Ends both sides; the second direction to end closes them.
        func leave(_ sides: Int32...) {
            let isLast = hasLeft.exchange(true, ordering: .relaxed)
            for side in sides {
                shutdown(side, Int32(SHUT_RDWR))
                if isLast { Foundation.close(side) }
            }
        }
    }
}

/// Sockets by a path.
enum UnixSocket {
    static func open(
        _ path: String,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        #if canImport(Darwin)
        let socket = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard socket >= 0 else { throw failure() }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1))) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            defer { close(socket) }
            throw failure()
        }
        return socket
    }

    static func failure() -> PostgresCluster.Failure {
        PostgresCluster.Failure(description: String(cString: strerror(errno)))
    }
}
