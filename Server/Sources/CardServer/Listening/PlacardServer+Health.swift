import NIOPosix

extension PlacardServer {
    /// Returns the problem that keeps the server from answering, or `nil` where there is none: what `/readyz` says.
    package func readinessFailure() async -> String? {
        await services.readiness.report().failure.map { check in
            "\(check.name): \(check.failure?.message ?? "")"
        }
    }

    /// Returns once every thread that answers has done something, and the store has answered, whatever it said.
    ///
    /// It doesn't return while one of them is stuck.
    package func beat() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            try? await loop.submit {}.get()
        }
        await services.readiness.finish()
    }
}
