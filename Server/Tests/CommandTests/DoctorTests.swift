import CardModel
import Synchronization
import Testing

@testable import placard

/// A clock that returns at once from each wait, and counts the waits.
private final class CountingClock: Clock {
    private let counted = Mutex(0)
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    var count: Int { counted.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        counted.withLock { $0 += 1 }
    }
}

@Suite("What the doctor says of the server")
struct DoctorTests {
    @Test("That none answers at a port doesn't mean that none runs")
    func elsewhere() async {
        let inUse = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: true).check(.free)
        #expect(inUse.level == .warning && inUse.command == "placard doctor --host HOST --port PORT")
        let idle = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: false).check(.free)
        #expect(idle.level == .good && idle.command == nil)
    }

    @Test("Where only readiness is asked, no answer is bad, after as many questions as there are seconds")
    func readiness() async {
        let clock = CountingClock()
        let check = ServerCheck(host: "127.0.0.1", port: 1, isDatabaseInUse: false)
        let found = await check.readiness(waiting: 3, on: clock)
        #expect(found.level == .bad && found.message == "None answers at http://127.0.0.1:1.")
        #expect(clock.count == 3)
        var local = check
        local.socket = "/nonexistent/socket"
        #expect(await local.readiness(waiting: 0, on: clock).level == .bad && clock.count == 3)
    }
}

@Suite("The clock at the start of a server")
struct StartingClockTests {
    private let now: UnixTime = 1_800_000_000

    @Test("is refused before this version was made, and before the newest event")
    func refused() {
        #expect(ServerRun.problem(ofClock: now, event: nil) == nil)
        #expect(ServerRun.problem(ofClock: now, event: now + 300) == nil)
        let past = ServerRun.problem(ofClock: now - 315_360_000, event: nil)
        #expect(past?.contains("before this version was made") == true)
        let event = ServerRun.problem(ofClock: now, event: now + 86_400)
        #expect(event?.contains("newest event") == true && event?.contains("--accept-clock") == true)
    }
}
