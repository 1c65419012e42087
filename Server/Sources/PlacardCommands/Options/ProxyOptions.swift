import ArgumentParser
import CardModel
import CardServer
import CommandSettings
import WireJSON

/// The options for proxies that say where requests come from.
struct ProxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Addresses of the proxies before this server, comma-separated: 127.0.0.1, 10.0.0.0/8, and unix for whoever \
            connects by --socket. Their Forwarded or X-Forwarded-For and X-Forwarded-Proto headers are \
            believed (default: \
            none).
            """,
            valueName: "addresses"
        )
    )
    var trustedProxies: String?

    @Option(
        help: ArgumentHelp(
            "The header that the trusted proxies write: auto, forwarded or x-forwarded-for (default: auto).",
            valueName: "header"
        )
    )
    var forwardedHeader: String?

    /// The proxies that flags, the environment and the file name.
    func proxies(_ values: SettingValues) throws -> TrustedProxies {
        var header = TrustedProxies.Header.automatic
        if let value = try values.value(of: .forwardedHeader, flag: forwardedHeader) {
            guard let named = TrustedProxies.Header(rawValue: value.text.lowercased()) else {
                throw ConfigurationError("\(value.origin): auto, forwarded or x-forwarded-for is expected.")
            }
            header = named
        }
        guard let value = try values.value(of: .trustedProxies, flag: trustedProxies) else { return .none }
        let names = value.text.split(atAnyOf: ", \t\r\n")
        let addresses = names.filter { !$0.elementsEqual("unix") }
        do {
            return TrustedProxies(
                ranges: try AddressRange.list(addresses.joined(separator: ",")),
                includesSocket: addresses.count < names.count,
                header: header
            )
        } catch {
            throw ConfigurationError("\(value.origin): \(error.message)")
        }
    }
}
