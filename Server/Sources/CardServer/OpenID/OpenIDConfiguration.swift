import WireJSON

/// The configuration of a provider: OpenID Connect Discovery 1.0, section 4.
struct OpenIDConfiguration: Sendable, Equatable {
    /// The most bytes that the document may have.
    static let maximumSize = 131_072

    /// The address to which browsers are sent.
    let authorization: OutboundURL
    /// The address at which codes are exchanged for tokens.
    let token: OutboundURL
    /// The address of the keys.
    let keySet: OutboundURL
    /// Whether the client's secret is sent in the form alone, and not in the header.
    let wantsSecretInForm: Bool
    /// Whether the provider names itself when it sends a browser back: RFC 9207.
    let namesIssuer: Bool

    /// Reads the document of a provider.
    ///
    /// - Throws: `OpenIDError` where it is another provider's, or names an address that secrets can't be sent to.
    init(_ json: JSONValue, of issuer: String) throws(OpenIDError) {
        guard json["issuer"]?.string?.hasSameBytes(as: issuer) == true else {
            throw .unavailable("its discovery document names another issuer")
        }
        authorization = try Self.address("authorization_endpoint", json)
        token = try Self.address("token_endpoint", json)
        keySet = try Self.address("jwks_uri", json)
        let methods = json["token_endpoint_auth_methods_supported"]?.array
        wantsSecretInForm =
            methods.map { $0.contains("client_secret_post") && !$0.contains("client_secret_basic") } ?? false
        namesIssuer = json["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    private static func address(_ name: String, _ json: JSONValue) throws(OpenIDError) -> OutboundURL {
        guard let url = json[name]?.string.flatMap({ OutboundURL($0) }), url.isSafeForSecrets else {
            throw .unavailable("\(name) of its discovery document isn't an address of HTTPS")
        }
        return url
    }
}
