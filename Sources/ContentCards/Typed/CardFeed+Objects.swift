extension CardFeed {
    /// Returns the cards of a type's class type, decoded from their extras, in the order of the feed.
    ///
    /// A card that does not decode is left out, named in the diagnostics, and reported to the server once for each
    /// version of its extras, so that the marketer learns of it. A control card that does not decode is left out
    /// silently: find it with ``cards(of:)`` to log its impression.
    public func objects<Content: CardContent>(_ type: Content.Type) -> [Content] {
        typedCards(type).map(\.content)
    }

    /// Returns the cards of a type's class type with their decoded extras, in the order of the feed.
    public func typedCards<Content: CardContent>(_ type: Content.Type) -> [TypedCard<Content>] {
        cards(of: Content.classType).compactMap { card in
            content(type, of: card).map { TypedCard(card: card, content: $0) }
        }
    }

    /// Returns the decoded extras of a card, whatever its class type; what does not decode is reported.
    package func content<Content: CardContent>(_ type: Content.Type, of card: ContentCard) -> Content? {
        do throws(ContentError) {
            return try ExtrasDecoder.decode(type, from: card)
        } catch {
            report(card, field: error.field, message: error.message)
            return nil
        }
    }

    /// Returns the objects that a type makes of the cards of its class types, in the order of the feed.
    ///
    /// A card of a declared class type that the type makes nothing of is reported, as with `Decodable` types.
    @_disfavoredOverload
    public func objects<Object: ContentCardable>(_ type: Object.Type) -> [Object] {
        objects(type, for: Object.contentCardClassTypes)
    }

    /// Returns the objects that a type makes of the cards of given class types; an empty list stands for any.
    public func objects<Object: ContentCardable>(
        _ type: Object.Type,
        for classTypes: [ContentCardClassType]
    ) -> [Object] {
        cards.compactMap { card in
            let classType = card.classType
            guard classTypes.isEmpty ? classType != .none : classTypes.contains(classType) else { return nil }
            let object = convert(card, to: type)
            if object == nil, !classTypes.isEmpty {
                report(card, field: nil, message: "\(Object.self) made nothing of its meta data")
            }
            return object
        }
    }

    private func convert<Object: ContentCardable>(_ card: ContentCard, to type: Object.Type) -> Object? {
        Conversion.$current.withValue(Conversion(isControl: card.isControl, sink: sink)) {
            Object(metaData: card.metaData, classType: card.classType)
        }
    }

    private func report(_ card: ContentCard, field: String?, message: String) {
        guard !card.isControl else { return }
        sink?.receiver?.reportContentError(card, field: field, message: message)
    }
}
