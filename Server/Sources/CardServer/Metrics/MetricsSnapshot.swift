import CardModel
import CardStore

/// The state of the server's parts at one moment, as its metrics show it beside what they count.
struct MetricsSnapshot {
    /// The number of connections that are open.
    let connections: Int
    /// The number of live streams of devices that are open.
    let liveStreams: Int
    /// The number of live streams of pages that are open.
    let pageStreams: Int
    /// The generation of the campaigns in memory.
    let generation: CatalogGeneration
    /// The counter of the requests of devices.
    let limiter: DeviceLimiter
    /// The report on whether devices can be served.
    let readiness: Readiness.Report
    /// The time at which the certificate expires, and the number of failures to read it again; `nil` without one.
    let certificate: (ends: UnixTime, failures: Int)?
    /// The age of the keys of `jwks_url` in seconds, `nil` without such keys, and the number of fetches that failed.
    let tokenKeys: (age: Double?, failures: Int)
    /// The messages to members that wait, or `nil` where they aren't known, and the time; `nil` without a mail server.
    let mails: (queue: MailQueue?, now: UnixTime)?
    /// The number of lines of the log and of the access log that were lost.
    let lostLines: (log: Int, access: Int)
    /// The rows that can't be read.
    let unreadable: [UnreadableRow]
    /// The space that the store takes, where it says so.
    let storage: StorageSizes?
    /// The traffic of the store with its database server; `nil` with SQLite.
    let traffic: StoreTraffic?
    /// The counts of the store's groups of changes.
    let commits: GroupCommitLog.Counts
    /// The time.
    let now: UnixTime
}
