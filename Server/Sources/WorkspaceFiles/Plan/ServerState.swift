/// The state of a server, as far as it was read.
package struct ServerState: Sendable {
    /// The objects.
    package var objects: [ObjectReference: ServerObject]

    /// Creates a state.
    package init(_ objects: [ObjectReference: ServerObject] = [:]) { self.objects = objects }
}
