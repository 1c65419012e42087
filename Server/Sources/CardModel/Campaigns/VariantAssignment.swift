/// Divides users among variants: the same user gets the same variant of a campaign, whoever computes it.
public enum VariantAssignment {
    /// Picks the variant of a user, by weight.
    ///
    /// Returns `nil` where every weight is 0. The campaign's id is the salt, so a user's place in one campaign says
    /// nothing of their place in another.
    public static func variant(of campaign: Campaign, for user: UserID) -> Campaign.Variant? {
        let total = campaign.content.variants.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        // The high half of hash × total is uniform over 0 ..< total, with a bias far below one in a billion.
        var place = Int(StableHash.of(campaign.id.rawValue, user.rawValue).multipliedFullWidth(by: UInt64(total)).high)
        for variant in campaign.content.variants {
            if place < variant.weight { return variant }
            place -= variant.weight
        }
        return nil
    }
}

/// A hash that is the same on every machine and in every version.
public enum StableHash {
    /// Hashes two texts: FNV-1a over both with a zero byte between, then the finaliser of MurmurHash3 (`fmix64`), since
    /// FNV alone leaves the high bits of short texts close together.
    public static func of(_ first: String, _ second: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in first.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        hash = hash &* 0x0100_0000_01B3
        for byte in second.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
