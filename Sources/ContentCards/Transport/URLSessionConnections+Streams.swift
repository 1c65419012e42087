import Foundation

#if canImport(FoundationNetworking)
extension URLSessionConnections {
    /// Makes the connection that the stream then uses, by a small request.
    ///
    /// Foundation on Linux goes on asking whether a socket can be written for as long as the request lasts for which it
    /// was connected, and it always can: a stream on a new connection keeps a whole core busy. One on a connection that
    /// has answered before costs nothing.
    func prepareStream(for request: TransportRequest) async throws {
        guard var address = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return }
        address.path = "/healthz"
        address.query = nil
        guard let url = address.url else { return }
        let answer = try await start(TransportRequest(method: "GET", url: url, timeout: request.timeout))
        for try await _ in answer.bytes {}
    }
}
#else
extension URLSessionConnections {
    /// Does nothing: Apple's Foundation needs no help.
    func prepareStream(for request: TransportRequest) async throws {}
}
#endif
