public import WireJSON

/// A range of the random numbers from 0 to 9999.
///
/// A user's number never changes and says nothing of their variants. Another salt deals other numbers.
public struct RandomBucket: Sendable, Hashable {
    /// The numbers that there are.
    public static let numbers = 0...9_999

    /// The numbers that are meant.
    public var range: ClosedRange<Int>
    /// The seed of the assignment; empty by default.
    @Bytewise public var salt: String

    /// Creates a range.
    public init(_ range: ClosedRange<Int>, salt: String = "") {
        self.range = range
        self.salt = salt
    }

    /// The number of a user.
    public static func number(of user: UserID, salt: String = "") -> Int {
        // safe: the high half of a product is below its second factor, 10,000
        Int(StableHash.of("bucket" + salt, user.rawValue).multipliedFullWidth(by: UInt64(numbers.count)).high)
    }
}

extension RandomBucket: AudienceFilter {
    // safe: both are constants
    private static let wireNumbers = Int64(numbers.lowerBound)...Int64(numbers.upperBound)
    private static let shape = FilterShape(
        "random_bucket",
        label: "Random bucket",
        .members([
            FilterField("from", .integer(wireNumbers), label: "From", placeholder: "0"),
            FilterField("to", .integer(wireNumbers), label: "To", placeholder: "9999"),
            FilterField("salt", .text, label: "Reshuffle seed"),
        ])
    )

    static var shapes: [FilterShape] { [shape] }

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        let fields = try JSONFields(json, at: path, known: shape.memberNames)
        let first = try fields.integer("from", in: wireNumbers) ?? wireNumbers.lowerBound
        let last = try fields.integer("to", in: wireNumbers) ?? wireNumbers.upperBound
        guard first <= last else { throw fields.invalid("to", "It has to be from or more.") }
        let salt = try fields.string("salt") ?? ""
        guard salt.utf8.count <= 64 else { throw fields.invalid("salt", "At most 64 bytes are expected.") }
        // safe: asked for above
        return .bucket(RandomBucket(Int(first)...Int(last), salt: salt))
    }

    var condition: String { "random_bucket" }

    var json: JSONValue {
        var members: JSONObject = [
            "from": .integer(Int64(range.lowerBound)), "to": .integer(Int64(range.upperBound)),
        ]
        if !salt.isEmpty { members["salt"] = .string(salt) }
        return ["random_bucket": .object(members)]
    }

    var test: any FilterTest { RandomBucketTest(bucket: self) }

    func summary(_ formatter: AudienceFormatter) -> String {
        formatter.localized("random number \(range.lowerBound) to \(range.upperBound)")
    }
}

private struct RandomBucketTest: FilterTest {
    let bucket: RandomBucket

    var cost: Int { 2 }

    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        bucket.range.contains(RandomBucket.number(of: facts.profile.id, salt: bucket.salt))
    }

    func found(_ facts: UserFacts) -> JSONValue? {
        .integer(Int64(RandomBucket.number(of: facts.profile.id, salt: bucket.salt)))
    }
}
