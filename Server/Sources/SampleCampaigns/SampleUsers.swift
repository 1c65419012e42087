import CardModel

/// The users whom the demo's app offers to be.
package enum SampleUsers {
    /// What the server knows of each before any of their devices is heard of.
    ///
    /// `anna` gets every card but those of gold members, `hugo` is one, and `dora` is in the coupon's control group.
    package static let demo: [UserUpdate] = [
        user("anna", "Anna", plan: "free"), user("hugo", "Hugo", plan: "gold"), user("dora", "Dora", plan: "free"),
    ]

    private static func user(_ id: String, _ firstName: String, plan: String) -> UserUpdate {
        UserUpdate(
            id: UserID(rawValue: id),
            custom: ["plan": .string(plan)],
            standard: [.firstName: .string(firstName)]
        )
    }
}
