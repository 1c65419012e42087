import Foundation

/// The maximum number of files and connections that the process can have open.
enum OpenFileLimit {
    /// Raises the limit as far as the system lets this process; every open app holds a connection.
    ///
    /// - Returns: The limit that holds now.
    @discardableResult
    static func raise() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let wanted = rlimit(rlim_cur: min(limit.rlim_max, ceiling), rlim_max: limit.rlim_max)
        // safe: a number of 64 bits
        guard wanted.rlim_cur > limit.rlim_cur else { return UInt64(limit.rlim_cur) }
        return withUnsafePointer(to: wanted) { setrlimit(resource, $0) } == 0
            // safe: a number of 64 bits
            ? UInt64(wanted.rlim_cur) : UInt64(limit.rlim_cur)
    }

    #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
    /// The system refuses more for one process.
    private static let ceiling = rlim_t(OPEN_MAX)
    #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let ceiling = rlim_t(1 << 20)
    #endif
}
