#if !os(tvOS)
import Foundation

/// Says how long a copy of an image is good, and how to ask whether it still is.
public struct ImageFreshness: Sendable, Hashable, Codable {
    /// The time for which an image whose server says nothing is good, in seconds: a week.
    static let usual: TimeInterval = 7 * 86_400
    /// The longest time that a server is believed: a year.
    static let longest: TimeInterval = 365 * 86_400
    /// The most bytes of a validator that is kept.
    private static let validatorLimit = 256

    /// The time until which the copy can be shown without asking.
    public var expires: Date
    /// Whether the copy may be kept on the disk.
    public var isStorable = true
    /// The header `ETag` of the answer.
    public var entityTag: String?
    /// The header `Last-Modified` of the answer.
    public var lastModified: String?

    /// Creates the freshness of a copy.
    public init(expires: Date) {
        self.expires = expires
    }

    /// Reads the header fields of an answer, with names in lowercase.
    init(headers: [String: String], at now: Date) {
        let control = Self.directives(headers["cache-control"] ?? "")
        var lifetime = Self.usual
        if control["no-cache"] != nil {
            lifetime = 0
        } else if let age = control["max-age"] {
            lifetime = max(0, Self.seconds(age) - Self.seconds(headers["age"] ?? ""))
        }
        expires = now + lifetime
        isStorable = control["no-store"] == nil
        entityTag = Self.validator(headers["etag"])
        lastModified = Self.validator(headers["last-modified"])
    }

    /// Returns whether the copy may be shown without asking; one that is good for too long was written by a wrong
    /// clock.
    func isGood(at now: Date) -> Bool {
        now < expires && expires.timeIntervalSince(now) <= Self.longest
    }

    /// The header fields that ask for the image unless the copy is still good.
    var conditions: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = entityTag
        if entityTag == nil { headers["If-Modified-Since"] = lastModified }
        return headers
    }

    /// Takes over what the answer "not modified" says; validators that it leaves out stay.
    func renewed(by answer: ImageFreshness) -> ImageFreshness {
        var renewed = answer
        renewed.entityTag = answer.entityTag ?? entityTag
        renewed.lastModified = answer.lastModified ?? lastModified
        return renewed
    }

    private static func directives(_ header: String) -> [String: String] {
        var directives: [String: String] = [:]
        for part in header.prefix(1_000).utf8.split(separator: UInt8(ascii: ",")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
                .map { Substring($0).trimmingCharacters(in: .whitespaces) }
            guard let name = pair.first?.lowercased(), directives[name] == nil else { continue }
            directives[name] = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
        }
        return directives
    }

    /// Digits alone; what is none counts as nothing, and more than a year as one.
    private static func seconds(_ text: String) -> TimeInterval {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Double(text)
        else { return 0 }
        return min(number, longest)
    }

    /// One that is too long, or would break out of its line, is none.
    private static func validator(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= validatorLimit,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }
}
#endif
