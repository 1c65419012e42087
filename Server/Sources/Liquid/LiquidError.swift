/// Describes why a template does not compile or does not render.
///
/// `line` and `column` are 1-based and count the template named by `template`; the column counts Unicode scalars.
/// Both are 0 when an error has no place in a template, such as a missing provider.
public struct LiquidError: Error, Sendable, Equatable {
    /// Names a kind of error with a stable string.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name, in snake case.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of error.
    public var code: Code
    /// A sentence that tells the author of the template what to fix.
    ///
    /// It never contains data of a user.
    public var message: String
    /// The 1-based line, or 0.
    public var line: Int
    /// The 1-based column, or 0.
    public var column: Int
    /// The name of the partial or content block that the position is in; `nil` for the outer template.
    public var template: String?

    /// Creates an error; without a position, the engine adds that of the tag which is being rendered.
    public init(_ code: Code, _ message: String, line: Int = 0, column: Int = 0, template: String? = nil) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.template = template
    }
}

extension LiquidError.Code {
    /// The text of a tag, output or expression is not Liquid.
    public static let syntax = Self(rawValue: "syntax")
    /// A tag has no meaning where it stands.
    public static let unknownTag = Self(rawValue: "unknown_tag")
    /// A filter is not registered.
    public static let unknownFilter = Self(rawValue: "unknown_filter")
    /// A block tag lacks its end tag.
    public static let unclosedBlock = Self(rawValue: "unclosed_block")
    /// A filter is given too few or too many arguments.
    public static let argumentCount = Self(rawValue: "argument_count")
    /// A filter or tag cannot work with the value it is given.
    public static let argument = Self(rawValue: "argument")
    /// A number is divided by zero.
    public static let zeroDivision = Self(rawValue: "zero_division")
    /// Two values of different types cannot be ordered.
    public static let incomparable = Self(rawValue: "incomparable")
    /// No partial has the name.
    public static let missingTemplate = Self(rawValue: "missing_template")
    /// No content block has the name.
    public static let missingContentBlock = Self(rawValue: "missing_content_block")
    /// A partial or content block contains itself, directly or through others.
    public static let cyclicTemplate = Self(rawValue: "cyclic_template")
    /// `include` stands inside a template that `render` isolates.
    public static let includeNotAllowed = Self(rawValue: "include_not_allowed")
    /// Connected content is asked for where no provider fetches it, or the provider refuses.
    public static let connectedContent = Self(rawValue: "connected_content")
    /// Rendering takes longer than the limits allow.
    public static let timeLimit = Self(rawValue: "time_limit")
    /// Rendering takes more work than the limits allow.
    public static let workLimit = Self(rawValue: "work_limit")
    /// The output is longer than the limits allow.
    public static let outputLimit = Self(rawValue: "output_limit")
    /// The loops take more turns than the limits allow.
    public static let loopLimit = Self(rawValue: "loop_limit")
    /// Blocks, partials or brackets nest deeper than the limits allow.
    public static let nestingLimit = Self(rawValue: "nesting_limit")
    /// Values made while rendering take more memory than the limits allow.
    public static let memoryLimit = Self(rawValue: "memory_limit")
    /// The template itself is longer than the limits allow.
    public static let templateLimit = Self(rawValue: "template_limit")
    /// A line of JSON cannot be read.
    public static let invalidJSON = Self(rawValue: "invalid_json")
    /// The template asked not to be sent; it leaves the engine as an outcome, not as an error.
    static let aborted = Self(rawValue: "aborted")
}
