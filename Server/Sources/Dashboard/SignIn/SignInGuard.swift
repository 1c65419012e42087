import CardModel
import CardStore

/// Counts the failures of one attempt's account and address.
struct SignInGuard: Sendable {
    let store: any CardStore
    let email: String
    let address: String

    private var subjects: [(name: String, throttle: SignInThrottle)] {
        [("account:\(email)", .account), ("address:\(address)", .address)]
    }

    /// The seconds to wait, or `nil`.
    func wait(at now: UnixTime) async throws -> Double? {
        var longest = 0.0
        for subject in subjects {
            let failures = try await store.signInFailures(of: subject.name)
            longest = max(longest, subject.throttle.wait(after: failures, at: now))
        }
        return longest > 0 ? longest : nil
    }

    func noteFailure(at now: UnixTime) async throws {
        for subject in subjects {
            let failures = try await store.signInFailures(of: subject.name)
            try await store.keep(subject.throttle.counting(failures, at: now), of: subject.name)
        }
        try await store.note("session.refused", of: email, at: now, by: .member(email))
    }

    func forget() async throws {
        try await store.keep(nil, of: "account:\(email)")
    }
}
