import CardServer
import CardStore

/// Codes on paper that stand in for the second factor, each once.
///
/// A code has 80 random bits, so that nobody finds one by trying, not even with its hash: scrypt makes each attempt
/// cost 16 MiB and some hundredths of a second. The codes of a member share a salt: what is typed is hashed once.
struct RecoveryCodes {
    private static let count = 10
    private static let letters = 16
    /// Crockford's base 32: no letter looks like a digit.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// The length of the codes of older versions, in digits.
    private static let formerLetters = 10

    /// The codes as they are shown once, such as `7Q2M-X0ZD-K4T9-WJ5R`.
    let texts: [String]

    /// Creates new codes.
    init() {
        texts = (0..<Self.count).map { _ in
            let letters = (0..<Self.letters).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count)] }
            // safe: a multiple of four letters
            return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
        }
    }

    /// Returns the hashes that are kept of them.
    func hashes(_ cost: PasswordCost) async throws -> [[UInt8]] {
        try await RecoveryCodeDigest.hashes(of: texts.compactMap(Self.digest), cost)
    }

    /// Whether what was typed has the form of a recovery code, and so cannot be a code of an app.
    static func canBe(_ text: String) -> Bool { digest(text) != nil }

    /// The SHA-256 of a code, however it is grouped and written; `nil` for what can be no code.
    static func digest(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 64 else { return nil }
        let letters = text.uppercased().compactMap { letter -> Character? in
            switch letter {
            case "O": "0"
            case "I", "L": "1"
            case let other where alphabet.contains(other): other
            default: nil
            }
        }
        guard letters.count == Self.letters || letters.count == formerLetters else { return nil }
        return SecretBytes.hash(Array(String(letters).utf8))
    }
}

/// The digests that are kept of recovery codes: scrypt of a code's SHA-256, so that the digests which older versions
/// kept can be replaced without knowing the codes.
enum RecoveryCodeDigest {
    private static let version: UInt8 = 1
    /// The most that is tried of what a database says.
    private static let highestCost: UInt8 = 17
    private static let saltCount = 16

    /// Hashes the digests of codes, with one salt.
    static func hashes(of digests: [[UInt8]], _ cost: PasswordCost) async throws -> [[UInt8]] {
        let prefix = [version, cost.recoveryExponent] + SecretBytes.random(saltCount)
        var hashes: [[UInt8]] = []
        for digest in digests { hashes.append(prefix + (try await stretch(digest, prefix))) }
        return hashes
    }

    /// Finds the hash of a code among those of a member.
    ///
    /// Hashes once for each salt, of which a member has one.
    static func find(_ digest: [UInt8], among kept: [[UInt8]]) async -> [UInt8]? {
        if let former = kept.first(where: { ConstantTime.areEqual($0, digest) }) { return former }
        let prefixes = Set(kept.filter { $0.count == RecoveryCodeHash.byteCount }.map(prefix))
        // safe: a prefix has more than two bytes
        for prefix in prefixes where prefix[0] == version && prefix[1] <= highestCost {
            guard let bytes = try? await stretch(digest, prefix) else { continue }
            if let match = kept.first(where: { ConstantTime.areEqual($0, prefix + bytes) }) { return match }
        }
        return nil
    }

    /// Hashes again what an older version kept as SHA-256; `nil` where there is nothing like that.
    static func strengthened(_ kept: [[UInt8]]) async throws -> [[UInt8]]? {
        let digests = kept.filter { $0.count != RecoveryCodeHash.byteCount }
        guard !digests.isEmpty else { return nil }
        return try await kept.filter { $0.count == RecoveryCodeHash.byteCount } + hashes(of: digests, .standard)
    }

    private static func prefix(of hash: [UInt8]) -> [UInt8] { Array(hash.prefix(RecoveryCodeHash.prefixCount)) }

    private static func stretch(_ digest: [UInt8], _ prefix: [UInt8]) async throws -> [UInt8] {
        let salt = Array(prefix.dropFirst(2))
        // safe: a prefix has more than two bytes
        return try await PasswordWork.stretch(digest, salt: salt, rounds: 1 << Int(prefix[1]))
    }
}

/// The second factor that a member typed, compared with what the member has.
enum SecondFactor {
    /// The kind of factor that was used.
    enum FactorUse: Equatable {
        case code(step: Int64)
        case recovery(hash: [UInt8])
    }

    /// Returns the factor that was typed, or `nil` where it fits nothing.
    ///
    /// Only what may be a recovery code is hashed.
    static func use(of typed: String, by member: TeamMember, at now: Double) async -> FactorUse? {
        guard let secret = member.codeSecret else { return nil }
        if let step = TimeBasedCode(secret: secret).step(of: typed, at: now, after: member.lastCodeStep) {
            return .code(step: step)
        }
        guard let digest = RecoveryCodes.digest(typed) else { return nil }
        return await RecoveryCodeDigest.find(digest, among: member.recoveryCodes).map { .recovery(hash: $0) }
    }
}

extension SecondFactor.FactorUse {
    /// The action in the audit log.
    var action: String {
        switch self {
        case .code: "member.code"
        case .recovery: "member.recovery"
        }
    }

    /// Returns the mark that is unique to this use by a member, so that of two requests at once only one is let in.
    func mark(of member: TeamMember) -> [UInt8] {
        switch self {
        case .code(let step): SecretBytes.hash(Array("code \(step) \(member.email)".utf8))
        case .recovery(let hash): SecretBytes.hash(hash + Array(member.email.utf8))
        }
    }

    /// Takes it from what the member can use.
    func apply(to member: inout TeamMember) {
        switch self {
        case .code(let step): member.lastCodeStep = step
        case .recovery(let hash): member.recoveryCodes.removeAll { $0 == hash }
        }
    }
}
