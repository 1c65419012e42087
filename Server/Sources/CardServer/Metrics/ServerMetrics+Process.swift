import CardModel
import Foundation

extension ServerMetrics {
    /// The time at which the process was started, its descriptors, and the newest backup, under the names that
    /// monitoring knows.
    var processLines: [String] {
        var lines = describe("process_start_time_seconds", "gauge", "When the server was started, in Unix seconds.")
        lines.append("process_start_time_seconds \(Int(saturating: startedAt))")
        if let (open, limit) = Self.descriptors {
            lines += describe("process_open_fds", "gauge", "Descriptors that are open: connections, files and pipes.")
            lines.append("process_open_fds \(open)")
            lines += describe("process_max_fds", "gauge", "The most descriptors that the process can have open.")
            lines.append("process_max_fds \(limit)")
        }
        guard let newestBackup else { return lines }
        let name = "placard_newest_backup_timestamp_seconds"
        lines += describe(name, "gauge", "When the newest backup was made, in Unix seconds; 0 without one.")
        return lines + ["\(name) \(Int(saturating: newestBackup()))"]
    }

    /// The number of open descriptors and of those that there can be, or `nil` where the system doesn't say it.
    private static var descriptors: (open: Int, limit: UInt64)? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        guard let folder = opendir("/dev/fd") else {
            return errno == EMFILE ? (Int(clamping: limit.rlim_cur), UInt64(clamping: limit.rlim_cur)) : nil
        }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The folder itself, its parent, and the one that reads it.
        // safe: counts descriptors, and a number of 64 bits
        return (max(0, count - 3), UInt64(limit.rlim_cur))
    }

    #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
    #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
}
