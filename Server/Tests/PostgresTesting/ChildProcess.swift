import Foundation

/// A program that a test runs beside itself.
///
/// Foundation's `Process` isn't used: it looks through the open descriptors in a way that reads beyond a buffer once
/// there are about 1,360, which a run of all tests has, and it waits for all that it has started in turn.
public struct ChildProcess {
    /// The process.
    public let id: pid_t

    /// Starts a program, which inherits nothing that is open but its standard input, output and error.
    ///
    /// - Parameters:
    ///   - arguments: The program's path and its arguments.
    ///   - input: The descriptor that becomes its standard input, or `nil` for that of this process.
    ///   - output: The descriptor that becomes its standard output, or `nil` for that of this process.
    /// - Throws: ``PostgresCluster/Failure`` where it can't be started.
    public init(_ arguments: [String], input: Int32? = nil, output: Int32? = nil) throws {
        let words = arguments.map { strdup($0) }
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + variables { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        for open in 3..<getdtablesize() where fcntl(open, F_GETFD) >= 0 {
            posix_spawn_file_actions_addclose(&actions, open)
        }
        var process: pid_t = 0
        let code = posix_spawn(&process, arguments[0], &actions, nil, words + [nil], variables + [nil])
        guard code == 0 else { throw PostgresCluster.Failure(description: String(cString: strerror(code))) }
        id = process
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: The status, as `waitpid` has it: 0 for success.
    @discardableResult
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
