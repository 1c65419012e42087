import CardModel
import CardServer

/// Looks whether a server answers, or could start.
struct ServerCheck {
    let host: String
    let port: Int
    /// Whether a server or another command has the database open.
    let isDatabaseInUse: Bool
    /// The certificate of the settings, or `nil` where they name none that can be used.
    var certificate: ServerCertificate.Validity?

    func check() async -> DoctorCheck { await check(PortProbe.look(at: host, port: port)) }

    /// Says what was found at the port.
    func check(_ finding: PortProbe.Finding) async -> DoctorCheck {
        switch finding {
        case .free where isDatabaseInUse:
            DoctorCheck(
                .warning,
                "server",
                "A server or another command has the database open, but none answers at port \(port) of \(host): say where "
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

    private func ask() async -> DoctorCheck {
        guard let answer = await answer() else {
            return DoctorCheck(
                .bad,
                "server",
                "Port \(port) is in use by something that answers neither HTTP nor HTTPS within five seconds.",
                command: "ss -ltnp sport = :\(port)"
            )
        }
        let address = ServerRun.address(host, port, isEncrypted: answer.certificate != nil)
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
    private func answer() async -> ReadinessProbe.Answer? {
        let probe = ReadinessProbe(host: reachableHost, port: port)
        for isEncrypted in [certificate != nil, certificate == nil] {
            if let answer = await probe.answer(isEncrypted: isEncrypted) { return answer }
        }
        return nil
    }

    /// Where a server is asked that listens on all addresses.
    private var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
