import CardStore

/// Codes on paper that stand in for the second factor, each once.
///
/// A code has ten digits. That is few for something that could be tried without limit, and enough where failures slow
/// the next attempt down; whoever can read their hashes can read the secret of the second factor too.
struct RecoveryCodes {
    private static let count = 10
    private static let digits = 10

    /// The codes as they are shown once, such as `12345 67890`.
    let texts: [String]

    /// Makes new codes.
    init() {
        texts = (0..<Self.count).map { _ in
            let digits = (0..<Self.digits).map { _ in String(Int.random(in: 0...9)) }
            return digits.prefix(5).joined() + " " + digits.suffix(5).joined()
        }
    }

    /// What is kept of them.
    var hashes: [[UInt8]] { texts.map(Self.hash) }

    /// The hash of a code, however its digits are grouped.
    static func hash(_ text: String) -> [UInt8] { SecretBytes.hash(Array(text.filter(\.isNumber).utf8)) }
}

/// What somebody typed for the second factor, compared with what the member has.
enum SecondFactor {
    /// What was used.
    enum Use: Equatable {
        case code(step: Int64)
        case recovery(hash: [UInt8])
    }

    static func use(of typed: String, by member: TeamMember, at now: Double) -> Use? {
        guard let secret = member.codeSecret else { return nil }
        if let step = TimeBasedCode(secret: secret).step(of: typed, at: now, after: member.lastCodeStep) {
            return .code(step: step)
        }
        let hash = RecoveryCodes.hash(typed)
        return member.recoveryCodes.contains { SecretBytes.areEqual($0, hash) } ? .recovery(hash: hash) : nil
    }
}

extension SecondFactor.Use {
    /// What the audit log calls it.
    var action: String {
        switch self {
        case .code: "member.code"
        case .recovery: "member.recovery"
        }
    }

    /// What is unique to this use by a member, so that of two requests at once only one is let in.
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
