import Foundation
import Liquid
import NIOPosix
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks hosts for what templates want.
protocol ContentFetching: Sendable {
    /// Asks once and waits for the answer, which always comes.
    func fetch(_ fetch: ContentFetch) async -> ContentAnswer
}

/// Asks by URLSession: 64 KiB, no redirects, no cookies, and no addresses of private networks.
final class URLSessionContentFetcher: ContentFetching {
    private let allowsPrivateHosts: Bool
    private let downloads = Downloads()
    private let session: URLSession

    /// - Parameters:
    ///   - allowsPrivateHosts: Whether this machine and its own network may be asked.
    ///   - timeout: How long an answer may take, in seconds.
    init(allowsPrivateHosts: Bool, timeout: Double) {
        self.allowsPrivateHosts = allowsPrivateHosts
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func fetch(_ fetch: ContentFetch) async -> ContentAnswer {
        if !allowsPrivateHosts {
            let host = fetch.host
            let isPublic = try? await NIOThreadPool.singleton.runIfActive { HostAddress.arePublic(of: host) }
            guard isPublic == true else { return .failure("The host has no public address.") }
        }
        var request = URLRequest(url: fetch.url)
        request.httpMethod = fetch.method
        for (name, value) in fetch.headers { request.setValue(value, forHTTPHeaderField: name) }
        if fetch.method == "POST" { request.httpBody = Data(fetch.body.utf8) }
        let task = session.dataTask(with: request)
        return await withCheckedContinuation { continuation in
            downloads.begin(task, continuation)
        }
    }
}

/// The downloads under way, each stopped when it becomes too large.
private final class Downloads: NSObject, URLSessionDataDelegate, Sendable {
    private static let sizeLimit = 64 << 10

    private struct Download {
        let continuation: CheckedContinuation<ContentAnswer, Never>
        var body: [UInt8] = []
    }

    private let open = Mutex<[Int: Download]>([:])

    func begin(_ task: URLSessionDataTask, _ continuation: CheckedContinuation<ContentAnswer, Never>) {
        open.withLock { $0[task.taskIdentifier] = Download(continuation: continuation) }
        task.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = open.withLock { open in
            open[dataTask.taskIdentifier]?.body.append(contentsOf: data)
            return open[dataTask.taskIdentifier].map { $0.body.count > Self.sizeLimit } ?? false
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let download = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        download.continuation.resume(returning: answer(download, task.response as? HTTPURLResponse, error))
    }

    private func answer(_ download: Download, _ response: HTTPURLResponse?, _ error: (any Error)?) -> ContentAnswer {
        guard download.body.count <= Self.sizeLimit else {
            return .failure("The answer has more than \(Self.sizeLimit) bytes.")
        }
        guard error == nil, let response else { return .failure("The host could not be reached.") }
        guard response.statusCode < 500, response.statusCode != 429 else {
            return .failure("The host answered with the status \(response.statusCode).")
        }
        guard let body = String(validating: download.body, as: UTF8.self) else {
            return .failure("The answer is not UTF-8.")
        }
        return .response(ConnectedContentResponse(status: response.statusCode, body: body))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Another address was not checked.
        completionHandler(nil)
    }
}
