import CardModel
import Foundation
import Synchronization
import Testing

@testable import PlacardCommands

/// A clock that returns at once from each wait, and counts the waits.
private final class CountingClock: Clock {
    private let counted = Mutex(0)
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    var count: Int { counted.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        counted.withLock { $0 += 1 }
    }
}

@Suite("What the doctor says of the server")
struct DoctorTests {
    @Test("That none answers at a port doesn't mean that none runs")
    func elsewhere() async {
        let inUse = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: true).check(.free)
        #expect(inUse.level == .warning && inUse.command == "placard doctor --host HOST --port PORT")
        let idle = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: false).check(.free)
        #expect(idle.level == .good && idle.command == nil)
    }

    @Test("Where only readiness is asked, no answer is bad, after as many questions as there are seconds")
    func readiness() async {
        let clock = CountingClock()
        let check = ServerCheck(host: "127.0.0.1", port: 1, isDatabaseInUse: false)
        let found = await check.readiness(waiting: 3, on: clock)
        #expect(found.level == .bad && found.message == "None answers at http://127.0.0.1:1.")
        #expect(clock.count == 3)
        var local = check
        local.socket = "/nonexistent/socket"
        #expect(await local.readiness(waiting: 0, on: clock).level == .bad && clock.count == 3)
    }
}

@Suite("What the doctor says of files beside the database")
struct PrivateFileTests {
    @Test("Passwords and backups that other accounts can read are named")
    func exposed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let backups = BackupFolder(folder, of: "/srv/cards.sqlite")
        let files = ["cards-20270131T030405Z.sqlite", "other.sqlite", "password"].map { "\(folder)/\($0)" }
        for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
        for file in files { chmod(file, 0o644) }
        #expect(backups.files == [files[0]])
        let found = DoctorCheck(secretFiles: [files[2]], backups: backups.files)
        // Of a file of root's, the mode alone would keep the server from it.
        let owner = getuid() == 0 ? "chown ACCOUNT \(files[2]) \(files[0]) && " : ""
        #expect(found.level == .bad && found.command == "\(owner)chmod 600 \(files[2]) \(files[0])")
        #expect(DoctorCheck(secretFiles: [], backups: backups.files).command == "chmod 600 \(files[0])")
        for file in files { chmod(file, 0o600) }
        #expect(DoctorCheck(secretFiles: [files[2], "/nonexistent"], backups: backups.files).level == .good)
    }

    @Test("A password that root lets a group read is the server's, and a backup that a group reads isn't")
    func givenByRoot() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data().write(to: URL(fileURLWithPath: file))
        chmod(file, 0o640)
        #expect((DoctorCheck(secretFiles: [file], backups: []).level == .good) == (getuid() == 0))
        #expect(DoctorCheck(secretFiles: [], backups: [file]).level == .bad)
        for mode: mode_t in [0o660, 0o644, 0o641] {
            chmod(file, mode)
            #expect(DoctorCheck(secretFiles: [file], backups: []).level == .bad)
        }
    }

    @Test("Monitoring has the folder of backups read every few minutes, and 0 for none")
    func newest() {
        let looks = Mutex(0)
        let newest = NewestBackup { now in
            looks.withLock { $0 += 1 }
            return now > 1_000 ? 900 : nil
        }
        #expect(newest.time(at: 10) == 0 && newest.time(at: 11) == 0 && looks.withLock { $0 } == 1)
        #expect(newest.time(at: 1_001) == 900 && looks.withLock { $0 } == 2)
    }
}

@Suite("The clock at the start of a server")
struct StartingClockTests {
    private let now: UnixTime = 1_800_000_000

    @Test("is refused before this version was made, and before the newest event")
    func refused() {
        #expect(ServerRun.problem(ofClock: now, event: nil) == nil)
        #expect(ServerRun.problem(ofClock: now, event: now + 300) == nil)
        let past = ServerRun.problem(ofClock: now - 315_360_000, event: nil)
        #expect(past?.contains("before this version was made") == true)
        let event = ServerRun.problem(ofClock: now, event: now + 86_400)
        #expect(event?.contains("newest event") == true && event?.contains("--accept-clock") == true)
    }
}
