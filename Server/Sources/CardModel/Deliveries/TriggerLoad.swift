extension Trigger {
    /// The triggers that wait for one user: their number and the bytes of their properties.
    ///
    /// Each sync looks at all of it, and reads the properties of what is due.
    public struct TriggerLoad: Sendable, Hashable {
        /// The most triggers of sends and events together before a send adds another.
        ///
        /// Twice what events may let wait: whatever a device does, there is room for what a backend sends.
        public static let limit = 2 * Trigger.waitingLimit
        /// The most bytes of JSON of all their properties.
        public static let sizeLimit = 1 << 20
        /// The bytes from which on an event adds no trigger.
        public static let eventSizeLimit = sizeLimit / 2

        /// The number of triggers.
        public var count: Int
        /// The bytes of their properties.
        public var size: Int

        /// Creates a load; by default of a user who has nothing waiting.
        public init(count: Int = 0, size: Int = 0) {
            (self.count, self.size) = (count, size)
        }

        /// Whether a send may add a trigger with these properties; what is beyond the limit already stays.
        func hasRoom(for properties: [UInt8]?) -> Bool {
            let bytes = properties?.count ?? 0
            guard count < Self.limit else { return false }
            // safe: properties have at most 16 KiB
            return bytes == 0 || size <= Self.sizeLimit - bytes
        }

        /// Whether an event may add a trigger.
        var hasRoomForEvent: Bool { count < Trigger.waitingLimit && size < Self.eventSizeLimit }
    }
}

extension UserState {
    /// The time before a trigger is due from which its properties are read with a user, in seconds.
    ///
    /// What a request reads at one moment, it decides on at another.
    public static let triggerLead = 60.0
}
