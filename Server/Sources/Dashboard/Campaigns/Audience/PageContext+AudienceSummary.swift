import CardModel

extension Audience {
    /// The audience in a sentence in the language of the request that is being answered.
    var localizedSummary: String { AudienceFormatter(localized: localized).summary(self) }
}

extension PageContext {
    /// Returns an audience in words, as far as the member may see it.
    func summary(of audience: Audience) -> String {
        guard hidesPersonalData else { return audience.localizedSummary }
        return (try? Audience(json: shown(audience.json)))?.localizedSummary ?? PersonalData.hidden
    }
}
