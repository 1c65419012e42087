import CardModel
import Testing

/// What each form of the dashboard needs; a form that is not here has not been thought about.
enum RouteTable {
    struct Form: Sendable, CustomTestStringConvertible {
        let path: String
        let role: Role
        /// Whether it may be sent again because it changes nothing.
        var isRepeatable = false

        var testDescription: String { path }

        init(_ path: String, _ role: Role, isRepeatable: Bool = false) {
            self.path = path
            self.role = role
            self.isRepeatable = isRepeatable
        }
    }

    /// The forms of members.
    static let forms = [
        Form("/dashboard/account/password", .viewer), Form("/dashboard/account/factor", .viewer),
        Form("/dashboard/account/recovery", .viewer),
        Form("/dashboard/account/sessions", .viewer), Form("/dashboard/account/sessions/{id}/end", .viewer),
        Form("/dashboard/sign-out", .viewer), Form("/dashboard/theme", .viewer, isRepeatable: true),
        Form("/dashboard/language", .viewer, isRepeatable: true),
        Form("/dashboard/team", .admin), Form("/dashboard/team/{email}/role", .admin),
        Form("/dashboard/team/{email}/factor-off", .admin), Form("/dashboard/team/{email}/remove", .admin),
        Form("/dashboard/team/{email}/password", .admin), Form("/dashboard/team/{email}/sessions", .admin),
        Form("/dashboard/keys", .admin), Form("/dashboard/keys/{id}", .admin),
        Form("/dashboard/keys/{id}/rotate", .admin),
        Form("/dashboard/keys/{id}/revoke", .admin),
        Form("/dashboard/settings", .admin),
        Form("/dashboard/campaigns/new", .editor), Form("/dashboard/campaigns/reshape", .editor, isRepeatable: true),
        Form("/dashboard/campaigns/bulk", .editor),
        Form("/dashboard/campaigns/preview", .editor, isRepeatable: true),
        Form("/dashboard/campaigns/check", .editor, isRepeatable: true),
        Form("/dashboard/campaigns/{id}/edit", .editor), Form("/dashboard/campaigns/{id}/launch", .editor),
        Form("/dashboard/campaigns/{id}/approval", .editor),
        Form("/dashboard/campaigns/{id}/approval/comment", .editor),
        Form("/dashboard/campaigns/{id}/approval/withdraw", .editor),
        Form("/dashboard/campaigns/{id}/approval/approve", .admin),
        Form("/dashboard/campaigns/{id}/approval/reject", .admin),
        Form("/dashboard/campaigns/{id}/pause", .editor), Form("/dashboard/campaigns/{id}/stop", .editor),
        Form("/dashboard/campaigns/{id}/archive", .editor), Form("/dashboard/campaigns/{id}/restore", .editor),
        Form("/dashboard/campaigns/{id}/duplicate", .editor), Form("/dashboard/campaigns/{id}/test", .editor),
        Form("/dashboard/content-types/{id}/delete", .editor),
        Form("/dashboard/content-types/proposals/{id}/accept", .editor),
        Form("/dashboard/content-types/proposals/{id}/dismiss", .editor), Form("/dashboard/segments/new", .editor),
        Form("/dashboard/segments/reshape", .editor, isRepeatable: true),
        Form("/dashboard/segments/{id}", .editor), Form("/dashboard/segments/{id}/archive", .editor),
        Form("/dashboard/media/upload", .editor, isRepeatable: true), Form("/dashboard/media/{id}/alt", .editor),
        Form("/dashboard/media/{id}/delete", .editor),
        Form("/dashboard/content-blocks/new", .editor), Form("/dashboard/content-blocks/{id}", .editor),
        Form("/dashboard/content-blocks/{id}/delete", .editor),
        Form("/dashboard/content-blocks/check", .editor, isRepeatable: true),
        Form("/dashboard/content-blocks/preview", .editor, isRepeatable: true),
        Form("/dashboard/filters", .viewer), Form("/dashboard/filters/{id}", .viewer),
        Form("/dashboard/filters/{id}/delete", .viewer), Form("/dashboard/undo", .viewer),
        Form("/dashboard/segments/{id}/restore", .editor), Form("/dashboard/segments/{id}/duplicate", .editor),
        Form("/dashboard/users/{id}/delete", .admin),
        Form("/dashboard/users/imports/upload", .editor, isRepeatable: true),
        Form("/dashboard/users/imports/begin", .editor, isRepeatable: true),
        Form("/dashboard/users/imports/{id}/piece", .editor, isRepeatable: true),
        Form("/dashboard/users/imports/{id}/start", .editor), Form("/dashboard/users/imports/{id}/cancel", .editor),
    ]

    /// The forms of those who are not signed in.
    static let openForms = [
        "/dashboard/setup", "/dashboard/sign-in", "/dashboard/sign-in/code", "/dashboard/password", "/dashboard/forgot",
    ]

    /// A path with something for its parameters, by its first part.
    static func filled(_ path: String) -> String {
        let ids = [
            "campaigns": "evil-campaign", "segments": "evil-segment", "content-blocks": "evil-block",
            "keys": "key_evil", "users": "evil-user",
            "team": "other%40example.com", "filters": "evil-filter", "media": EvilData.pictureID, "assets": "none.css",
        ]
        let parts = path.split(separator: "/").map(String.init)
        let id = parts.count > 1 ? ids[parts[1]] ?? "none" : "none"
        return "/" + parts.map { $0.hasPrefix("{") ? id : $0 }.joined(separator: "/")
    }
}
