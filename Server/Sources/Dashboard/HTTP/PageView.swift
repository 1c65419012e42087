import CardModel
import CardStore
import Foundation
import Hummingbird
import WireJSON

/// The frame that every page has around its own view.
struct PageView {
    struct SectionLink {
        let name: String
        let address: String
        let icon: String
        let isCurrent: Bool
    }

    struct NavigationLinks {
        let name: String
        let links: [SectionLink]
    }

    struct SignedInMember {
        let email: String
        let name: String
        let initials: String
        let role: String
    }

    struct ThemeChoice {
        let value: String
        let name: String
        let label: String
        let sign: String
        let isChosen: Bool
    }

    /// The notice of a change.
    struct ChangeView {
        let done: String
        let problems: [String]
        /// The token that takes it back; `nil` where nothing can be.
        let token: String?
    }

    struct Assets {
        let style: String
        let script: String
        let editorStyle: String
        let editorScript: String
        let liquidScript: String
        let importStyle: String
        let importScript: String
        let calendarStyle: String
        let mediaStyle: String
        let mediaScript: String
        let paletteStyle: String
        let paletteScript: String
        let icon: String
    }

    /// The most characters of a title: tabs and histories of browsers show fewer.
    private static let longestTitle = 120

    /// The title of the window; the page has the whole of it in its heading.
    let title: String
    let groups: [NavigationLinks]
    let person: SignedInMember
    let assets: Assets
    let theme: String
    /// The choices of a theme.
    let themes: [ThemeChoice]
    /// Whether pages are dark, whatever the system is; previews begin with it.
    let isDark: Bool
    let language: String
    let scriptTexts: String?
    let csrf: String
    let canEdit: Bool
    let isAdmin: Bool
    let notice: String?
    /// The change that was made a moment ago, in place of the notice.
    let change: ChangeView?
    /// The changes of the account since the member signed in before; shown in the first hour of a session.
    let accountNotice: String?
    let address: String
    let timeZone: String
    /// The maximum size of a form that the server reads, in bytes; a script checks it before it sends them.
    let bytesLimit = String(FormBounds.bytes)
    let view: Any

    init(title: String, section: Section?, context: PageContext, view: Any) {
        self.title = PageFormatter.shortened(title, to: Self.longestTitle)
        self.view = view
        let open = Section.all.filter { Dashboard.sectionRoles[$0].map(context.may) ?? false }
        groups = Section.NavigationGroup.allCases.map { group in
            let links = open.filter { $0.group == group }.map {
                SectionLink(name: $0.name, address: $0.address, icon: $0.path, isCurrent: $0 == section)
            }
            return NavigationLinks(name: group.name, links: links)
        }
        let member = context.member
        let name = member.name.isEmpty ? member.email : member.name
        person = SignedInMember(
            email: member.email,
            name: name,
            initials: name.split(atAnyOf: " .@").prefix(2)
                .compactMap { $0.first.map { String($0).uppercased() } }.joined(),
            role: member.role.displayName
        )
        assets = Assets(context.site.files)
        let theme = Theme(context.request)
        (self.theme, isDark) = (theme.rawValue, theme == .dark)
        themes = ThemeChoice.all(theme)
        language = TextCatalog.current.tag
        scriptTexts = TextCatalog.current.scriptTexts
        csrf = context.formToken()
        canEdit = context.may(.editor)
        isAdmin = context.may(.admin)
        let said = context.query[.done].flatMap(Notice.text)
        change = ChangeView(said, context)
        // A notice that is over isn't said again by halves.
        notice = change == nil && context.query[.undo] == nil ? said : nil
        let isNew = context.now - context.session.createdAt < 3_600
        accountNotice = isNew ? context.session.accountChange.map(Notice.ofAccount) : nil
        address = context.addressWithoutNotice
        timeZone = context.timeZone
    }
}

extension PageView.ChangeView {
    /// Creates what a page says of a change; `nil` where the address brings no notice, or one that is over.
    fileprivate init?(_ said: String?, _ context: PageContext) {
        guard let notice = context.shownChange ?? context.changeNotice(in: context.query) else { return nil }
        done = notice.done.isEmpty ? PageFormatter.shown(said) : notice.done
        problems = notice.problems
        // One that was loaded again is valid as long as it was.
        let text = context.shownChange == nil ? context.query[.undo] : nil
        token = notice.undo.isEmpty ? nil : text ?? notice.text(key: context.session.formKey, at: context.now)
    }
}

extension PageView.ThemeChoice {
    fileprivate static func all(_ chosen: Theme) -> [Self] {
        func choice(_ theme: Theme, _ name: String, _ label: String, _ sign: String) -> Self {
            Self(value: theme.rawValue, name: name, label: label, sign: sign, isChosen: theme == chosen)
        }
        return [
            choice(.light, localized("Light"), localized("Light appearance"), "☀"),
            choice(.dark, localized("Dark"), localized("Dark appearance"), "☾"),
            choice(.auto, localized("System"), localized("System appearance"), localized("Auto")),
        ]
    }
}

extension PageView.Assets {
    init(_ files: AssetFiles) {
        style = files.address(of: "dashboard.css")
        script = files.address(of: "dashboard.js")
        editorStyle = files.address(of: "editor.css")
        editorScript = files.address(of: "editor.js")
        liquidScript = files.address(of: "liquid.js")
        importStyle = files.address(of: "imports.css")
        importScript = files.address(of: "imports.js")
        calendarStyle = files.address(of: "calendar.css")
        mediaStyle = files.address(of: "media.css")
        mediaScript = files.address(of: "media.js")
        paletteStyle = files.address(of: "palette.css")
        paletteScript = files.address(of: "palette.js")
        icon = files.address(of: "icon.svg")
    }
}

extension Role {
    /// The display name of the section.
    var displayName: String {
        switch self {
        case .viewer: localized("viewer")
        case .editor: localized("editor")
        case .admin: localized("admin")
        }
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

/// The notices that pages show after an action; the address only names one, so it can't be made to say anything else.
enum Notice {
    /// Tells of a change of an account since the last sign-in, by its name in the audit log.
    static func ofAccount(_ action: String) -> String {
        let what = accountChange(action)
        return localized("Since you last signed in, \(what). If you don’t know why, contact your administrator.")
    }

    /// Says what was changed of an account, by its name in the audit log.
    static func accountChange(_ action: String) -> String {
        switch action {
        case "member.password": localized("your password was changed")
        case "member.password-reset": localized("your password was reset")
        case "member.factor-on": localized("two-factor authentication was turned on")
        case "member.factor-off": localized("two-factor authentication was turned off")
        case let role where role.hasPrefix("member.role-"): localized("your role was changed")
        default: localized("your account was changed")
        }
    }

    static func text(of action: String) -> String? { texts[action].map(localized) }

    private static let texts: [String: Phrase] = [
        "created": "Draft created.", "saved": "Changes saved.", "launched": "Campaign launched.",
        "resumed": "Campaign resumed.",
        "paused": "Campaign paused. Users who have the card keep it.",
        "stopped": "Campaign stopped. Users who have the card keep it.",
        "withdrawn": "Campaign stopped. The card is removed from all feeds.", "archived": "Archived.",
        "restored": "Restored.",
        "duplicated": "Campaign duplicated. You’re editing the copy.",
        "segment-duplicated": "Segment duplicated. You’re editing the copy.", "role-updated": "Role updated.",
        "removed": "Member removed.", "added": "Member invited.",
        "key-saved": "Key saved. Requests and open streams use the new settings now.", "revoked": "Key revoked.",
        "password": "Password changed.", "session-ended": "Session signed out.",
        "sessions-ended": "All other sessions signed out.",
        "member-signed-out": "The member was signed out of all browsers.",
        "types-accept": "Content type accepted. Launches are now checked against it.",
        "types-dismiss": "Proposal dismissed.",
        "types-delete": "Content type deleted. Launches are no longer checked against it.",
        "factor-on": "Two-factor authentication is on.", "factor-off": "Two-factor authentication is off.",
        "factor-reset": "Two-factor authentication reset. The member was signed out.",
        "approval-requested": "Approval requested.", "approval-approved": "Request approved.",
        "approval-rejected": "Request rejected.", "approval-withdrawn": "Request withdrawn.",
        "approval-commented": "Comment added.",
        "import-canceled": "Import canceled.",
        "filter-saved": "Filter saved.", "filter-deleted": "Filter deleted.",
        "undo-late": "This change can’t be undone any more.",
        "block-saved": "Content block saved. Cards that include it change with the next sync.",
        "block-deleted": "Content block deleted.",
        "alt": "Alt text saved.", "picture-deleted": "Picture deleted.",
        "deleted": "User deleted.", "language": "Language saved.", "sent": "Already submitted. Nothing was changed.",
    ]
}
