import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

/// Something that was looked at, and how it is.
struct DoctorCheck: Equatable {
    typealias Level = StoreFinding.Level

    /// The time that the newest change can be ahead of the clock, in seconds.
    private static let tolerance = 60.0

    let level: Level
    let subject: String
    let message: String
    /// The command to run, or `nil` where there is none.
    let command: String?

    init(_ level: Level, _ subject: String, _ message: String, command: String? = nil) {
        self.level = level
        self.subject = subject
        self.message = message
        self.command = command
    }

    init(audit problems: [AuditVerification.AuditFinding]) {
        if let first = problems.first {
            let message = "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the audit log: \(first)"
            self.init(.bad, "audit", message, command: "placard audit verify")
        } else {
            self.init(.good, "audit", "the audit log is whole")
        }
    }

    init(_ finding: StoreFinding) {
        self.init(finding.level, finding.subject, finding.message, command: finding.command)
    }

    init(keys: [APIKey], at now: UnixTime) {
        let working = keys.filter { $0.works(at: now) }
        let missing = APIKey.KeyKind.allCases.filter { kind in !working.contains { $0.kind == kind } }
        if missing.isEmpty {
            self.init(.good, "keys", "\(working.count) work")
        } else {
            let kinds = missing.map(\.rawValue).joined(separator: " and no ")
            let kind = missing.first?.rawValue ?? ""
            let command = "placard key create --name NAME --kind \(kind)"
            self.init(.warning, "keys", "There is no \(kinds) key.", command: command)
        }
    }

    /// Creates a check of the age of the newest backup in a folder.
    init(backups folder: String, newest: UnixTime?, at now: UnixTime) {
        let command = "placard backup --keep 14 \(folder.shellWord)"
        guard let newest else {
            self.init(.bad, "backups", "There is no backup in \(folder).", command: command)
            return
        }
        guard newest <= now + BackupFolder.tolerance else {
            let time = Timestamp.text(of: newest)
            let message = "The newest in \(folder) is of \(time), which is to come. Check the clock."
            self.init(.warning, "backups", message, command: "timedatectl")
            return
        }
        let hours = (now - newest) / 3_600
        let age =
            hours < 48
            ? Quantity.text(Int(saturating: hours), "hour") : Quantity.text(Int(saturating: hours / 24), "day")
        let message = "the newest in \(folder) is \(age) old"
        switch hours {
        case ..<36: self.init(.good, "backups", message)
        case ..<168: self.init(.warning, "backups", message, command: command)
        default: self.init(.bad, "backups", message, command: command)
        }
    }

    /// Creates a check of files of the settings that hold secrets, and of backups.
    init(secretFiles: [String], backups: [String]) {
        let secrets = secretFiles.filter(PrivateFile.isSecretExposed)
        let exposed = secrets + backups.filter(PrivateFile.isExposed)
        guard !exposed.isEmpty else {
            self.init(.good, "private files", "\(secretFiles.count + backups.count) of the settings and backups")
            return
        }
        let named = exposed.prefix(5)
        let more = exposed.count > 5 ? " and \(exposed.count - 5) more" : ""
        let message = "Other accounts can read \(named.joined(separator: " "))\(more). Only the server's has to."
        // Of a file of root's, the mode alone would keep the server from it.
        let owner = secrets.contains(where: PrivateFile.isOfRoot) ? "chown ACCOUNT \(named.shellWords) && " : ""
        self.init(.bad, "private files", message, command: "\(owner)chmod 600 \(named.shellWords)")
    }

    init(clock now: UnixTime, latest: UnixTime?) {
        if now < BuildInformation.earliestClock {
            self.init(.bad, "clock", "\(Timestamp.text(of: now)) is long past. Set the clock.", command: "timedatectl")
        } else if let latest, latest > now + Self.tolerance {
            let seconds = Int(saturating: latest - now)
            self.init(
                .bad,
                "clock",
                "The newest entry was made \(seconds) s from now. Set the clock.",
                command: "timedatectl"
            )
        } else {
            self.init(.good, "clock", Timestamp.text(of: now))
        }
    }

    /// Returns the check with flags for a command of Placard's own that would look at another database without them.
    func naming(_ place: String) -> DoctorCheck {
        guard let command, !place.isEmpty, command.starts(withBytesOf: "placard "),
            !command.starts(withBytesOf: "placard -"), !command.starts(withBytesOf: "placard copy "),
            !command.contains(bytesOf: " --database ")
        else { return self }
        return DoctorCheck(level, subject, message, command: command + place)
    }

    /// One line, and another with the command where there is one.
    var text: String {
        let mark =
            switch level {
            case .good: "ok  "
            case .warning: "warn"
            case .bad: "FAIL"
            }
        let line = "\(mark)  \(subject): \(message)"
        return command.map { "\(line)\n      Run: \($0)" } ?? line
    }

    var json: JSONValue {
        let word =
            switch level {
            case .good: "ok"
            case .warning: "warn"
            case .bad: "fail"
            }
        return [
            "level": .string(word), "subject": .string(subject), "message": .string(message),
            "command": command.map(JSONValue.string) ?? .null,
        ]
    }
}
