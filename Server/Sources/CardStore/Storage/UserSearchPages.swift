package import CardModel

/// A page of a search for users: first those that begin with the text, then those that have it inside.
package struct UserSearchPages: Sendable {
    private let text: String
    private let limit: Int
    private let place: UserSearchPlace?
    /// The ids of the users that were found.
    package private(set) var ids: [String] = []
    /// The place where the search goes on, or `nil` where all users were looked at.
    package private(set) var next: UserSearchPlace?

    /// Creates an empty page.
    package init(text: String, limit: Int, after place: UserSearchPlace?) {
        self.text = text
        self.limit = limit
        self.place = place
    }

    /// The part that is looked for next: so many users from after a place on.
    package struct Part<Place: Sendable>: Sendable {
        /// The place, or `nil` for the first users.
        package let place: Place?
        /// The maximum number of users.
        package let limit: Int
    }

    /// The users to find that begin with the text, or `nil` where the search was beyond them.
    package var beginning: Part<UserID>? {
        place?.isInside == true ? nil : Part(place: place?.user, limit: limit + 1)
    }

    /// The users to find that have the text inside, or `nil` where there is no room for them.
    package var inside: Part<String>? {
        guard ids.count < limit, !text.isEmpty else { return nil }
        return Part(place: place.flatMap { $0.isInside ? $0.user.rawValue : nil }, limit: limit - ids.count)
    }

    /// Adds those that begin with the text, unless the search was beyond them.
    ///
    /// - Parameter find: Returns at most as many ids as it is given, from after a user on.
    package mutating func addBeginning(_ find: (_ place: UserID?, _ limit: Int) throws -> [String]) rethrows {
        guard let part = beginning else { return }
        let found = try find(part.place, part.limit)
        ids = Array(found.prefix(limit))
        let isMore = found.count > limit || found.count == limit && !text.isEmpty
        if isMore, let last = ids.last { next = UserSearchPlace(user: UserID(rawValue: last), isInside: false) }
    }

    /// Adds those that have the text inside, where there is room.
    ///
    /// - Parameter find: Returns at most as many ids as it is given, from after a user on, and where it stopped.
    package mutating func addInside(
        _ find: (_ place: String?, _ limit: Int) throws -> (ids: [String], searchedTo: String?)
    ) rethrows {
        guard let part = inside else { return }
        let found = try find(part.place, part.limit)
        ids += found.ids
        next = found.searchedTo.map { UserSearchPlace(user: UserID(rawValue: $0), isInside: true) }
    }
}
