import Foundation

/// The settings that the user has chosen.
struct Preferences: Equatable {
    /// Says whether the app is light or dark.
    enum Theme: Int, CaseIterable {
        case system, light, dark

        var title: String { ["System", "Light", "Dark"][rawValue] }
    }

    var theme = Theme.system
    /// The user of the app.
    var user = "anna"
    /// Words whose tiles come first on the home page, separated by commas.
    var homePriority = ""

    /// The words, most important first.
    var priority: [String] {
        homePriority.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

extension Preferences {
    /// Reads what was kept at an earlier launch.
    init(_ defaults: UserDefaults) {
        theme = Theme(rawValue: defaults.integer(forKey: "theme")) ?? .system
        user = defaults.string(forKey: "user") ?? user
        homePriority = defaults.string(forKey: "home_tile_priority") ?? ""
    }

    /// Keeps it for the next launch.
    func save(_ defaults: UserDefaults) {
        defaults.set(theme.rawValue, forKey: "theme")
        defaults.set(user, forKey: "user")
        defaults.set(homePriority, forKey: "home_tile_priority")
    }
}

/// A person to be in the demo; the sample campaigns know these.
struct DemoUser: Equatable {
    let id: String
    let name: String
    /// The note on what is special about their cards.
    let note: String

    static let all = [
        DemoUser(id: "anna", name: "Anna", note: "Gets every kind of card"),
        DemoUser(id: "hugo", name: "Hugo", note: "Gold member, with a price of his own"),
        DemoUser(id: "dora", name: "Dora", note: "In the control group of the coupon"),
    ]
}
