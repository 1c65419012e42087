import CardStore
import Foundation
import Terminal

/// Shows how far a copy is, on a terminal.
final class CopyProgress {
    private static let interval = 0.1

    private let start = ProcessInfo.processInfo.systemUptime
    private let columns = isatty(STDERR_FILENO) == 1 ? TerminalSize.current(of: STDERR_FILENO)?.columns ?? 80 : nil
    private var shownAt = 0.0
    private var last: StoreTransfer.Progress?

    /// Draws the line again, ten times a second.
    func show(_ progress: StoreTransfer.Progress) {
        last = progress
        let now = ProcessInfo.processInfo.systemUptime
        guard now - shownAt >= Self.interval else { return }
        shownAt = now
        draw(progress, at: now, end: "")
    }

    /// Draws the line a last time.
    func finish() {
        if let last { draw(last, at: ProcessInfo.processInfo.systemUptime, end: "\n") }
    }

    private func draw(_ progress: StoreTransfer.Progress, at now: Double, end: String) {
        guard let columns else { return }
        let total = Double(max(1, progress.total))
        let line = ProgressLine(
            fraction: Double(progress.done) / total,
            count: Int(clamping: progress.done),
            countOfThisRun: Int(clamping: progress.done - progress.before),
            seconds: now - start,
            initialFraction: Double(progress.before) / total
        )
        // safe: the size of a terminal
        Console.sketch("\r\u{1B}[K" + line.text(columns: columns - 1) + end)
    }
}
