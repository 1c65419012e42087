import CardServer
import Foundation

/// Starts processes by `posix_spawn`.
///
/// Foundation's `Process` may crash on Linux when it is run: up to Swift 6.3 it reads past the end of what `readdir`
/// gave it (swift-corelibs-foundation #5472).
enum SpawnedProcess {
    /// Starts a program that has only its standard streams open.
    ///
    /// - Parameters:
    ///   - path: The program's path.
    ///   - arguments: What follows its name.
    ///   - environment: All of its variables.
    ///   - input: What it reads from.
    ///   - output: What it writes to, errors too.
    /// - Returns: Its id. The caller has to wait for it; see ``ending(of:)``.
    /// - Throws: `POSIXError` where it cannot be started.
    static func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: FileHandle,
        output: FileHandle
    ) throws -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        ChildSignals.allow(in: &attributes)
        posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDERR_FILENO)
        #if canImport(Darwin)
        var flags: Int16 = 0
        posix_spawnattr_getflags(&attributes, &flags)
        posix_spawnattr_setflags(&attributes, flags | Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #else
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        #endif
        let variables = environment.map { "\($0.key)=\($0.value)" }
        return try withCStrings([path] + arguments) { arguments in
            try withCStrings(variables) { variables in
                var processID: pid_t = 0
                let code = posix_spawn(&processID, path, &actions, &attributes, arguments, variables)
                guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
                return processID
            }
        }
    }

    /// Blocks the thread until a process has ended, and returns how.
    static func ending(of processID: Int32) -> ChildProcess.Ending {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) == -1 {
            guard errno == EINTR else { return .exited(status: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }

    private static func withCStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
    ) rethrows -> Value {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return try body(pointers + [nil])
    }
}
