import ArgumentParser
import CardServer
import CommandSettings
import Foundation

/// The certificate with which the server speaks HTTPS itself.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A certificate with its chain, as PEM: the server speaks HTTPS itself. Read again at SIGHUP.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The private key of the certificate, as PEM without a password.", valueName: "file"),
        completion: .file()
    )
    var tlsKey: String?

    /// The files that flags, the environment and the file name, or `nil` for none.
    func files(_ values: SettingValues) throws -> CertificateFiles? {
        let certificate = try values.value(of: .tlsCertificate, flag: tlsCertificate)
        let key = try values.value(of: .tlsKey, flag: tlsKey)
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return CertificateFiles(certificate: certificate.text, key: key.text)
        case (let certificate?, nil): throw ConfigurationError("\(certificate.origin): give the key too, by --tls-key.")
        case (nil, let key?): throw ConfigurationError("\(key.origin): give the certificate too, by --tls-certificate.")
        }
    }

    /// Reads the certificate.
    ///
    /// - Throws: `CommandError` where its files can't be used, which another try may find otherwise: whatever renews
    ///   a certificate replaces the one file after the other.
    func certificate(_ values: SettingValues) throws -> ServerCertificate? {
        guard let files = try files(values) else { return nil }
        do {
            return try ServerCertificate(files)
        } catch {
            throw CommandError("\(error)")
        }
    }
}
