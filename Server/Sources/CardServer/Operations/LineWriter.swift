import Dispatch
import Foundation
import Synchronization

/// Writes lines to a file, a pipe or a terminal, and holds no one up where these take none.
///
/// What can be written at once is written by the caller, so that the last line before a crash is there. Where a pipe is
/// full because its reader stands still, lines wait, as many as ``byteLimit`` holds, and a thread of its own writes
/// them; what comes beyond that is counted and lost.
final class LineWriter: Sendable {
    /// The maximum number of bytes that wait.
    static let byteLimit = 1 << 20
    /// The number of bytes that a pipe that is ready takes without blocking.
    private static let readyBytes = 4_096

    private struct State {
        var descriptor: Int32
        /// Whether the descriptor is a file on a disk, which is always ready.
        var isFile: Bool
        var waiting: [UInt8] = []
        /// Whether the thread writes what waits.
        var isDraining = false
        /// The lines that were lost and that ``LineWriter/takeLost()`` hasn't told of.
        var untold = 0
        var lost = 0
        /// Whether the last line was cut short, so that the next one begins on a line of its own.
        var isTorn = false

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            var status = stat()
            isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "placard.lines")

    init(_ descriptor: Int32) { state = Mutex(State(descriptor)) }

    /// The number of lines that were lost since the process began.
    var lost: Int { state.withLock { $0.lost } }

    /// Returns how many lines were lost since this was asked last.
    func takeLost() -> Int {
        state.withLock { state in
            defer { state.untold = 0 }
            return state.untold
        }
    }

    /// Writes a line, or has it wait.
    ///
    /// - Parameter line: Its bytes, with the line break at their end.
    func write(_ line: [UInt8]) {
        let hasToDrain = state.withLock { state -> Bool in
            guard !state.isDraining else {
                Self.wait(line, &state)
                return false
            }
            if state.isFile || (line.count <= Self.readyBytes && Self.isReady(state.descriptor)) {
                Self.writeNow(line, &state)
                return false
            }
            Self.wait(line, &state)
            state.isDraining = true
            return true
        }
        if hasToDrain { queue.async { self.drain() } }
    }

    /// Waits until what waits is written.
    ///
    /// - Parameter seconds: How long at most.
    func flush(within seconds: Double) {
        let group = DispatchGroup()
        group.enter()
        queue.async { group.leave() }
        _ = group.wait(timeout: .now() + seconds)
    }

    /// Writes to another descriptor from now on, unless lines wait for the present one.
    ///
    /// - Parameter descriptor: The new one.
    /// - Returns: The old one, to which nothing is written any more, or `nil` where nothing has changed.
    func exchange(_ descriptor: Int32) -> Int32? {
        state.withLock { state in
            guard !state.isDraining else { return nil }
            let old = state.descriptor
            var next = State(descriptor)
            (next.lost, next.untold) = (state.lost, state.untold)
            state = next
            return old
        }
    }

    private static func wait(_ line: [UInt8], _ state: inout State) {
        // safe: no more wait than the limit
        guard line.count <= byteLimit - state.waiting.count else {
            lose(&state)
            return
        }
        state.waiting += line
    }

    private static func lose(_ state: inout State) {
        (state.lost, state.untold) = (state.lost + 1, state.untold + 1)
    }

    /// Writes what the descriptor takes at once: all of it, but on a disk that is full.
    private static func writeNow(_ line: [UInt8], _ state: inout State) {
        let bytes = state.isTorn ? [UInt8(ascii: "\n")] + line : line
        var count = Foundation.write(state.descriptor, bytes, bytes.count)
        if count < 0, errno == EINTR { count = Foundation.write(state.descriptor, bytes, bytes.count) }
        if count > 0 { state.isTorn = count < bytes.count }
        if count < bytes.count { lose(&state) }
    }

    private func drain() {
        while true {
            let (bytes, descriptor) = state.withLock { state -> ([UInt8], Int32) in
                let bytes = state.waiting
                state.waiting = []
                if bytes.isEmpty { state.isDraining = false }
                return (bytes, state.descriptor)
            }
            guard !bytes.isEmpty else { return }
            let lost = Self.writeAll(bytes, to: descriptor)
            if lost > 0 { state.withLock { ($0.lost, $0.untold) = ($0.lost + lost, $0.untold + lost) } }
        }
    }

    /// Writes everything, however long that takes; returns how many lines failed.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                // safe: no more were written than there are
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, 1_000)
            } else if errno != EINTR {
                return rest.count { $0 == UInt8(ascii: "\n") }
            }
        }
        return 0
    }

    private static func isReady(_ descriptor: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&ready, 1, 0) == 1
    }
}
