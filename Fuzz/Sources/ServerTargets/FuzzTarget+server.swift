#if canImport(FuzzTargets)
import FuzzTargets
#endif

extension FuzzTarget {
    /// The targets that need the modules of the server with all that they depend on.
    public static let server: [FuzzTarget] = [
        sync, headers, query, backendTime, track, management, token, signIn, outbound, form, editor, qr, recentTimes,
        rows, upload, mail, openID,
    ]
}
