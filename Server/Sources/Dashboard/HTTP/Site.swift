import CardModel
import CardServer
import CardStore
import Hummingbird
import Logging

/// The services and settings that all pages share.
struct Site: Sendable {
    let server: ServerInside
    let files: AssetFiles
    let templates: Templates
    /// The languages that members can choose.
    let catalogs: [TextCatalog]
    /// Lets the first account be made by whoever has it; only the server's log says it.
    let setupCode: String
    let passwords: PasswordQueue
    let spentNonces = SpentNonces()
    let refusals = RefusalBudget()
    let personalData = PersonalData()
    /// Lists of campaigns that are being sorted: each may read as many as a window has.
    let sortings = WorkLimit(2)

    init(
        server: ServerInside,
        files: AssetFiles,
        templates: Templates,
        catalogs: [TextCatalog] = TextCatalog.all,
        setupCode: String,
        passwordCost: PasswordCost = .standard
    ) {
        self.catalogs = catalogs
        self.server = server
        self.files = files
        self.templates = templates
        self.setupCode = setupCode
        passwords = PasswordQueue(cost: passwordCost, clock: server.clock)
    }

    var store: any CardStore { server.store }
    var now: UnixTime { server.clock() }
    /// Whether members may sign in with a password.
    var allowsPasswords: Bool { server.provider?.settings.allowsPasswords ?? true }

    /// Returns whether a member has to set up a second factor before anything else.
    func requiresFactor(of member: TeamMember) -> Bool {
        guard member.codeSecret == nil, server.settings().requiresTwoFactor else { return false }
        return member.identity == nil || server.provider?.settings.trustsSecondFactor != true
    }

    /// Returns whether a member can open nothing but the account: to choose a password, or to set up a second factor.
    func requiresSetup(of member: TeamMember) -> Bool { member.passwordExpiresAt != nil || requiresFactor(of: member) }
}
