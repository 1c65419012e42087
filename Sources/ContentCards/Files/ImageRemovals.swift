import Foundation

/// Counts how often the images in a directory were deleted, so that what was loaded before isn't kept after it.
///
/// What deletes a user's data knows the directory alone; those who keep images of it, in memory or on its disk, ask
/// this.
package final class ImageRemovals: Sendable {
    /// Observes removals for as long as it lives.
    package final class Observation: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }

    private struct Observers {
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private static let known = Locked<[String: ImageRemovals]>([:])

    private let directory: URL?
    private let removals = Locked(0)
    private let observers = Locked(Observers())
    /// Held while files are written or deleted.
    private let files = Locked(())

    /// Creates a count for images in a directory of its own, or in memory alone.
    package init(directory: URL? = nil) {
        self.directory = directory
    }

    /// Returns the count of a directory, which all who use it share.
    package static func of(_ directory: URL) -> ImageRemovals {
        known.withLock { known in
            let path = directory.standardizedFileURL.path
            if let removals = known[path] { return removals }
            let removals = ImageRemovals(directory: directory)
            known[path] = removals
            return removals
        }
    }

    /// The number of times that the images were deleted.
    package var count: Int { removals.withLock { $0 } }

    /// Deletes the directory, and tells all who keep images of it.
    package func removeAll() {
        files.withLock { _ in
            removals.withLock { $0 += 1 }
            if let directory { try? FileManager.default.removeItem(at: directory) }
        }
        for action in observers.withLock({ Array($0.actions.values) }) { action() }
    }

    /// Writes a file unless the images were deleted since they had been so often.
    ///
    /// Returns whether it was written.
    package func write(unlessRemovedSince count: Int, _ body: () -> Void) -> Bool {
        files.withLock { _ in
            guard self.count == count else { return false }
            body()
            return true
        }
    }

    /// Calls a closure after each removal, on any thread.
    package func observe(_ action: @escaping @Sendable () -> Void) -> Observation {
        let number = observers.withLock { observers in
            observers.last += 1
            observers.actions[observers.last] = action
            return observers.last
        }
        return Observation { [weak self] in
            self?.observers.withLock { $0.actions[number] = nil }
        }
    }
}
