extension Templates {
    /// Every template by its name.
    static let embedded: [String: [UInt8]] = [
        "account": PackageResources.account_mustache,
        "audit": PackageResources.audit_mustache,
        "error": PackageResources.error_mustache,
        "error-plain": PackageResources.error_plain_mustache,
        "keys": PackageResources.keys_mustache,
        "layout": PackageResources.layout_mustache,
        "overview": PackageResources.overview_mustache,
        "overview-numbers": PackageResources.overview_numbers_mustache,
        "plain": PackageResources.plain_mustache,
        "resume": PackageResources.resume_mustache,
        "settings": PackageResources.settings_mustache,
        "setup": PackageResources.setup_mustache,
        "sign-in": PackageResources.sign_in_mustache,
        "sign-in-code": PackageResources.sign_in_code_mustache,
        "team": PackageResources.team_mustache,
    ]
}
