import BuildCommit

/// The version that was built, and its source.
public enum BuildInformation {
    /// The version, as in the changelog.
    public static let version = "1.0.0-beta.1"

    /// The earliest time at which this version can have been made, in seconds since 1970: a clock before it is wrong.
    public static let earliestClock = 1_790_000_000.0

    /// The commit, or `nil` where a build doesn't name it: `PLACARD_COMMIT` does in the environment of the build.
    public static let commit: String? = {
        let text = String(cString: placard_build_commit())
        return text.isEmpty ? nil : text
    }()

    /// The version with the commit, as `placard --version` prints it.
    public static var description: String { commit.map { "\(version) (\($0))" } ?? version }
}
