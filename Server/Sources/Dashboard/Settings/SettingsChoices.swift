import CardModel

/// The names of the choices of settings and keys, by their values in forms.
enum SettingsChoices {
    /// The choices of the authentication of users.
    static var modes: [(String, String)] {
        [
            ("disabled", localized("Disabled")), ("optional", localized("Optional")),
            ("required", localized("Required")),
        ]
    }

    /// The choices of launches that need approval.
    static var approvals: [(String, String)] {
        [
            (ApprovalPolicy.none.rawValue, localized("No one")),
            (ApprovalPolicy.editors.rawValue, localized("Editors, and keys without full access")),
            (ApprovalPolicy.everyone.rawValue, localized("Everyone, including administrators")),
        ]
    }

    /// The choices of the expiry of a key.
    static var lifetimes: [(String, String)] {
        [
            ("never", localized("never", in: "expiry")), ("30", localized("30 days from now")),
            ("90", localized("90 days from now")), ("365", localized("a year from now")),
        ]
    }

    /// The choices of the expiry of a new key, of which the first is what a form begins with.
    static var newLifetimes: [(String, String)] {
        [
            ("", localized("never", in: "expiry")), ("30", localized("in 30 days")), ("90", localized("in 90 days")),
            ("365", localized("in a year")),
        ]
    }
}
