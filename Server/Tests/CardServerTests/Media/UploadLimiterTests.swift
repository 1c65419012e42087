import CardModel
import Synchronization
import Testing

@testable import CardServer

struct UploadLimiterTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let seconds = Mutex(0.0)

        var now: Double { seconds.withLock { $0 } }

        func set(_ time: Double) { seconds.withLock { $0 = time } }
    }

    private let limiter = UploadLimiter()
    private let clock = Clock()
    private let first = Caller(member: "a@example.com", role: .editor)

    private func admit(_ caller: Caller, _ body: (UploadMeter) async throws -> Void = { _ in }) async throws {
        let clock = clock
        try await limiter.admit(caller, uptime: { clock.now }, body)
    }

    private static func caller(_ number: Int) -> Caller { Caller(member: "\(number)@example.com", role: .editor) }

    @Test func `An upload that comes too soon is refused before it is read`() async throws {
        for _ in 0..<30 { try await admit(first) }
        clock.set(1)
        var isRead = false
        let error = await #expect(throws: RequestError.self) { try await admit(first) { _ in isRead = true } }
        #expect(error?.status == .tooManyRequests)
        #expect(!isRead)
        try await admit(Self.caller(2))
        clock.set(2)
        try await admit(first)
    }

    @Test func `An upload that is refused for what it is counts a quarter of one that is worked on`() async throws {
        func refusal() async -> String? {
            let error = await #expect(throws: RequestError.self) {
                try await admit(first) { meter in
                    try meter.receive(1_000)
                    try meter.check { () throws -> Void in throw RequestError(ImageError.unreadable) }
                }
            }
            return error?.code
        }
        // Each begins only where there is room for a whole one.
        for _ in 0..<117 {
            let code = await refusal()
            #expect(code == "image_unreadable")
        }
        let next = await refusal()
        #expect(next == "rate_limited")
        clock.set(0.5)
        try await admit(first)
        let last = await refusal()
        #expect(last == "rate_limited")
    }

    @Test func `No caller has more than six at the same time, and doesn't block other callers`() async throws {
        try await nested(6, of: first) {
            let tooMany = await #expect(throws: RequestError.self) { try await admit(first) }
            #expect(tooMany?.status == .tooManyRequests)
            try await nested(6, of: Self.caller(2)) {
                try await nested(6, of: Self.caller(3)) { try await admit(Self.caller(4)) { try $0.receive(10 << 20) } }
            }
        }
        try await nested(6, of: first) {}
    }

    @Test func `The bytes of a caller are bounded, and those of all`() async throws {
        try await holding(30, of: first) {
            let own = await #expect(throws: RequestError.self) { try await admit(first) { try $0.receive(1) } }
            #expect(own?.status == .tooManyRequests)
            try await holding(30, of: Self.caller(2)) {
                try await holding(30, of: Self.caller(3)) {
                    try await admit(Self.caller(4)) { try $0.receive(30 << 20) }
                    try await holding(30, of: Self.caller(4)) {
                        let all = await #expect(throws: RequestError.self) {
                            try await admit(Self.caller(5)) { try $0.receive(1) }
                        }
                        #expect(all?.status == .serviceUnavailable)
                    }
                    try await admit(Self.caller(5)) { try $0.receive(30 << 20) }
                }
            }
        }
        try await holding(30, of: first) {}
    }

    @Test func `An upload that isn't there within a minute ends, and leaves its place and bytes`() async throws {
        for _ in 0..<7 {
            let begin = clock.now
            let slow = await #expect(throws: RequestError.self) {
                try await admit(first) { meter in
                    try meter.receive(8 << 20)
                    clock.set(begin + 60)
                    try meter.receive(1)
                    clock.set(begin + 61)
                    try meter.receive(1)
                }
            }
            #expect(slow?.status == .requestTimeout)
            #expect(slow?.code == "request_timeout")
        }
        try await holding(30, of: first) {}
    }

    @Test func `An upload that fails leaves its place`() async throws {
        struct Failure: Error {}
        for _ in 0..<20 {
            await #expect(throws: Failure.self) {
                try await admit(first) { meter in
                    try meter.receive(10 << 20)
                    throw Failure()
                }
            }
        }
        try await nested(6, of: first) {}
    }

    /// Holds so many MB of a caller.
    private func holding(_ megabytes: Int, of caller: Caller, _ body: () async throws -> Void) async throws {
        try await admit(caller) { meter in
            try meter.receive(megabytes << 20)
            try await body()
        }
    }

    /// Holds places of a caller, one within the other.
    private func nested(_ count: Int, of caller: Caller, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        try await admit(caller) { meter in
            try meter.receive(1_000)
            try await nested(count - 1, of: caller, body)
        }
    }
}
