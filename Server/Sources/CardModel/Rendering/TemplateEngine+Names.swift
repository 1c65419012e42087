import Liquid
public import WireJSON

extension TemplateEngine {
    /// The tags that templates may use.
    public var tagNames: [String] {
        LiquidEnvironment.messagingTagNames.filter { $0 != "connected_content" || connectedContent != nil }
    }

    /// The filters that templates may use, by name.
    public var filterNames: [String] { environment.filters.names }

    /// The trigger properties that a campaign's templates read.
    public func triggerProperties(of content: Campaign.Content) -> Set<ByteString> {
        let texts = content.variants.compactMap(\.card).flatMap(\.writtenTexts).map(\.text)
        let variables = texts.filter(Self.isTemplate).flatMap { environment.check($0).usage.variables }
        return Set(
            variables.compactMap { name in
                let parts = name.split(at: ".", maxSplits: 1)
                return parts.first == "api_trigger_properties" && parts.count == 2 ? ByteString(parts[1]) : nil
            }
        )
    }
}
