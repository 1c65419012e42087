import CardModel
import CardServer
import CardStore

extension DoctorCheck {
    /// The days before its end in which a certificate that is renewed by itself should have been.
    private static let warningDays = CertificateLog.warningDays

    /// Creates a check of the certificate that the settings name.
    init(certificate files: CertificateFiles, at now: UnixTime) {
        let subject = "certificate"
        do throws(CertificateError) {
            let validity = try ServerCertificate(files).validity
            let ends = Timestamp.text(of: validity.ends)
            let days = Quantity.text(Int(saturating: (validity.ends - now) / 86_400), "day")
            if let problem = validity.problem(at: now) {
                self.init(.bad, subject, "\(problem) Renew it.", command: "systemctl reload placard")
            } else if files.isKeyPublic {
                let message = "Every account of this machine can read \(files.key)."
                self.init(.warning, subject, message, command: "chmod o-rwx \(files.key.shellWord)")
            } else if validity.ends - now < Self.warningDays * 86_400 {
                let message = "It expires in \(days), at \(ends). Renew it."
                self.init(.warning, subject, message, command: "systemctl reload placard")
            } else {
                self.init(.good, subject, "expires in \(days), at \(ends)")
            }
        } catch {
            self.init(.bad, subject, error.description, command: "ls -lL \([files.certificate, files.key].shellWords)")
        }
    }
}
