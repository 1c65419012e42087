import CardModel
import CardServer
import CardStore
import CommandSettings

/// Looks whether a server answers, or could start.
struct ServerCheck {
    let host: String
    let port: Int
    /// The path of a Unix socket, in place of the address and port.
    var socket: String?
    /// Whether a server or another command has the database open.
    let isDatabaseInUse: Bool
    /// The certificate of the settings, or `nil` where they name none that can be used.
    var certificate: ServerCertificate.Validity?

    func check() async -> DoctorCheck {
        guard let socket else { return await check(PortProbe.look(at: host, port: port)) }
        return await check(LocalSocket.look(at: socket), at: socket)
    }

    /// Says what was found at the path of a socket.
    private func check(_ finding: LocalSocket.Finding, at path: String) async -> DoctorCheck {
        switch finding {
        case .free, .stale:
            if isDatabaseInUse {
                return DoctorCheck(
                    .warning,
                    "server",
                    "A server or another command has the database open, but none listens on \(path).",
                    command: "placard doctor --socket PATH"
                )
            }
            let left = finding == .stale ? "; the socket there is of one that was killed" : ""
            return DoctorCheck(.good, "server", "none has the database open, and none listens on \(path)\(left)")
        case .taken: return await ask()
        case .other:
            let message = "\(path) is no socket, and no server can listen there."
            return DoctorCheck(.bad, "server", message, command: "ls -l \(path.shellWord)")
        case .forbidden(let reason):
            return DoctorCheck(
                .warning,
                "server",
                "\(path) can't be asked: \(reason). Run this as the account of the server.",
                command: "sudo -u placard placard doctor"
            )
        }
    }

    /// Says what was found at the port.
    func check(_ finding: PortProbe.Finding) async -> DoctorCheck {
        switch finding {
        case .free where isDatabaseInUse:
            DoctorCheck(
                .warning,
                "server",
                "A server or another command has the database open, but none answers at port \(port) of "
                    + "\(host): say where "
                    + "it listens, and it is asked whether it is ready.",
                command: "placard doctor --host HOST --port PORT"
            )
        case .free:
            DoctorCheck(.good, "server", "none has the database open; port \(port) of \(host) is free")
        case .forbidden:
            DoctorCheck(
                .bad,
                "server",
                "Port \(port) can't be used without more rights.",
                command: "placard serve --port 8080"
            )
        case .unknown: DoctorCheck(.bad, "server", "\(host) is not an address of this machine.", command: "ip address")
        case .taken: await ask()
        }
    }

    /// Asks whether a server is ready, once a second for that many seconds or until one is.
    ///
    /// - Parameters:
    ///   - seconds: For how long.
    ///   - clock: What the seconds are waited on.
    /// - Returns: What it said last.
    func readiness(waiting seconds: Int, on clock: any Clock<Duration> = ContinuousClock()) async -> DoctorCheck {
        var (left, said) = (seconds, await answer())
        while said?.status != 200, left > 0, (try? await clock.sleep(for: .seconds(1))) != nil {
            // safe: more than 0
            left -= 1
            said = await answer()
        }
        let place = socket ?? ServerRun.address(host, port, isEncrypted: said?.certificate != nil)
        switch said?.status {
        case 200: return DoctorCheck(.good, "server", "ready at \(place)")
        case nil: return DoctorCheck(.bad, "server", "None answers at \(place).", command: "placard doctor")
        case let status?:
            return DoctorCheck(
                .bad,
                "server",
                "\(place)/readyz answers with status \(status).",
                command: "placard doctor"
            )
        }
    }

    private func ask() async -> DoctorCheck {
        guard let answer = await answer() else {
            return DoctorCheck(
                .bad,
                "server",
                "\(socket ?? "Port \(port)") is in use by something that answers neither HTTP nor HTTPS "
                    + "within five seconds.",
                command: socket.map { "ss -lxp src \($0.shellWord)" } ?? "ss -ltnp sport = :\(port)"
            )
        }
        let address = socket ?? ServerRun.address(host, port, isEncrypted: answer.certificate != nil)
        guard answer.status == 200 else {
            return DoctorCheck(
                .bad,
                "server",
                "\(address)/readyz answers with status \(answer.status). The server's log says why.",
                command: "journalctl -u placard"
            )
        }
        if let certificate, answer.certificate != certificate.der {
            let message =
                answer.certificate == nil
                ? "\(address) speaks plain HTTP, and the settings name a certificate."
                : "\(address) sends another certificate than the settings name."
            let command = answer.certificate == nil ? "systemctl restart placard" : "systemctl reload placard"
            return DoctorCheck(.warning, "server", message, command: command)
        }
        return DoctorCheck(.good, "server", "ready at \(address)")
    }

    /// Asks in the way that the settings say, and then in the other one.
    private func answer() async -> ReadinessProbe.ReadinessAnswer? {
        let probe = socket.map(ReadinessProbe.init(path:)) ?? ReadinessProbe(host: reachableHost, port: port)
        for isEncrypted in [certificate != nil, certificate == nil] {
            if let answer = await probe.answer(isEncrypted: isEncrypted) { return answer }
        }
        return nil
    }

    /// The host at which a server that listens on all addresses is asked.
    private var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
