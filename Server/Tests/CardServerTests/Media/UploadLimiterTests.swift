import CardModel
import Synchronization
import Testing

@testable import CardServer

struct UploadLimiterTests {
    private let limiter = UploadLimiter()
    private let first = Caller(member: "a@example.com")
    private let second = Caller(member: "b@example.com")
    private let third = Caller(member: "c@example.com")

    @Test func `An upload that comes too soon is refused before it is read`() async throws {
        for _ in 0..<30 { try await limiter.admit(first, at: 0) {} }
        var isRead = false
        let error = await #expect(throws: RequestError.self) { try await limiter.admit(first, at: 1) { isRead = true } }
        #expect(error?.status == .tooManyRequests)
        #expect(!isRead)
        try await limiter.admit(second, at: 1) {}
        try await limiter.admit(first, at: 2) {}
    }

    @Test func `No caller reads more than six at the same time, and all read no more than twelve`() async throws {
        try await nested(6, of: first) {
            let tooMany = await #expect(throws: RequestError.self) { try await limiter.admit(first, at: 0) {} }
            #expect(tooMany?.status == .tooManyRequests)
            try await nested(6, of: second) {
                let full = await #expect(throws: RequestError.self) { try await limiter.admit(third, at: 0) {} }
                #expect(full?.status == .serviceUnavailable)
            }
            try await limiter.admit(third, at: 0) {}
        }
        try await nested(6, of: first) {}
    }

    @Test func `An upload that fails leaves its place`() async throws {
        struct Failure: Error {}
        for _ in 0..<20 {
            await #expect(throws: Failure.self) { try await limiter.admit(first, at: 0) { throw Failure() } }
        }
        try await nested(6, of: first) {}
    }

    /// Holds places of a caller, one within the other.
    private func nested(_ count: Int, of caller: Caller, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        try await limiter.admit(caller, at: 0) { try await nested(count - 1, of: caller, body) }
    }
}
