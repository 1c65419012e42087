import Foundation
import WireJSON

/// The settings that the processes of a simulation need.
struct SimulationSettings: Sendable {
    var server: String
    var key: String
    var directory: String
    var users: Int
    var processes: Int
    var seed: UInt64
    var hasFaults: Bool
    /// The mean pause between two steps of a client, in seconds.
    var pause: Double

    /// The simulated clients of one process.
    func clients(of process: Int) -> [Int] {
        Array(stride(from: process, to: users, by: processes))
    }

    /// The names of a client's two users.
    static func userNames(of client: Int) -> [String] { ["sim-\(client)-a", "sim-\(client)-b"] }

    func path(_ name: String) -> String { "\(directory)/\(name)" }
}

extension SimulationSettings {
    init?(json: JSONValue) {
        guard let server = json["server"]?.string, let key = json["key"]?.string,
            let directory = json["directory"]?.string, let users = json["users"]?.integer,
            let processes = json["processes"]?.integer, let seed = json["seed"]?.string.flatMap({ UInt64($0) }),
            let hasFaults = json["faults"]?.bool, let pause = json["pause"]?.double
        else { return nil }
        self.init(
            server: server,
            key: key,
            directory: directory,
            users: Int(users),
            processes: Int(processes),
            seed: seed,
            hasFaults: hasFaults,
            pause: pause
        )
    }

    var json: JSONValue {
        [
            "server": .string(server), "key": .string(key), "directory": .string(directory),
            "users": .integer(Int64(users)), "processes": .integer(Int64(processes)), "seed": .string(String(seed)),
            "faults": .bool(hasFaults), "pause": .number(pause),
        ]
    }
}
