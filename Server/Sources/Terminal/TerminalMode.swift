import Foundation
import Synchronization

/// The settings of the terminal before.
///
/// Written once, before any handler that reads it is installed, and not again while
/// one may run: a signal handler cannot wait for a lock.
nonisolated(unsafe) private var original = termios()
/// The settings of the terminal while it is used; written and read as `original` is.
nonisolated(unsafe) private var changed = termios()
/// Whether the screen shows the command's own page.
private let hasOwnScreen = Atomic<Bool>(false)
private let isActive = Atomic<Bool>(false)
private let resumptions = Atomic<Int>(0)

/// Changes how the terminal behaves, and puts it back on every way out: by ``leave()``, by the end of the process, and
/// by any signal that can be caught.
package enum TerminalMode {
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// The number of times the process came back after it was stopped: the screen is then to be drawn again.
    package static var resumptionCount: Int { resumptions.load(ordering: .relaxed) }

    /// Whether standard input and output are a terminal.
    package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Gives every key at once and unseen, and shows a page of its own without a cursor.
    ///
    /// - Returns: `false` where standard input is no terminal.
    package static func enterScreen() -> Bool {
        change(ownScreen: true) { mode in
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
            mode.c_iflag &= ~tcflag_t(IXON | ICRNL)
            setReading(&mode, minimum: 0, tenths: 1)
        }
    }

    /// Hides what is typed.
    ///
    /// - Returns: `false` where standard input is no terminal.
    package static func hideTyping() -> Bool {
        change(ownScreen: false) { $0.c_lflag &= ~tcflag_t(ECHO) }
    }

    private static func change(ownScreen: Bool, _ edit: (inout termios) -> Void) -> Bool {
        guard !isActive.load(ordering: .acquiring), tcgetattr(STDIN_FILENO, &original) == 0 else { return false }
        changed = original
        edit(&changed)
        hasOwnScreen.store(ownScreen, ordering: .relaxed)
        isActive.store(true, ordering: .releasing)
        installHandlers()
        apply()
        return true
    }

    private static func setReading(_ mode: inout termios, minimum: cc_t, tenths: cc_t) {
        withUnsafeMutableBytes(of: &mode.c_cc) { characters in
            // safe: places of the system
            characters[Int(VMIN)] = minimum
            // safe: places of the system
            characters[Int(VTIME)] = tenths
        }
    }

    /// Puts everything back.
    package static func leave() {
        restore()
        isActive.store(false, ordering: .releasing)
    }

    private static func installHandlers() {
        atexit { restore() }
        for number in ending + crashes {
            signal(number) { number in
                restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        signal(SIGTSTP) { _ in
            restore()
            raise(SIGSTOP)
        }
        signal(SIGCONT) { _ in
            apply()
            resumptions.add(1, ordering: .relaxed)
        }
    }
}

// What handlers call: nothing here takes a lock or memory.

private func apply() {
    guard isActive.load(ordering: .acquiring) else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &changed)
    if hasOwnScreen.load(ordering: .relaxed) { send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J") }
}

private func restore() {
    guard isActive.load(ordering: .acquiring) else { return }
    if hasOwnScreen.load(ordering: .relaxed) { send("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l") }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
}

private func send(_ text: StaticString) {
    _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
}
