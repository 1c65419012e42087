/// The rules for ids of users.
enum UserIDRules {
    static func isValid(_ id: String) -> Bool {
        (1...512).contains(id.utf8.count)
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
