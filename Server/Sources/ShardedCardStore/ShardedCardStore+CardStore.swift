public import CardStore

extension ShardedCardStore: CardStore {}
