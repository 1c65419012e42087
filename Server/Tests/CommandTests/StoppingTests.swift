import Logging
import Testing
import UnixSignals

@testable import placard

@Suite("A server that was asked to stop")
struct StoppingTests {
    @Test("ends in the time of all its steps, and of those that SIGINT leaves in")
    func endsInTime() {
        let signals = ProcessSignals(drainSeconds: 10, shutdownSeconds: 20, logger: Logger(label: "test"), reload: {})
        #expect(signals.longest(after: .sigterm) == 35)
        #expect(signals.longest(after: .sigint) == 25)
        #expect(signals.longestAfterDraining == 25)
    }
}
