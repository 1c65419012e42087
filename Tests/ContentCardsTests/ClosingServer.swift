import ContentCards
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on the loopback address that takes connections, reads a little and closes them: without an answer, as one
/// that crashes does, or with the bytes of a sequence.
final class ClosingServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// Listens on a free port; `nil` where that can't be.
    ///
    /// - Parameters:
    ///   - isEndless: whether a connection stays open after the last piece until the client has closed it.
    ///   - answer: returns a piece of the answer by its number, or `nil` after the last one.
    init?(isEndless: Bool = false, answer: @escaping @Sendable (_ piece: Int) -> [UInt8]? = { _ in nil }) {
        // A client that has gone is no reason to end the tests.
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else { return nil }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // The thread closes it: closed elsewhere, its number could be another socket's by now.
                    close(descriptor)
                    return
                }
                var bytes = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &bytes, bytes.count, 0)
                var piece = 0
                while let bytes = answer(piece), send(connection, bytes, bytes.count, 0) == bytes.count { piece += 1 }
                while isEndless, recv(connection, &bytes, bytes.count, 0) > 0 {}
                close(connection)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
