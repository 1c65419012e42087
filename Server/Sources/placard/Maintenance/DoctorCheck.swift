import CardModel
import Foundation
import SQLiteCardStore
import WireJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something that was looked at, and how it is.
struct DoctorCheck: Equatable {
    typealias Level = SQLiteCardStore.Finding.Level

    /// When this was written: a clock before it is wrong.
    private static let earliest: UnixTime = 1_790_000_000
    /// How far ahead of the clock the newest change may be, in seconds.
    private static let tolerance = 60.0

    let level: Level
    let subject: String
    let message: String

    init(_ level: Level, _ subject: String, _ message: String) {
        self.level = level
        self.subject = subject
        self.message = message
    }

    init(_ finding: SQLiteCardStore.Finding) {
        self.init(finding.level, finding.subject, finding.message)
    }

    init(keys: [APIKey]) {
        let working = keys.filter { $0.revokedAt == nil }
        let missing = APIKey.Kind.allCases.filter { kind in !working.contains { $0.kind == kind } }
        if missing.isEmpty {
            self.init(.good, "keys", "\(working.count) work")
        } else {
            let kinds = missing.map(\.rawValue).joined(separator: " and no ")
            self.init(.warning, "keys", "There is no \(kinds) key. Make one with `placard key create`.")
        }
    }

    init(clock now: UnixTime, latest: UnixTime?) {
        if now < Self.earliest {
            self.init(.bad, "clock", "\(Timestamp.text(of: now)) is long past. Set the clock.")
        } else if let latest, latest > now + Self.tolerance {
            let seconds = Int(saturating: latest - now)
            self.init(.bad, "clock", "The newest change was made \(seconds) s from now. Set the clock.")
        } else {
            self.init(.good, "clock", Timestamp.text(of: now))
        }
    }

    var line: String {
        let mark =
            switch level {
            case .good: "ok  "
            case .warning: "warn"
            case .bad: "FAIL"
            }
        return "\(mark)  \(subject): \(message)"
    }

    var json: JSONValue {
        let word =
            switch level {
            case .good: "ok"
            case .warning: "warn"
            case .bad: "fail"
            }
        return ["level": .string(word), "subject": .string(subject), "message": .string(message)]
    }
}

/// Looks whether a server answers, or could start.
struct ServerCheck {
    private static let timeout = 5.0

    let host: String
    let port: Int

    func check() async -> DoctorCheck {
        switch PortProbe.look(at: host, port: port) {
        case .free: DoctorCheck(.good, "server", "none runs; port \(port) of \(host) is free")
        case .forbidden: DoctorCheck(.bad, "server", "Port \(port) may not be used without more rights.")
        case .unknown: DoctorCheck(.bad, "server", "\(host) is not an address of this machine.")
        case .taken: await ask()
        }
    }

    private func ask() async -> DoctorCheck {
        let address = ServerRun.address(host, port)
        guard let url = URL(string: "\(address)/readyz") else {
            return DoctorCheck(.bad, "server", "\(address) is no address.")
        }
        let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.timeout)
        guard let (_, response) = try? await URLSession.shared.data(for: request),
            let status = (response as? HTTPURLResponse)?.statusCode
        else { return DoctorCheck(.bad, "server", "Port \(port) is in use by something that does not answer HTTP.") }
        return status == 200
            ? DoctorCheck(.good, "server", "ready at \(address)")
            : DoctorCheck(.bad, "server", "\(address)/readyz answers with status \(status). Look at its log.")
    }
}
