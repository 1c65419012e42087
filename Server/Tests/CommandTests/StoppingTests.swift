import CardServer
import Foundation
import LiveTesting
import Logging
import Synchronization
import Testing
import UnixSignals

@testable import PlacardCommands

@Suite("A server that was asked to stop")
struct StoppingTests {
    /// What is to be done at which second, and what was said.
    private final class Course: Sendable {
        private struct State {
            var now = 0.0
            var jobs: [(at: Double, body: @Sendable () -> Void)] = []
            var lines: [String] = []
            var ends: [Double] = []
        }

        private let state = Mutex(State())

        var lines: [String] { state.withLock { $0.lines } }
        var ends: [Double] { state.withLock { $0.ends } }

        func schedule(_ seconds: Double, _ body: @escaping @Sendable () -> Void) {
            state.withLock { $0.jobs.append(($0.now + seconds, body)) }
        }

        func note(_ line: String) { state.withLock { $0.lines.append("\(Int($0.now)): \(line)") } }
        func end() { state.withLock { $0.ends.append($0.now) } }

        /// Does what is to be done up to a second, in order.
        func advance(to end: Double) {
            while let body = next(until: end) { body() }
        }

        private func next(until end: Double) -> (@Sendable () -> Void)? {
            state.withLock { state in
                let due = state.jobs.indices.filter { state.jobs[$0].at <= end }
                guard let index = due.min(by: { state.jobs[$0].at < state.jobs[$1].at }) else { return nil }
                let job = state.jobs.remove(at: index)
                state.now = job.at
                return job.body
            }
        }
    }

    private let course = Course()
    private let progress = StopProgress()

    private var signals: ProcessSignals {
        let log = RecordedLog { [course] event in
            let step = event.metadata?["waiting_for"].map { " (\($0))" } ?? ""
            course.note("\(event.message)\(step)")
        }
        return ProcessSignals(
            drainSeconds: 10,
            shutdownSeconds: 20,
            logger: log.logger(.info),
            reload: {},
            progress: progress,
            schedule: { [course] in course.schedule($0, $1) },
            end: { [course] in course.end() }
        )
    }

    @Test("ends in the time of all its steps, and of those that SIGINT leaves in")
    func endsInTime() {
        #expect(signals.longest(after: .sigterm) == 35)
        #expect(signals.longest(after: .sigint) == 25)
        #expect(signals.longestAfterDraining == 25)
    }

    @Test("says every five seconds which step it waits for, and in its last line which one was left")
    func hangingStep() {
        signals.stop(after: .sigint)
        progress.begin(.drain)
        signals.drained()
        progress.begin(.webhook)
        course.advance(to: 7)
        progress.begin(.store)
        // What ends late doesn't take its place.
        progress.begin(.webhook)
        course.advance(to: 24)
        #expect(course.ends.isEmpty)
        course.advance(to: 25)
        let (webhook, store) = (StopProgress.Step.webhook.text, StopProgress.Step.store.text)
        #expect(
            course.lines.prefix(6) == [
                "0: Stopping: a signal came", "5: Still stopping (\(webhook))", "10: Still stopping (\(store))",
                "15: Still stopping (\(store))", "20: Still stopping (\(store))",
                "25: Ending without waiting any longer: something is still running (\(store))",
            ]
        )
        #expect(course.ends.first == 25)
    }

    @Test("says so too where it was still opening the database")
    func start() {
        signals.stop(after: .sigterm)
        course.advance(to: 35)
        let start = StopProgress.Step.start.text
        #expect(course.lines.contains("30: Still stopping (\(start))"))
        #expect(
            course.lines.last == "35: Ending without waiting any longer: something is still running (\(start))"
        )
        #expect(course.ends == [35])
    }

    @Test("leaves connections to the lines that count them, and says nothing once it ends")
    func quiet() {
        signals.stop(after: .sigterm)
        progress.begin(.connections)
        course.advance(to: 10)
        progress.begin(.process)
        course.advance(to: 34)
        #expect(course.lines == ["0: Stopping: a signal came"])
    }

    @Test("gets the signals that came before it handled any, each once, and ends at the second one that stops it")
    func earlySignals() {
        #expect(!EarlySignals.note(SIGHUP))
        #expect(!EarlySignals.note(SIGTERM))
        #expect(!EarlySignals.note(SIGHUP))
        #expect(EarlySignals.note(SIGINT))
        #expect(EarlySignals.take() == [.sighup, .sigint, .sigterm])
        #expect(EarlySignals.take().isEmpty)
    }
}
