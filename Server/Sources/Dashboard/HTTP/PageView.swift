import CardStore
import Foundation
import Hummingbird

/// The parts of the dashboard, as the navigation shows them.
enum Section: String, CaseIterable {
    case overview
    case campaigns
    case users
    case segments
    case contentTypes = "content-types"
    case events
    case keys
    case team
    case audit
    case settings
    case account

    var name: String {
        switch self {
        case .overview: "Overview"
        case .campaigns: "Campaigns"
        case .users: "Users"
        case .segments: "Segments"
        case .contentTypes: "Content types"
        case .events: "Event log"
        case .keys: "Keys"
        case .team: "Team"
        case .audit: "Audit log"
        case .settings: "Settings"
        case .account: "Your account"
        }
    }

    var address: String { self == .overview ? "/dashboard" : "/dashboard/\(rawValue)" }
}

/// What every page shows around its own view.
struct PageView {
    struct Link {
        let name: String
        let address: String
        let icon: String
        let isCurrent: Bool
    }

    struct Group {
        let name: String
        let links: [Link]
    }

    struct Person {
        let email: String
        let name: String
        let initials: String
        let role: String
    }

    struct Assets {
        let style: String
        let script: String
        let editorStyle: String
        let editorScript: String
        let liquidScript: String
        let icon: String
    }

    let title: String
    let groups: [Group]
    let person: Person
    let assets: Assets
    let theme: String
    let csrf: String
    let canEdit: Bool
    let isAdmin: Bool
    let notice: String?
    let address: String
    let timeZone: String
    let view: Any

    init(title: String, section: Section, visit: Visit, view: Any) {
        self.title = title
        self.view = view
        func links(_ sections: [Section]) -> [Link] {
            sections.map { Link(name: $0.name, address: $0.address, icon: $0.rawValue, isCurrent: $0 == section) }
        }
        groups = [
            Group(name: "Cards", links: links([.overview, .campaigns, .segments, .contentTypes])),
            Group(name: "People", links: links([.users, .events])),
            Group(name: "Workspace", links: links([.team, .keys, .audit, .settings])),
        ]
        let member = visit.member
        let name = member.name.isEmpty ? member.email : member.name
        person = Person(
            email: member.email,
            name: name,
            initials: name.split(whereSeparator: { $0 == " " || $0 == "." || $0 == "@" }).prefix(2)
                .compactMap { $0.first.map { String($0).uppercased() } }.joined(),
            role: member.role.rawValue
        )
        assets = Assets(visit.site.files)
        theme = Theme(visit.request).rawValue
        csrf = visit.formToken()
        canEdit = visit.may(.editor)
        isAdmin = visit.may(.admin)
        notice = visit.query["done"].flatMap { Notice.texts[$0] }
        address = visit.request.uri.description
        timeZone = visit.timeZone
    }
}

extension PageView.Assets {
    init(_ files: AssetFiles) {
        style = files.file("dashboard.css")?.address ?? ""
        script = files.file("dashboard.js")?.address ?? ""
        editorStyle = files.file("editor.css")?.address ?? ""
        editorScript = files.file("editor.js")?.address ?? ""
        liquidScript = files.file("liquid.js")?.address ?? ""
        icon = files.file("icon.svg")?.address ?? ""
    }
}

/// Whether pages are light or dark, which a cookie keeps.
enum Theme: String {
    case auto
    case light
    case dark

    static let cookie = "placard_theme"

    init(_ request: Request) {
        self = request.cookies[Self.cookie].flatMap { Theme(rawValue: $0.value) } ?? .auto
    }
}

/// What a page says after something was done; the address only names it, so it cannot be made to say anything else.
enum Notice {
    static let texts = [
        "created": "The draft was made.", "saved": "Saved.", "launched": "Launched. Devices are told now.",
        "paused": "Paused. Nobody new gets the card; those who have it keep it.",
        "stopped": "Stopped. Those who have the card keep it.",
        "withdrawn": "Stopped, and the card was taken back from everybody.", "archived": "Archived.",
        "restored": "Restored.",
        "duplicated": "This is the copy, a draft.", "removed": "Removed.", "added": "Added.",
        "revoked": "The key was revoked. Whoever uses it is refused from now on.",
        "password": "The password was changed.", "session-ended": "That browser was signed out.",
        "sessions-ended": "All other browsers were signed out.",
        "types-accept": "Accepted. Launches are checked by it from now on.",
        "types-dismiss": "Dismissed. The app can still propose something else.",
        "factor-on": "Two-factor sign-in is on.", "factor-off": "Two-factor sign-in is off.",
        "factor-reset": "Two-factor sign-in is off for that member, who was signed out.",
        "deleted": "The user was deleted.", "sent": "That form had been sent already; nothing was done twice.",
    ]
}
