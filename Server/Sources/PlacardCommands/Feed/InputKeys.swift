import Foundation
import Terminal

/// Reads keys from the terminal on a thread of its own, since reading waits.
enum InputKeys {
    /// Hands over each key; the end of the input is as Control-D.
    static func read(_ take: @escaping @Sendable (Key) -> Void) {
        Thread.detachNewThread {
            var decoder = KeyDecoder()
            var byte: UInt8 = 0
            while true {
                switch Foundation.read(STDIN_FILENO, &byte, 1) {
                case 1: if let key = decoder.take(byte) { take(key) }
                // A tenth of a second without a byte.
                case 0 where isatty(STDIN_FILENO) == 1: if decoder.isWaiting, let key = decoder.finish() { take(key) }
                case -1 where errno == EINTR: continue
                default: return take(.control("d"))
                }
            }
        }
    }
}
