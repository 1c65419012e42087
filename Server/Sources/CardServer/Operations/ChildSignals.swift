import Foundation

/// The signals of a child process.
package enum ChildSignals {
    #if canImport(Darwin)
    package typealias SpawnAttributes = posix_spawnattr_t?
    #else
    package typealias SpawnAttributes = posix_spawnattr_t
    #endif

    /// Lets a child have every signal.
    ///
    /// Otherwise it would block those that the thread which starts it does: the threads of a pool block most, such as
    /// the request to end and the end of its time of the processor.
    package static func allow(in attributes: inout SpawnAttributes) {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        // Whoever ignores the end of the terminal, as by nohup, means its children, too.
        sigdelset(&all, SIGHUP)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags: Int16 = 0
        posix_spawnattr_getflags(&attributes, &flags)
        flags |= Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, flags)
    }
}
