import Foundation

/// The size of a terminal, in columns and rows.
package struct TerminalSize: Sendable, Equatable {
    /// Characters in a line.
    package var columns: Int
    /// Lines.
    package var rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of the terminal that a file descriptor is, or `nil` where it is none.
    package static func current(of descriptor: Int32 = STDOUT_FILENO) -> TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        // safe: sixteen bits each
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
