import Foundation
import Hummingbird
import LiveTesting
import Synchronization
import Testing

@testable import CardModel
@testable import CardServer

/// A page that takes its thread until it may end.
private struct SlowPages: ServerSurface {
    let begun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)

    func answers(_ path: String) -> Bool { path.hasPrefix("/slow") }

    func respond(to request: Request, _ context: AppContext) async -> Response {
        wait()
        return Response(status: .ok)
    }

    private func wait() {
        begun.signal()
        mayEnd.wait()
    }
}

@Suite("Requests of backends apart", .timeLimit(.minutes(20)))
struct RequestIsolationTests {
    private static func isApart() async -> Bool { RequestExecutor.isCurrent }

    @Test("A function runs on the executor's threads to its end, wherever it waits")
    func stays() async {
        let executor = RequestExecutor(threads: 1)
        let before = await Self.isApart()
        let seen = await executor.run {
            var seen = [await Self.isApart()]
            try? await Task.sleep(for: .milliseconds(1))
            seen.append(await Self.isApart())
            await withCheckedContinuation { continuation in Thread.detachNewThread { continuation.resume() } }
            seen.append(await Self.isApart())
            return seen
        }
        let after = await Self.isApart()
        #expect(seen == [true, true, true])
        #expect(!before && !after)
    }

    @Test("A thousand functions at once are all run, by one thread")
    func many() async {
        let executor = RequestExecutor(threads: 1)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...1_000 {
                group.addTask {
                    await executor.run {
                        await Task.yield()
                        return await Self.isApart() ? number : 0
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 500_500)
    }

    @Test("While requests of backends take every thread that they have, devices sync and monitors are answered")
    func isolation() async throws {
        // Its own, so that tests beside it go on.
        try await Workspace.run(requests: RequestExecutor(threads: 2)) { workspace in
            try await workspace.launch("hello")
            let stuck = Mutex(0)
            let stop = Mutex(true)
            let mayEnd = DispatchSemaphore(value: 0)
            workspace.time.whenAsked {
                guard RequestExecutor.isCurrent, stop.withLock({ $0 }) else { return }
                stuck.withLock { $0 += 1 }
                mayEnd.wait()
            }
            let count = 8
            let (endpoint, secret) = (try workspace.endpoint, workspace.secret)
            // The workspace's client has one connection, whose requests take turns.
            let requests = (0..<count).map { number in
                Task {
                    let body = #"{"attributes":{"first_name":"A"}}"#
                    let head = """
                        PATCH /v1/users/u\(number) HTTP/1.1\r\nHost: placard\r\nAuthorization: Bearer \(secret)\r
                        Content-Length: \(body.utf8.count)\r\n\r\n
                        """
                    return try await RawConnection(to: endpoint).exchange([head + body], count: 1).first?.status
                }
            }
            while stuck.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
            for user in ["ann", "bob", "cem"] {
                let cards = try await workspace.sync(user).cards
                #expect(cards.count == 1)
                let health = try await workspace.send(.get, "/healthz", raw: nil, key: nil)
                #expect(health.status == 200)
            }
            stop.withLock { $0 = false }
            for _ in 0..<count { mayEnd.signal() }
            for request in requests {
                let status = try await request.value
                #expect(status == 200)
            }
        }
    }

    @Test("While pages take every thread that they have, backends are answered, and a page is once one has ended")
    func pagesApart() async throws {
        let pages = SlowPages()
        func takeTwo(_ options: inout PlacardServer.Options) { options.pages = RequestExecutor(threads: 2) }
        try await Workspace.run(surfaces: [{ _ in pages }], change: takeTwo) { workspace in
            let endpoint = try workspace.endpoint
            let requests = (0..<3).map { _ in
                Task {
                    let head = "GET /slow HTTP/1.1\r\nHost: placard\r\n\r\n"
                    return try await RawConnection(to: endpoint).exchange([head], count: 1).first?.status
                }
            }
            for _ in 0..<2 {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        pages.begun.wait()
                        continuation.resume()
                    }
                }
            }
            for _ in 0..<3 {
                #expect(try await workspace.manage(.get, "/v1/campaigns").status == 200)
                #expect(try await workspace.backend("/campaigns/list").status == 200)
            }
            for _ in 0..<3 { pages.mayEnd.signal() }
            for request in requests {
                let status = try await request.value
                #expect(status == 200)
            }
        }
    }
}
