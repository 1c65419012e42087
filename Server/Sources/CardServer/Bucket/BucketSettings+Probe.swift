import Foundation

/// The result of trying a bucket.
package enum BucketFinding: Sendable, Equatable {
    /// It does what is needed.
    case good
    /// It does, and something is worth changing.
    case warning(String)
    /// It doesn't; says what is wrong and what to do.
    case bad(String)
}

extension BucketSettings {
    /// Writes an object of a random name, reads it, removes it, and looks whether it is gone.
    ///
    /// - Returns: What came of it.
    package func probe() async -> BucketFinding {
        await probe(
            BucketClient.Surroundings(
                clock: { Date().timeIntervalSince1970 },
                uptime: { ProcessInfo.processInfo.systemUptime }
            )
        )
    }

    func probe(_ surroundings: BucketClient.Surroundings) async -> BucketFinding {
        let client = BucketClient(self, surroundings)
        let key = "placard-probe-\(RandomText.letters(16))"
        let bytes = Array("Placard has written this to see whether it can, and removes it.\n".utf8)
        do throws(BucketError) {
            try await client.put(bytes, at: key, type: "text/plain")
        } catch {
            return .bad(words(error, doing: "write", right: "s3:PutObject"))
        }
        let finding = await read(bytes, at: key, client)
        do throws(BucketError) {
            try await client.delete(key)
        } catch {
            guard finding == .good else { return finding }
            let words = words(error, doing: "remove", right: "s3:DeleteObject")
            return .bad("\(words) The object \(prefix)\(key) stays there.")
        }
        guard finding == .good else { return finding }
        return await lookForRemoved(key, bytes.count, client)
    }

    private func read(_ bytes: [UInt8], at key: String, _ client: BucketClient) async -> BucketFinding {
        do throws(BucketError) {
            guard try await client.get(key, in: bytes.indices, of: bytes.count) == bytes else {
                return .bad("What was written is another thing when it is read.")
            }
            return .good
        } catch {
            return .bad(words(error, doing: "read", right: "s3:GetObject"))
        }
    }

    /// A service says of what isn't there that it is refused, unless the key may list the bucket.
    private func lookForRemoved(_ key: String, _ size: Int, _ client: BucketClient) async -> BucketFinding {
        do throws(BucketError) {
            _ = try await client.get(key, in: 0..<size, of: size)
            return .warning("What was removed can still be read. Does a cache stand before the service?")
        } catch {
            switch error {
            case .missing: break
            case .refused:
                return .warning(
                    "The key can't list the bucket, so that a picture that was lost looks like one that is refused. "
                        + "Give it s3:ListBucket."
                )
            default: return .bad(words(error, doing: "read", right: "s3:GetObject"))
            }
        }
        guard isPlain else { return .good }
        return .warning("Requests go unencrypted. Set an address of https, unless the network is your own.")
    }

    // MARK: Words

    private func words(_ error: BucketError, doing: String, right: String) -> String {
        switch error {
        case .missing: "What was written isn't there when it is read."
        case .refused(let status, let code): words(status, code, doing: doing, right: right)
        case .failed: "The service has an error of its own, \(error). Try again later, or ask its operator."
        case .unreachable(let reason): Self.words(unreachable: reason)
        case .unexpected: "It answers as no S3 does, with \(error). Check media_bucket_endpoint."
        case .paused: "It couldn't answer a moment ago."
        }
    }

    private func words(_ status: Int, _ code: String, doing: String, right: String) -> String {
        switch (status, code) {
        case (_, "NoSuchBucket"):
            "There is no bucket \(name). Create it, or check media_bucket and media_bucket_endpoint."
        case (_, "RequestTimeTooSkewed"):
            "This machine's clock is wrong by more than the service allows. Set the clock."
        case (_, "InvalidAccessKeyId"):
            "The service doesn't know the key \(credentials.accessKey). Check media_bucket_access_key."
        case (_, "SignatureDoesNotMatch"):
            "The secret key isn't that of \(credentials.accessKey), or a proxy changes requests. "
                + "Check media_bucket_secret_key."
        case (_, "ExpiredToken"), (_, "InvalidToken"):
            "The session token isn't valid, or not any more. Set media_bucket_session_token again."
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"), (_, "InvalidRegion"),
            (_, "IllegalLocationConstraintException"):
            "The bucket is in another region than \(region), or has another address. "
                + "Check media_bucket_region and media_bucket_endpoint."
        case (401, _), (403, _):
            "The key \(credentials.accessKey) isn't allowed to \(doing) objects. Give it \(right) on the bucket."
        default:
            "The service refuses to \(doing) an object, with HTTP \(status)\(code.isEmpty ? "" : " \(code)")."
        }
    }

    private static func words(unreachable reason: String) -> String {
        let isTLS = ["certificate", "ssl", "tls", "handshake"].contains { reason.lowercased().contains($0) }
        guard isTLS else {
            return "It can't be reached: \(reason). Check media_bucket_endpoint, the name server and the firewall."
        }
        return "There is no secure connection: \(reason). Check media_bucket_endpoint, and "
            + "media_bucket_trusted_certificates for a service with a certificate of its own."
    }
}
