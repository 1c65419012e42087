import Crypto
import Foundation
import NIOSSL
import X509

@testable import CardServer

/// A key and a certificate for a name, good for an hour.
struct TestIdentity {
    let server: TLSConfiguration
    let certificate: NIOSSLCertificate
    /// The certificate and the key as files have them.
    let texts: (certificate: String, key: String)

    init(_ name: String, from begin: Date = Date() - 3_600, until end: Date = Date() + 3_600) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: begin,
            notValidAfter: end,
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName(name)])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        let document = try certificate.serializeAsPEM()
        texts = (document.pemString, key.pemRepresentation)
        self.certificate = try NIOSSLCertificate(bytes: document.derBytes, format: .der)
        server = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(self.certificate)],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        )
    }

    /// What a client is encrypted with that trusts this certificate alone.
    func client(_ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([certificate])
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }
}

/// A certificate and its key in a folder of their own.
struct CertificateFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "placard-tls-\(UUID().uuidString)")
    var files: CertificateFiles {
        CertificateFiles(certificate: url.appending(path: "chain.pem").path, key: url.appending(path: "key.pem").path)
    }

    /// Writes the files of an identity.
    init(_ identity: TestIdentity) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try write(identity.texts.certificate, identity.texts.key)
    }

    func write(_ certificate: String, _ key: String) throws {
        try Data(certificate.utf8).write(to: URL(filePath: files.certificate))
        try Data(key.utf8).write(to: URL(filePath: files.key))
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
