import CardModel

/// Hides who users are from members who aren't meant to know.
struct PersonalData: Sendable {
    /// Makes masks of ids that mean nothing on another server or after a restart.
    private let key = SecretBytes.random(32)

    /// Returns what stands for a user's id: the same for the same user, and nothing that leads to them.
    func mask(_ id: String) -> String {
        let code = SecretBytes.code(of: Array(id.utf8), key: key)
        let digits = code.prefix(4).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return "User \(digits.joined())"
    }
}

extension Visit {
    /// Whether the member sees neither attributes, addresses and ids of users nor their feeds.
    var hidesPersonalData: Bool { member.role == .viewer && site.server.settings().masksPersonalData }

    /// Throws where the member isn't meant to see personal data.
    func requirePersonalData() throws {
        if hidesPersonalData { throw DashboardError.personalData }
    }
}
