public import CardStore

extension PostgresCardStore: CardStore {}
