/// A part of the dashboard, as the navigation shows it; declared beside its page, whose descriptor has it.
struct Section: Sendable {
    /// The groups of the navigation, in their order.
    enum NavigationGroup: CaseIterable {
        case cards
        case people
        case workspace

        var name: String {
            switch self {
            case .cards: localized("Cards")
            case .people: localized("People")
            case .workspace: localized("Workspace")
            }
        }
    }

    /// Every part, in the order of the navigation.
    static let all: [Section] = PageDescriptor.all.compactMap(\.section)

    /// The last part of its page's address; of the first page, whose address ends before it, what styles call it.
    let path: String
    /// The group that it belongs to, or `nil` for what the navigation doesn't show.
    let group: NavigationGroup?
    private let icon: String
    private let title: @Sendable () -> String

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - path: The last part of its page's address.
    ///   - group: The group that it belongs to, or `nil` for what the navigation doesn't show.
    ///   - icon: The elements of its icon, an SVG image of 16 by 16 units that is drawn by outlines.
    ///   - title: Returns its name in the language of the request.
    init(_ path: String, in group: NavigationGroup? = nil, icon: String = "", title: @escaping @Sendable () -> String) {
        self.path = path
        self.group = group
        self.icon = icon
        self.title = title
    }

    /// The name in the language of the request that is being answered.
    var name: String { title() }

    /// The address of its page.
    var address: String { path == "overview" ? "/dashboard" : "/dashboard/\(path)" }

    /// The rule that gives its link in the navigation the icon, or `nil` for what the navigation doesn't show.
    var iconStyle: String? {
        guard group != nil else { return nil }
        let image =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='#000' stroke-width='1.5'>"
            + icon + "</svg>"
        // characters: an image of ours
        let address = image.replacing("<", with: "%3C").replacing(">", with: "%3E").replacing("#", with: "%23")
        return ".nav-\(path) {\n    --icon: url(\"data:image/svg+xml,\(address)\");\n}\n"
    }
}

extension Section: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.path == right.path }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
