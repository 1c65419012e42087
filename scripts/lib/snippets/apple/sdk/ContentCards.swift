import Foundation

public struct ContentCard: Sendable {
    public enum Kind: Sendable { case banner, captionedImage, classic, control, unknown }
    public var withoutFlagsX: Int { 0 }
}
public final class ContentCardsClient: Sendable {
    public enum StandardAttribute: String, Sendable { case firstName }
    public struct Configuration { public init() {} }
}
public final class Locked<State>: @unchecked Sendable { public init(_ s: sending State) { fatalError() } }
public struct BytewiseText: Hashable, Sendable {}
public struct CardFeed: Sendable {}
public enum SyncReason: Sendable { case manual }
public struct ContentCardsError: Error {}
public enum JSONValue: Sendable {}
public protocol ContentCardsClock: Sendable {}
public struct SystemClock: ContentCardsClock { public init() {} }
public enum Diagnostic: Sendable {}
public enum BackgroundRefresh: Sendable { case newCards, noChange, failed }
