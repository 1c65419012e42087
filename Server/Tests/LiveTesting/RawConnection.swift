package import Foundation
internal import NIOCore
import NIOPosix

/// A connection over which a test says exactly what goes over the wire, and when.
package struct RawConnection {
    /// An answer as it came.
    package struct Answer: Sendable {
        package let status: Int
        package let headers: [String: String]
        package let body: String
    }

    private let address: URL

    /// Prepares a connection to a server.
    package init(to address: URL) { self.address = address }

    /// Sends the pieces, each by itself, and returns what comes back until there are `count` answers or the server
    /// closes.
    package func exchange(_ pieces: [String], count: Int) async throws -> [Answer] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: address.port ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            for piece in pieces { try await outbound.write(ByteBuffer(string: piece)) }
            var received = ""
            var answers: [Answer] = []
            for try await part in inbound {
                received += String(buffer: part)
                while let (answer, rest) = Self.split(received) {
                    answers.append(answer)
                    received = rest
                }
                if answers.count >= count { break }
            }
            return answers
        }
    }

    private static func split(_ text: String) -> (Answer, String)? {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let pairs = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        let headers = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        let rest = text[end.upperBound...].utf8
        guard rest.count >= length else { return nil }
        let answer = Answer(
            status: Int(lines[0].split(separator: " ")[1]) ?? 0,
            headers: headers,
            body: String(decoding: rest.prefix(length), as: UTF8.self)
        )
        return (answer, String(decoding: rest.dropFirst(length), as: UTF8.self))
    }
}
