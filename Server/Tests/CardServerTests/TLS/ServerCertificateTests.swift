import CardModel
import Foundation
import NIOSSL
import Testing

@testable import CardServer

@Suite("The certificate of the server")
struct ServerCertificateTests {
    private static var now: Double { Date().timeIntervalSince1970 }

    private func failure(_ body: () throws(CertificateError) -> Void) -> String? {
        do throws(CertificateError) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("takes another's place when it is read again")
    func reload() throws {
        let folder = try CertificateFolder(try TestIdentity("cards.example"))
        defer { folder.remove() }
        let certificate = try ServerCertificate(folder.files)
        let first = certificate.validity
        let second = try TestIdentity("cards.example", until: Date() + 86_400)
        try folder.write(second.texts.certificate, second.texts.key)
        try certificate.reload(folder.files, at: Self.now)
        #expect(certificate.validity.der == (try second.certificate.toDERBytes()))
        #expect(certificate.validity.ends > first.ends)
        #expect(certificate.reloadFailures == 0)
    }

    /// What stands in the two files, of the first identity (a) and of others.
    private static func contents(_ a: TestIdentity) throws -> [(String, String)] {
        let b = try TestIdentity("cards.example")
        let expired = try TestIdentity("cards.example", from: Date() - 7_200, until: Date() - 3_600)
        let early = try TestIdentity("cards.example", from: Date() + 3_600, until: Date() + 7_200)
        let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGj\n-----END ENCRYPTED PRIVATE KEY-----\n"
        return [
            ("", b.texts.key), (b.texts.certificate, ""), ("no certificate", b.texts.key),
            (b.texts.certificate, "no key"), (a.texts.certificate, b.texts.key), (b.texts.certificate, a.texts.key),
            (String(b.texts.certificate.prefix(300)), b.texts.key), (b.texts.certificate, locked),
            (a.texts.certificate + b.texts.certificate, b.texts.key), (expired.texts.certificate, expired.texts.key),
            (early.texts.certificate, early.texts.key),
            (b.texts.certificate + String(repeating: "#", count: 1 << 20), b.texts.key),
        ]
    }

    @Test("stays where what is read again can't be used: missing, another's, cut off, too large, or refused by clients")
    func keeps() throws {
        let identity = try TestIdentity("cards.example")
        let folder = try CertificateFolder(identity)
        defer { folder.remove() }
        let certificate = try ServerCertificate(folder.files)
        var count = 0
        for (chain, key) in try Self.contents(identity) {
            try folder.write(chain, key)
            let failure = failure { () throws(CertificateError) in try certificate.reload(folder.files, at: Self.now) }
            count += 1
            #expect(failure != nil && certificate.reloadFailures == count)
            #expect(certificate.validity.der == (try identity.certificate.toDERBytes()))
            // And no word of what is in the files
            #expect(failure?.contains("BEGIN") == false)
        }
        folder.remove()
        let failure = failure { () throws(CertificateError) in try certificate.reload(folder.files, at: Self.now) }
        #expect(failure?.contains("can't be read") == true)
    }

    @Test("may be a link, and no folder or pipe", .timeLimit(.minutes(20)))
    func kinds() throws {
        let identity = try TestIdentity("cards.example")
        let folder = try CertificateFolder(identity)
        defer { folder.remove() }
        let link = folder.url.appending(path: "live.pem").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.files.certificate)
        var files = folder.files
        files.certificate = link
        _ = try ServerCertificate(files)
        files.certificate = folder.url.path
        #expect(failure { () throws(CertificateError) in _ = try ServerCertificate(files) } != nil)
        let pipe = folder.url.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        files.certificate = pipe
        #expect(failure { () throws(CertificateError) in _ = try ServerCertificate(files) } != nil)
    }

    @Test("serves after it has expired where the server starts with it, and says so")
    func expired() throws {
        let folder = try CertificateFolder(try TestIdentity("cards.example", until: Date() - 60))
        defer { folder.remove() }
        let validity = try ServerCertificate(folder.files).validity
        #expect(validity.problem(at: Self.now)?.contains("expired") == true)
        #expect(validity.problem(at: validity.begins) == nil)
        #expect(validity.problem(at: validity.begins - 1)?.contains("clock") == true)
    }

    @Test("has metrics: when it expires, and what failed")
    func metrics() throws {
        let metrics = ServerMetrics()
        metrics.countHandshake(isComplete: true)
        metrics.countHandshake(isComplete: false)
        metrics.countAcceptWait(.shortage)
        let lines = metrics.arrivalLines((1_800_000_000, 2))
        for line in [
            "placard_tls_certificate_expiry_timestamp_seconds 1800000000",
            "placard_tls_certificate_reload_failures_total 2", #"placard_tls_handshakes_total{result="complete"} 1"#,
            #"placard_tls_handshakes_total{result="failed"} 1"#,
            #"placard_accept_waits_total{reason="no_descriptor"} 1"#,
            #"placard_accept_waits_total{reason="connection_limit"} 0"#,
        ] { #expect(lines.contains(line)) }
        #expect(!metrics.arrivalLines(nil).contains { $0.contains("expiry") })
    }
}
