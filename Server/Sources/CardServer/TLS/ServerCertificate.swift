public import CardModel
import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate with which the server ends TLS itself, from two files that can be read again while it runs.
///
/// Each connection keeps the certificate that it began with; new ones get the one that was read last.
public final class ServerCertificate: Sendable {
    /// The time for which a certificate is valid.
    public struct Validity: Sendable, Hashable {
        /// The time from which it is valid.
        public let begins: UnixTime
        /// The time at which it expires.
        public let ends: UnixTime
        /// The DER bytes of the certificate itself, without those of its authorities.
        package let der: [UInt8]

        /// Creates what is known of a certificate.
        ///
        /// - Throws: What keeps its bytes from being written.
        init(_ certificate: NIOSSLCertificate) throws {
            begins = UnixTime(certificate.notValidBefore)
            ends = UnixTime(certificate.notValidAfter)
            der = try certificate.toDERBytes()
        }

        /// Says why clients refuse it at a time, or returns `nil` where they don't.
        package func problem(at now: UnixTime) -> String? {
            if now >= ends { return "The certificate expired at \(Timestamp.text(of: ends))." }
            guard now < begins else { return nil }
            return "The certificate is valid from \(Timestamp.text(of: begins)) on. Check the clock."
        }
    }

    private struct State {
        let files: CertificateFiles
        let context: NIOSSLContext
        let validity: Validity
    }

    /// The time that a client has to say goodbye; less than the time that a server has to end.
    private static let farewell = TimeAmount.seconds(1)

    private let state: Mutex<State>
    private let failures = Atomic<Int>(0)

    /// Reads a certificate.
    ///
    /// One that has expired is taken: some clients would still connect, and none to a server that doesn't start.
    ///
    /// - Parameter files: Where it is.
    /// - Throws: `CertificateError` where the files can't be used.
    public init(_ files: CertificateFiles) throws(CertificateError) { state = Mutex(try Self.read(files)) }

    /// Reads the certificate again, and keeps the one that it has where that can't be used.
    ///
    /// - Parameters:
    ///   - files: Where it is now.
    ///   - now: The time: a certificate that clients refuse takes no other's place.
    /// - Returns: What the new one says of itself.
    /// - Throws: `CertificateError` where the files can't be used.
    @discardableResult
    public func reload(_ files: CertificateFiles, at now: UnixTime) throws(CertificateError) -> Validity {
        do throws(CertificateError) {
            let fresh = try Self.read(files)
            if let problem = fresh.validity.problem(at: now) { throw CertificateError(problem) }
            state.withLock { $0 = fresh }
            return fresh.validity
        } catch {
            countFailure()
            throw error
        }
    }

    /// Notes that the certificate was to be read again and could not be.
    public func countFailure() { failures.add(1, ordering: .relaxed) }

    /// The time for which the certificate is valid.
    public var validity: Validity { state.withLock { $0.validity } }

    /// The files that it was read from last.
    package var files: CertificateFiles { state.withLock { $0.files } }

    /// The number of times it could not be read again.
    var reloadFailures: Int { failures.load(ordering: .relaxed) }

    /// The context that a new connection is encrypted with.
    var context: NIOSSLContext { state.withLock { $0.context } }

    private static func read(_ files: CertificateFiles) throws(CertificateError) -> State {
        let (chain, key) = try files.read()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2, those with forward secrecy that authenticate what they encrypt; those of TLS 1.3 are all of that
        // kind.
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = farewell
        guard let leaf = chain.first, let validity = try? Validity(leaf),
            let context = try? NIOSSLContext(configuration: configuration)
        else {
            throw CertificateError(
                "The key in \(files.key) isn't the one of the first certificate in \(files.certificate)."
            )
        }
        return State(files: files, context: context, validity: validity)
    }
}
