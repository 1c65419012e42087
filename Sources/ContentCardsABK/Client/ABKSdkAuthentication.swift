import Foundation

/// Hears that the server refused the signature of a user.
#if canImport(ObjectiveC)
@objc
#endif
@preconcurrency @MainActor
public protocol ABKSdkAuthenticationDelegate: AnyObject {
    /// Is called for each refusal, on the main thread: give a new signature with
    /// ``Appboy/setSdkAuthenticationSignature(_:)``.
    #if canImport(ObjectiveC)
    @objc(handleSdkAuthenticationError:)
    #endif
    func handle(_ authError: ABKSdkAuthenticationError)
}

/// Says which signature was refused.
#if canImport(ObjectiveC)
@objc(ABKSdkAuthenticationError) @objcMembers
#endif
open class ABKSdkAuthenticationError: NSObject, @unchecked Sendable {
    // All of it is constant.

    /// A number for the reason; 0, since the server says the reason in words.
    public let code: Int
    /// The reason.
    public let reason: String?
    /// The user; `nil` for one who has not signed in.
    public let userId: String?
    /// The signature that was refused; empty where there was none.
    public let signature: String

    /// Creates an error.
    public init(code: Int, reason: String, userId: String, signature: String) {
        (self.code, self.reason, self.userId, self.signature) = (code, reason, userId, signature)
    }

    init(code: Int, reason: String?, user: String?, signature: String) {
        (self.code, self.reason, userId, self.signature) = (code, reason, user, signature)
    }
}
