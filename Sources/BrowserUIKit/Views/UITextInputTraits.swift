// What a keyboard is told of what is typed.

/// Says what a keyboard turns into capitals by itself.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// Nothing.
    case none = 0
    /// The first letters of words.
    case words = 1
    /// The first letters of sentences.
    case sentences = 2
    /// Every letter.
    case allCharacters = 3
}

/// Says whether a keyboard corrects words.
public enum UITextAutocorrectionType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Says whether spelling is checked.
public enum UITextSpellCheckingType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Says whether quotation marks become typographic ones; browsers leave them.
public enum UITextSmartQuotesType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Says whether two hyphens become a dash; browsers leave them.
public enum UITextSmartDashesType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Says whether spaces follow what is inserted and deleted; browsers leave them.
public enum UITextSmartInsertDeleteType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Says which keys a keyboard has.
public enum UIKeyboardType: Int, Sendable {
    /// Those of the language.
    case `default` = 0
    /// Those of ASCII.
    case asciiCapable = 1
    /// Numbers and punctuation.
    case numbersAndPunctuation = 2
    /// Those of web addresses.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case URL = 3
    /// The ten digits.
    case numberPad = 4
    /// Those of a telephone.
    case phonePad = 5
    /// Those of names and telephone numbers.
    case namePhonePad = 6
    /// Those of mail addresses.
    case emailAddress = 7
    /// The ten digits and the decimal separator.
    case decimalPad = 8
    /// Those of short messages, with @ and #.
    case twitter = 9
    /// Those of a search on the web.
    case webSearch = 10
    /// The ten digits of ASCII.
    case asciiCapableNumberPad = 11

    /// Those of ASCII.
    public static var alphabet: UIKeyboardType { .asciiCapable }

    /// The name in HTML.
    var inputMode: String {
        switch self {
        case .URL: "url"
        case .numberPad, .asciiCapableNumberPad: "numeric"
        case .phonePad: "tel"
        case .emailAddress: "email"
        case .decimalPad: "decimal"
        case .webSearch: "search"
        default: "text"
        }
    }
}

/// Says how a keyboard looks; a keyboard of a browser looks as the device has it.
public enum UIKeyboardAppearance: Int, Sendable {
    /// As the appearance is.
    case `default` = 0
    /// Dark.
    case dark = 1
    /// Light.
    case light = 2
}

/// Names what the key at the end of a keyboard says.
public enum UIReturnKeyType: Int, Sendable {
    /// Return.
    case `default` = 0
    /// Go.
    case go = 1
    /// Google.
    case google = 2
    /// Join.
    case join = 3
    /// Next.
    case next = 4
    /// Route.
    case route = 5
    /// Search.
    case search = 6
    /// Send.
    case send = 7
    /// Yahoo.
    case yahoo = 8
    /// Done.
    case done = 9
    /// Emergency call.
    case emergencyCall = 10
    /// Continue.
    case `continue` = 11

    /// The name in HTML.
    var enterKeyHint: String {
        switch self {
        case .done: "done"
        case .next, .continue: "next"
        case .search, .google, .yahoo: "search"
        case .send: "send"
        default: "go"
        }
    }
}

/// Says what a text is about, so that it can be filled in.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a type from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A name.
    public static let name = Self(rawValue: "name")
    /// The title before a name.
    public static let namePrefix = Self(rawValue: "honorific-prefix")
    /// A given name.
    public static let givenName = Self(rawValue: "given-name")
    /// A middle name.
    public static let middleName = Self(rawValue: "additional-name")
    /// A family name.
    public static let familyName = Self(rawValue: "family-name")
    /// The title after a name.
    public static let nameSuffix = Self(rawValue: "honorific-suffix")
    /// A nickname.
    public static let nickname = Self(rawValue: "nickname")
    /// A job title.
    public static let jobTitle = Self(rawValue: "organization-title")
    /// The name of an organization.
    public static let organizationName = Self(rawValue: "organization")
    /// A place.
    public static let location = Self(rawValue: "location")
    /// A street address.
    public static let fullStreetAddress = Self(rawValue: "street-address")
    /// The first line of a street address.
    public static let streetAddressLine1 = Self(rawValue: "address-line1")
    /// The second line of a street address.
    public static let streetAddressLine2 = Self(rawValue: "address-line2")
    /// A city.
    public static let addressCity = Self(rawValue: "address-level2")
    /// A state.
    public static let addressState = Self(rawValue: "address-level1")
    /// A city and its state.
    public static let addressCityAndState = Self(rawValue: "address-level1+2")
    /// A part of a city.
    public static let sublocality = Self(rawValue: "address-level3")
    /// A country.
    public static let countryName = Self(rawValue: "country-name")
    /// A postal code.
    public static let postalCode = Self(rawValue: "postal-code")
    /// A telephone number.
    public static let telephoneNumber = Self(rawValue: "tel")
    /// A mail address.
    public static let emailAddress = Self(rawValue: "email")
    /// A web address.
    // swift-format-ignore: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation
    public static let URL = Self(rawValue: "url")
    /// The number of a credit card.
    public static let creditCardNumber = Self(rawValue: "cc-number")
    /// A user name.
    public static let username = Self(rawValue: "username")
    /// A password.
    public static let password = Self(rawValue: "password")
    /// A new password.
    public static let newPassword = Self(rawValue: "new-password")
    /// A code that is used once.
    public static let oneTimeCode = Self(rawValue: "one-time-code")

    /// The name in HTML, which has no word for places of more than one level.
    var autocomplete: String { self == .location || self == .addressCityAndState ? "on" : rawValue }
}

/// A view that is typed into, and says what kind of keyboard that needs.
@preconcurrency @MainActor
public protocol UITextInputTraits: NSObjectProtocol {
    /// The letters that the keyboard turns into capitals.
    var autocapitalizationType: UITextAutocapitalizationType { get set }
    /// Whether the keyboard corrects words.
    var autocorrectionType: UITextAutocorrectionType { get set }
    /// Whether spelling is checked.
    var spellCheckingType: UITextSpellCheckingType { get set }
    /// Whether quotation marks become typographic ones.
    var smartQuotesType: UITextSmartQuotesType { get set }
    /// Whether two hyphens become a dash.
    var smartDashesType: UITextSmartDashesType { get set }
    /// Whether spaces follow what is inserted and deleted.
    var smartInsertDeleteType: UITextSmartInsertDeleteType { get set }
    /// The kind of keyboard.
    var keyboardType: UIKeyboardType { get set }
    /// The look of the keyboard.
    var keyboardAppearance: UIKeyboardAppearance { get set }
    /// The label of the key at the end.
    var returnKeyType: UIReturnKeyType { get set }
    /// Whether the key at the end can only be used when there is text.
    var enablesReturnKeyAutomatically: Bool { get set }
    /// Whether what is typed is hidden.
    var isSecureTextEntry: Bool { get set }
    /// The kind of text.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var textContentType: UITextContentType! { get set }
}

extension UITextInputTraits {
    /// Draws what the page needs to know, as attributes of the element.
    func draw(on node: inout Node) {
        let isChecked = autocorrectionType != .no && spellCheckingType != .no && !isSecureTextEntry
        node.attributes.merge([
            "autocapitalize": ["off", "words", "sentences", "characters"][autocapitalizationType.rawValue],
            "spellcheck": isChecked ? "true" : "false", "enterkeyhint": returnKeyType.enterKeyHint,
            "autocomplete": textContentType?.autocomplete ?? "off",
        ]) { $1 }
        if keyboardType.inputMode != "text" { node.attributes["inputmode"] = keyboardType.inputMode }
    }
}
