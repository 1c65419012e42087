import Foundation
import NIOSSL

/// The files of a certificate and its key, as PEM.
public struct CertificateFiles: Sendable, Hashable {
    /// More than the longest chain, or the largest key, takes.
    private static let limit = 1 << 20

    /// The file with the certificate of the server, and after it those of the authorities between it and a root.
    public var certificate: String
    /// The file with the private key, which has no password.
    public var key: String

    /// Names the files.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether every account of this machine may read the key.
    package var isKeyPublic: Bool {
        var status = stat()
        return stat(key, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Reads both files.
    func read() throws(CertificateError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let chain = try readChain()
        let bytes = try Self.bytes(of: key)
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw CertificateError("\(key) has no private key in PEM without a password.")
        }
        return (chain, key)
    }

    private func readChain() throws(CertificateError) -> [NIOSSLCertificate] {
        let bytes = try Self.bytes(of: certificate)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), !chain.isEmpty else { throw noCertificate }
        return chain
    }

    private var noCertificate: CertificateError {
        CertificateError("\(certificate) has no certificate in PEM. Give the file with the whole chain.")
    }

    /// Reads a file that is no pipe, which might never end, and no larger than such a file can be.
    private static func bytes(of path: String) throws(CertificateError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CertificateError(
                "\(path) can't be read. Check that it exists, and that the server's account may read it."
            )
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let data = try? handle.read(upToCount: limit), (1..<limit).contains(data.count)
        else { throw CertificateError("\(path) is no file of the size that a certificate or key has.") }
        return Array(data)
    }
}

/// Says what is wrong with a certificate or its key and what to do.
public struct CertificateError: Error, Hashable, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Creates an error.
    init(_ description: String) { self.description = description }
}
