/// The reason why the provider's word can't be had or isn't taken.
package struct OpenIDError: Error, Equatable {
    /// The kind of failure, as far as the page tells.
    package enum OpenIDFailureKind: Sendable {
        /// The provider couldn't be asked, or didn't answer as the standard has it.
        case unavailable
        /// It doesn't take the code, or its token isn't good.
        case rejected
    }

    /// The kind.
    package let kind: OpenIDFailureKind
    /// The detail for the log: never a token, a code or a secret.
    package let detail: String

    static func unavailable(_ detail: String) -> Self { Self(kind: .unavailable, detail: detail) }
    static func rejected(_ detail: String) -> Self { Self(kind: .rejected, detail: detail) }
}
