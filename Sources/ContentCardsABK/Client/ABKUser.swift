import ContentCards
import Foundation

/// Says who uses the app, and tells the server about that user.
///
/// What is set is logged like an event: it survives a crash, is delivered in order, and belongs to the user that the
/// app named last. What a property gives is what the app has set since; the server is not asked.
#if canImport(ObjectiveC)
@objc(ABKUser) @objcMembers
#endif
public final class ABKUser: NSObject, Sendable {
    let appboy: Appboy

    init(_ appboy: Appboy) {
        self.appboy = appboy
    }

    /// The id of the user; `nil` while nobody has signed in.
    public var userID: String? {
        guard let user = appboy.client.userID, !user.hasPrefix("anonymous-") else { return nil }
        return user
    }

    // MARK: Attributes with a meaning of their own

    /// The given name; `nil` removes it.
    public var firstName: String? {
        get { appboy[.firstName] }
        set { appboy[.firstName] = newValue }
    }
    /// The family name; `nil` removes it.
    public var lastName: String? {
        get { appboy[.lastName] }
        set { appboy[.lastName] = newValue }
    }
    /// The e-mail address; `nil` removes it.
    public var email: String? {
        get { appboy[.email] }
        set { appboy[.email] = newValue }
    }
    /// The telephone number; `nil` removes it.
    public var phone: String? {
        get { appboy[.phone] }
        set { appboy[.phone] = newValue }
    }
    /// The day of birth in the device's time zone; `nil` removes it.
    public var dateOfBirth: Date? {
        get { appboy[.dateOfBirth].flatMap(Day.date) }
        set { appboy[.dateOfBirth] = newValue.map(Day.text) }
    }
    /// The country, two letters of ISO 3166-1; `nil` leaves it to the device's locale.
    public var country: String? {
        get { appboy[.country] }
        set { appboy[.country] = newValue }
    }
    /// The city; `nil` removes it.
    public var homeCity: String? {
        get { appboy[.homeCity] }
        set { appboy[.homeCity] = newValue }
    }
    /// The language, ISO 639; `nil` leaves it to the device's locale.
    public var language: String? {
        get { appboy[.language] }
        set { appboy[.language] = newValue }
    }

    /// Sets the gender; an unknown one removes it.
    @discardableResult
    public func setGender(_ gender: ABKUserGenderType) -> Bool {
        appboy[.gender] = gender.letter
        return true
    }

    /// Sets whether the user wants e-mail.
    @discardableResult
    public func setEmailNotificationSubscriptionType(_ type: ABKNotificationSubscriptionType) -> Bool {
        appboy[.emailSubscription] = type.name
        return true
    }

    /// Sets whether the user wants push notifications.
    @discardableResult
    public func setPushNotificationSubscriptionType(_ type: ABKNotificationSubscriptionType) -> Bool {
        appboy[.pushSubscription] = type.name
        return true
    }
}

/// Says which gender a user has.
#if canImport(ObjectiveC)
@objc
#endif
public enum ABKUserGenderType: Int, Sendable {
    /// Male.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderMale)
    #endif
    case male
    /// Female.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderFemale)
    #endif
    case female
    /// Another.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderOther)
    #endif
    case other
    /// Not known.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderUnknown)
    #endif
    case unknown
    /// None that would apply.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderNotApplicable)
    #endif
    case notApplicable
    /// One that the user does not tell.
    #if canImport(ObjectiveC)
    @objc(ABKUserGenderPreferNotToSay)
    #endif
    case preferNotToSay

    fileprivate var letter: String? {
        switch self {
        case .male: "M"
        case .female: "F"
        case .other: "O"
        case .unknown: nil
        case .notApplicable: "N"
        case .preferNotToSay: "P"
        }
    }
}

/// Says what a user wants of a channel.
#if canImport(ObjectiveC)
@objc
#endif
public enum ABKNotificationSubscriptionType: Int, Sendable {
    /// To be written to, as the user has said.
    #if canImport(ObjectiveC)
    @objc(ABKOptedIn)
    #endif
    case optedIn
    /// To be written to, as the user has not said otherwise.
    #if canImport(ObjectiveC)
    @objc(ABKSubscribed)
    #endif
    case subscribed
    /// Not to be written to.
    #if canImport(ObjectiveC)
    @objc(ABKUnsubscribed)
    #endif
    case unsubscribed

    fileprivate var name: String {
        switch self {
        case .optedIn: "opted_in"
        case .subscribed: "subscribed"
        case .unsubscribed: "unsubscribed"
        }
    }
}

/// Writes days as the server reads them: `yyyy-MM-dd`, in the Gregorian calendar.
private enum Day {
    static func text(_ date: Date) -> String {
        let day = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: date)
        return [(day.year, 4), (day.month, 2), (day.day, 2)].map { number, count in
            let digits = String(number ?? 0)
            // safe: four or two, less what a number has
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }.joined(separator: "-")
    }

    static func date(_ text: String) -> Date? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        let day = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        return Calendar(identifier: .gregorian).date(from: day)
    }
}
