/// Closes the connection after a stream of events that the server has ended.
///
/// Without it the connection would stay open for further requests, and a client that only reads would wait for ever.
package struct StreamEndError: Error {
    /// Creates the error; a response's body throws it after its last byte.
    package init() {}
}
