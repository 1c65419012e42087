/// The fields of forms and queries, by the names that browsers send; those of a campaign are of ``DraftField``.
enum FormField: String {
    // Of every form.
    case csrf
    /// The action of a button that only changes the form.
    case `do`
    /// The step after saving.
    case then
    /// The content that was saved when the editing began, as JSON.
    case base
    /// The version that is meant.
    case version
    /// The time zone in which times were shown.
    case zone

    // Of lists and parts of pages.
    case part, status, tag, type, show, page, inside, before, after, from, to, at, sort
    /// The list of a saved filter, its query, and whether the team sees it.
    case list, query, share
    /// The text that is searched for.
    case q
    /// The notice that a page shows.
    case done

    // Of people and signing in.
    case name, email, password, role, kind, code, ticket, token, secret, next, back, resume, form, signature, theme
    /// The password that a member has.
    case current
    /// The name of the campaign that is edited.
    case campaignName = "c.name"

    // Of the OpenID provider, by the names of the standard.
    case state
    case issuer = "iss"
    /// Whether a member who is signed in confirms that it's them.
    case confirm

    // Of keys.
    case permission, addresses, lifetime, overlap

    // Of campaigns, their previews and test cards.
    case template, campaign, variant, user, users, language, withdraw
    /// A test device, its name, and the one that is removed.
    case device, remove
    case deviceName = "device_name"
    /// A group of test users, the name that one is saved under, and the one that is removed.
    case group
    case groupName = "group_name"
    case removeGroup = "remove_group"
    /// The request for approval that is meant, and what is said about it.
    case approval, comment, request
    /// The changes that are undone.
    case undo
    case audienceJSON = "audience_json"
    case controlShare = "control_share"
    /// The meaning of the variants' weights.
    case split
    case previewVariant = "preview_variant"
    case previewUser = "preview_user"
    case previewLanguage = "preview_language"
    case previewPlatform = "preview_platform"
    case previewProperties = "preview_properties"
    case previewLook = "preview_look"
    case previewSize = "preview_size"
    case previewRatio = "preview_ratio"
    case previewImage = "preview_image"

    // Of imports of users.
    case column, offset, size, fingerprint

    // Of media.
    case alt, crop

    // Of the settings.
    case timeZone = "time_zone"
    case requireTwoFactor = "require_two_factor"
    case maskPersonalData = "mask_personal_data"
    case launchApproval = "launch_approval"
    case userTokens = "user_tokens"
    case publicKeys = "public_keys"
    case keySet = "jwks"
    case keySetURL = "jwks_url"
    case tokenIssuer = "token_issuer"
    case tokenAudience = "token_audience"
    case tokenLifetime = "token_max_lifetime_seconds"
    case cardLimit = "card_limit"
    case cardSizeLimit = "card_size_limit"
    case burst, seconds
    case eventDays = "event_days"
    case auditDays = "audit_days"
    case versionDays = "version_days"
    case contentHosts = "content_hosts"
    case quietFrom = "quiet_from"
    case quietTo = "quiet_to"
}

extension FormData {
    /// The last value of a field; a checkbox comes after the hidden field that stands for its absence.
    subscript(field: FormField) -> String? { self[field.rawValue] }

    /// Returns the last value of a field, which is empty where the form lacks it.
    func value(_ field: FormField) -> String { self[field] ?? "" }

    /// Returns the last value of a field without spaces around it.
    func trimmed(_ field: FormField) -> String { value(field).trimmingSpaces }

    /// Returns the last value of a name that a page has made, which is empty where the form lacks it.
    func value(named name: String) -> String { self[name] ?? "" }

    /// Returns the last value of a field without spaces around it, or `nil` where nothing is left.
    func text(_ field: FormField) -> String? { text(field.rawValue) }

    /// Returns every value of a field.
    func all(_ field: FormField) -> [String] { all(field.rawValue) }

    /// Returns whether a checkbox is set.
    func isOn(_ field: FormField) -> Bool { self[field] == "on" }

    /// Returns a place in a list or a version, which is at least 1, or `nil` if the field holds anything else.
    func position(_ field: FormField) -> Int64? {
        guard let number = self[field].flatMap({ Int64($0) }), number > 0 else { return nil }
        return number
    }
}
