import Dispatch
import Foundation

/// Waits for a signal that ends the process.
enum EndSignal {
    /// Returns at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once.
    static func wait() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield()
            }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }
}
