import CardModel
import CardServer
import CommandSettings
import Foundation
import Logging

/// The files that a server reads again at SIGHUP; where something can't be read, what was read before stays.
struct ServerReload: Sendable {
    /// Reads the environment and the file.
    let values: @Sendable () throws -> SettingValues
    /// The values that the server was started with.
    let started: SettingValues
    /// The flag for the level of the log.
    let logLevel: String?
    let tls: TLSOptions
    let certificate: ServerCertificate?
    let accessLog: AccessLog?
    let logger: Logger
    /// The time now, in Unix seconds.
    var clock: @Sendable () -> Double = { Date().timeIntervalSince1970 }

    /// Reads all of it.
    func callAsFunction() {
        if let accessLog, !accessLog.reopen() {
            logger.error("The access log can't be opened again; lines go where they went before")
        }
        do {
            let values = try values()
            try ServerLogging.setLevel(values.value(of: .logLevel, flag: logLevel))
            noteUnread(values)
            try reloadCertificate(values)
        } catch {
            logger.error("The settings can't be read; the old ones stay", metadata: ["error": "\(error)"])
            // One that was renewed lies where the last one did, and has to be served whatever else is wrong.
            if let certificate { read(certificate, from: certificate.files) }
        }
    }

    /// Says which settings were changed since the start that only a start reads.
    private func noteUnread(_ values: SettingValues) {
        let changed = values.differences(from: started).filter { !isRead($0) }
        guard !changed.isEmpty else { return }
        logger.warning(
            "Settings were changed that count once the server is restarted",
            metadata: ["settings": "\(changed.map(\.rawValue).joined(separator: ","))"]
        )
    }

    /// Returns whether a setting is read again, or is none of a server's.
    private func isRead(_ setting: SettingValues.Setting) -> Bool {
        switch setting {
        case .logLevel, .server, .key, .publishableKey, .token: true
        case .tlsCertificate, .tlsKey: certificate != nil
        default: false
        }
    }

    private func reloadCertificate(_ values: SettingValues) throws {
        guard let certificate else { return }
        guard let files = try tls.files(values) else {
            logger.error("The settings name no certificate any more; restart the server for plain HTTP")
            return certificate.countFailure()
        }
        read(certificate, from: files)
    }

    private func read(_ certificate: ServerCertificate, from files: CertificateFiles) {
        do throws(CertificateError) {
            try certificate.reload(files, at: clock())
            CertificateLog.note(certificate.validity, at: clock(), logger)
        } catch {
            let ends = Timestamp.text(of: certificate.validity.ends)
            logger.error(
                "The certificate can't be read again; the old one stays",
                metadata: ["error": "\(error)", "old_expires": "\(ends)"]
            )
        }
    }
}

/// Says when the certificate expires.
enum CertificateLog {
    /// The days before its end in which that is worth a warning.
    static let warningDays = 14.0

    /// Notes a certificate that was read.
    static func note(_ validity: ServerCertificate.Validity, at now: UnixTime, _ logger: Logger) {
        let metadata: Logger.Metadata = ["expires": "\(Timestamp.text(of: validity.ends))"]
        if let problem = validity.problem(at: now) {
            logger.error("Clients refuse the certificate", metadata: ["error": "\(problem)"])
        } else if validity.ends - now < warningDays * 86_400 {
            logger.warning("The certificate expires soon", metadata: metadata)
        } else {
            logger.notice("The certificate was read", metadata: metadata)
        }
    }
}
