import Foundation
import Synchronization
import UnixSignals

/// The signals that a server gets before it can handle them, while it reads its settings; none is lost, and none ends
/// it.
enum EarlySignals {
    /// A bit for each signal that came.
    private static let seen = Atomic<UInt64>(0)
    private static let known: [UnixSignal] = [.sighup, .sigint, .sigterm]
    private static let numbers = [SIGHUP, SIGINT, SIGTERM]

    /// Keeps signals from now on, until others handle them; of those that stop a server, a second one ends it.
    static func hold() {
        // Made here, since a handler of signals may make nothing.
        _ = seen.load(ordering: .relaxed)
        for number in numbers {
            signal(number) { number in
                if EarlySignals.note(number) { _exit(EXIT_FAILURE) }
            }
        }
    }

    /// Keeps a signal, and returns whether it is a second one that stops a server.
    static func note(_ number: Int32) -> Bool {
        let before = seen.bitwiseOr(bit(number), ordering: .sequentiallyConsistent).oldValue
        return number != SIGHUP && before & ~bit(SIGHUP) != 0
    }

    /// Returns the signals that came, each once, and forgets them.
    static func take() -> [UnixSignal] {
        let seen = seen.exchange(0, ordering: .sequentiallyConsistent)
        return zip(known, numbers).filter { seen & bit($0.1) != 0 }.map { $0.0 }
    }

    // safe: numbers of signals are below 64
    private static func bit(_ number: Int32) -> UInt64 { 1 << UInt64(number) }
}
