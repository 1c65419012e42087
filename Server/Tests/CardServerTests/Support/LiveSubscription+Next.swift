import Synchronization

@testable import CardServer

extension LiveSubscription {
    /// Returns the next signal once there is one, or `nil` once the stream has ended.
    func nextSignal() async -> Signal? {
        while true {
            switch takeNext() {
            case .signal(let signal): return signal
            case .end: return nil
            case .nothing: await wakeUp()
            }
        }
    }

    private func wakeUp() async {
        await withCheckedContinuation { continuation in
            let waiting = Mutex<CheckedContinuation<Void, Never>?>(continuation)
            attach {
                waiting.withLock { waiting in
                    waiting?.resume()
                    waiting = nil
                }
            }
        }
    }
}
