import Foundation

/// Starts processes by `posix_spawn`.
///
/// Foundation's `Process` may crash on Linux when it is run: up to Swift 6.3 it reads past the end of what `readdir`
/// gave it (swift-corelibs-foundation #5472).
package enum SpawnedProcess {
    /// Starts a program that has only its standard streams open.
    ///
    /// - Parameters:
    ///   - path: The program's path.
    ///   - arguments: What follows its name.
    ///   - environment: All of its variables.
    ///   - input: The descriptor that it reads from.
    ///   - output: The descriptor that it writes to.
    ///   - errors: The descriptor that it writes errors to; `nil` discards them.
    /// - Returns: Its id. The caller has to wait for it.
    /// - Throws: The reason for which it can't be started.
    package static func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: Int32,
        output: Int32,
        errors: Int32?
    ) throws(POSIXError) -> Int32 {
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
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let errors {
            posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        #if canImport(Darwin)
        var flags: Int16 = 0
        posix_spawnattr_getflags(&attributes, &flags)
        posix_spawnattr_setflags(&attributes, flags | Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #else
        for descriptor in try openDescriptors() { posix_spawn_file_actions_addclose(&actions, descriptor) }
        #endif
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in words + variables { free(pointer) } }
        var processID: pid_t = 0
        let code = posix_spawn(&processID, path, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        return processID
    }

    #if !canImport(Darwin)
    /// The descriptors that a child would get, beyond the standard streams.
    private static func openDescriptors() throws(POSIXError) -> [Int32] {
        // A child that could have them all isn't started.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
            throw POSIXError(.EBADF)
        }
        return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    }
    #endif
}
