import Foundation
import Synchronization

/// The groups of the account that this process runs under.
enum AccountGroups {
    /// Held while the accounts of the machine are listed, which the system does for one caller at a time.
    private static let listing = Mutex(())

    /// Returns whether an account is in a group that no other account of the machine is known to be in.
    ///
    /// Root counts as no other account, since no group gives it anything; and as in none of its own.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - user: The account.
    ///   - groups: The groups that it is in.
    /// - Returns: Whether the account has the group for itself.
    static func isAlone(in group: gid_t, as user: uid_t = geteuid(), of groups: [gid_t] = AccountGroups.own) -> Bool {
        guard user != 0, groups.contains(group) else { return false }
        return listing.withLock { _ in !hasOthers(in: group, than: user) }
    }

    /// The groups of this process.
    static var own: [gid_t] {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        // safe: above 0, and 32 bits fit
        var groups = [gid_t](repeating: 0, count: Int(count))
        let found = getgroups(count, &groups)
        // safe: 32 bits fit, and no less than 0
        return [getegid()] + groups.prefix(Int(max(0, found)))
    }

    private static func hasOthers(in group: gid_t, than user: uid_t) -> Bool {
        var names: Set<String> = []
        setpwent()
        defer { endpwent() }
        while let account = getpwent()?.pointee {
            if account.pw_uid == user {
                names.insert(String(cString: account.pw_name))
            } else if account.pw_gid == group, account.pw_uid != 0 {
                return true
            }
        }
        guard var member = getgrgid(group)?.pointee.gr_mem else { return false }
        while let name = member.pointee {
            if !names.contains(String(cString: name)) { return true }
            member = member.successor()
        }
        return false
    }
}
