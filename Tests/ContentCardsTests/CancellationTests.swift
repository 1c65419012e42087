import ContentCards
import Foundation
import Testing

@Suite("A request that is cancelled while its answer arrives", .timeLimit(.minutes(20)))
struct CancellationTests {
    @Test("never ends the process, however the two meet")
    func race() async throws {
        let server = try OneLineServer()
        defer { server.stop() }
        let transport = URLSessionTransport()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        for round in 0..<400 {
            let request = Task { try await transport.send(TransportRequest(method: "GET", url: url, timeout: 300)) }
            // Yielding now more, now less often lets the cancellation meet every moment of the exchange.
            for _ in 0..<(round % 40) * 25 { await Task.yield() }
            request.cancel()
            _ = await request.result
        }
        let last = try await transport.send(TransportRequest(method: "GET", url: url, timeout: 300))
        #expect(last.status == 200)
    }
}

/// A server on a free port of the loopback interface that gives everybody the same short answer and hangs up.
private final class OneLineServer: Sendable {
    let port: UInt16
    private let socket: Int32

    init() throws {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let listener = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        try #require(isListening)
        socket = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { Self.answer(listener) }
    }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// Answers each connection on a thread of its own: one that a cancelled request opened may never say anything.
    private static func answer(_ listener: Int32) {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            Thread.detachNewThread {
                let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }
}
