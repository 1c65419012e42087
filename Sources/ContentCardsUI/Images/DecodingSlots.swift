#if !os(tvOS)
/// Lets a few images be decoded at a time, those on screen before those that are loaded ahead of time.
///
/// A large file takes hundreds of megabytes while it is decoded, and one of the few threads that all tasks of an app
/// share.
@MainActor
final class DecodingSlots {
    /// The slots of all loaders.
    static let shared = DecodingSlots(count: 2)

    private var free: Int
    private var urgent: [CheckedContinuation<Void, Never>] = []
    private var later: [CheckedContinuation<Void, Never>] = []

    /// Creates slots, all of them free.
    init(count: Int) {
        free = count
    }

    /// The number of images that wait for a slot.
    var waitingCount: Int {
        urgent.count + later.count
    }

    /// Takes a slot, and waits for one where none is free; ``leave()`` gives it back.
    func enter(isPrefetch: Bool) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { continuation in
            if isPrefetch { later.append(continuation) } else { urgent.append(continuation) }
        }
    }

    /// Gives a slot back, or on to the image that waits for it.
    func leave() {
        if !urgent.isEmpty {
            urgent.removeFirst().resume()
        } else if !later.isEmpty {
            later.removeFirst().resume()
        } else {
            free += 1
        }
    }
}
#endif
