import Logging
import Synchronization

@testable import CardServer

/// A resolver that says one thing after the other, and then the last one again.
final class ScriptedResolver: HostResolving {
    private let answers: [[String]]
    private let asked = Mutex(0)

    init(_ answers: [[String]]) { self.answers = answers }

    /// How often it was asked.
    var count: Int { asked.withLock { $0 } }

    func addresses(of host: String) async throws -> [HostAddress] {
        let turn = asked.withLock { asked in
            asked += 1
            return asked - 1
        }
        return answers[min(turn, answers.count - 1)].compactMap(HostAddress.init)
    }
}

extension Logger {
    /// A logger that writes nothing.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
