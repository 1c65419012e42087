import Foundation
import Terminal
import UserImport

/// Shows how far an import is, on a terminal.
final class ImportProgress {
    private static let interval = 0.1

    private let initial: ImportState
    private let start = ProcessInfo.processInfo.systemUptime
    private let columns: Int?
    private var shownAt = 0.0

    init(_ state: ImportState) {
        initial = state
        columns = isatty(STDERR_FILENO) == 1 ? TerminalSize.current(of: STDERR_FILENO)?.columns ?? 80 : nil
    }

    /// Draws the line again, ten times a second.
    func show(_ state: ImportState) {
        let now = ProcessInfo.processInfo.systemUptime
        guard let columns, now - shownAt >= Self.interval else { return }
        shownAt = now
        // safe: the size of a terminal
        Console.sketch("\r\u{1B}[K" + line(state, at: now).text(columns: columns - 1))
    }

    /// Draws the line a last time.
    func finish(_ state: ImportState) {
        guard let columns else { return }
        Console.sketch(
            // safe: the size of a terminal
            "\r\u{1B}[K" + line(state, at: ProcessInfo.processInfo.systemUptime).text(columns: columns - 1) + "\n"
        )
    }

    private func line(_ state: ImportState, at now: Double) -> ProgressLine {
        let size = Double(max(1, state.source.size))
        return ProgressLine(
            fraction: Double(state.offset) / size,
            count: state.imported,
            // safe: counts of lines
            countOfThisRun: state.imported - initial.imported,
            seconds: now - start,
            initialFraction: Double(initial.offset) / size
        )
    }
}
