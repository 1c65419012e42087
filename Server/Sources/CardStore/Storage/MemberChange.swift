import CardModel

/// The consequences of changing a member; a store loads the member that it has, asks for these, and carries them out.
package struct MemberChange: Sendable, Hashable {
    /// Whether another administrator has to be there, since this member will be none.
    package let needsOtherAdministrator: Bool
    /// Whether the links by which the member can choose a password are void from now on.
    package let voidsLinks: Bool
    /// Whether the member's sessions end but the one that goes on, and the member is told of the change.
    package let endsSessions: Bool

    /// Creates what saving a changed member entails.
    ///
    /// - Parameters:
    ///   - old: The member as stored.
    ///   - member: The member as it is to be.
    /// - Throws: `StoreError.conflict` where the account isn't in the state of ``TeamMember/base``.
    package init(of old: TeamMember, to member: TeamMember) throws(StoreError) {
        guard member.base.isState(of: old) else { throw .accountChanged }
        needsOtherAdministrator = old.role == .admin && member.role != .admin
        voidsLinks = old.passwordHash != member.passwordHash
        endsSessions = voidsLinks || old.role != member.role || old.codeSecret != member.codeSecret
    }

    /// Creates what removing a member entails.
    package init(removing member: TeamMember) {
        needsOtherAdministrator = member.role == .admin
        (voidsLinks, endsSessions) = (true, true)
    }
}

extension Session {
    /// Throws where the session was begun with an account that is another by now, or gone.
    ///
    /// - Parameter member: The member as stored, or `nil` where there is none.
    /// - Throws: `StoreError.conflict`.
    package func checkAccount(_ member: TeamMember?) throws(StoreError) {
        guard let member, account.admits(member) else {
            throw StoreError(.conflict, "The account was changed at the same time. Sign in again.")
        }
    }
}

extension StoreError {
    /// Says that there is a member of an e-mail address.
    package static let memberExists = StoreError(
        .exists,
        "A member with this email address already exists. Enter another address."
    )
    /// Says that an account at an OpenID provider is another member's.
    package static let identityTaken = StoreError(.exists, "Another member has that account at the provider.")
    /// Says that a change would leave no administrator.
    package static let lastAdministrator = StoreError(
        .conflict,
        "The last administrator stays one. Make another member an administrator first."
    )

    fileprivate static let accountChanged = StoreError(
        .conflict,
        "The account was changed at the same time. Reload the page and try again."
    )
}
