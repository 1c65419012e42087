extension FuzzTarget {
    /// Every target that needs no more than the core modules.
    public static let all: [FuzzTarget] = [
        json, yaml, liquid, liquidJSON, dates, timestamps, names, cursor, audience, pattern, campaign, card, settings,
        users, importing, importState, experiment, reply, retryAfter, stream, feedFile, journal, extras, terminal,
        picture,
    ]
}
