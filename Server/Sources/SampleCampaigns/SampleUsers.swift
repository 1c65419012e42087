import CardModel

/// The users that the demo's app offers to be.
package enum SampleUsers {
    /// The users that the server knows before any of their devices is heard of.
    ///
    /// `anna` gets every card but those of gold members, `hugo` is one, and `dora` is in the coupon's control group.
    /// They live in two countries, so that an audience has something to choose by.
    package static let demo: [UserUpdate] = [
        user("anna", "Anna", in: "JP", plan: "free"), user("hugo", "Hugo", in: "DE", plan: "gold"),
        user("dora", "Dora", in: "DE", plan: "free"),
    ]

    private static func user(_ id: String, _ firstName: String, in country: String, plan: String) -> UserUpdate {
        UserUpdate(
            id: UserID(rawValue: id),
            custom: ["plan": .string(plan)],
            standard: [.country: .string(country), .firstName: .string(firstName)]
        )
    }
}
