import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The removal of cached images")
struct ImageRemovalTests {
    let bed = TestBed()

    private func write(_ name: String) throws {
        try FileManager.default.createDirectory(at: bed.images, withIntermediateDirectories: true)
        try Data("image".utf8).write(to: bed.images.appendingPathComponent(name))
    }

    @Test("is one for a directory, however its path is spelt, and another for another one")
    func directories() {
        let spelt = bed.images.appendingPathComponent("../images/./", isDirectory: true)
        #expect(ImageRemovals.of(bed.images) === ImageRemovals.of(spelt))
        #expect(ImageRemovals.of(bed.images) !== ImageRemovals.of(bed.directory.appendingPathComponent("others")))
    }

    @Test("takes all files, and lets no image be written that was loaded before it")
    func lateImage() throws {
        let removals = ImageRemovals.of(bed.images)
        try write("early")
        let count = removals.count
        removals.removeAll()
        #expect(!FileManager.default.fileExists(atPath: bed.images.path))
        var written: [String] = []
        let isLateKept = removals.write(unlessRemovedSince: count) { written.append("late") }
        let isNewKept = removals.write(unlessRemovedSince: removals.count) { written.append("new") }
        #expect(!isLateKept && isNewKept && written == ["new"])
        // Where there is nothing to remove, what is being loaded is out of date all the same.
        let before = removals.count
        removals.removeAll()
        #expect(removals.count == before + 1)
    }

    @Test("is told to whoever observes it, once each, until they go")
    func observers() {
        let removals = ImageRemovals()
        let heard = Collected<String>()
        var first: ImageRemovals.Observation? = removals.observe { heard.add("first") }
        let second = removals.observe { heard.add("second") }
        removals.removeAll()
        #expect(heard.all.sorted() == ["first", "second"] && first != nil)
        first = nil
        removals.removeAll()
        #expect(heard.all.sorted() == ["first", "second", "second"])
        withExtendedLifetime(second) {}
    }

    @Test("may be observed by what begins or ends its observation while it is told")
    func observersThatChange() {
        let removals = ImageRemovals()
        let heard = Collected<Int>()
        let nested = Locked<[ImageRemovals.Observation]>([])
        let outer = removals.observe {
            heard.add(removals.count)
            let new = removals.observe { heard.add(-1) }
            nested.withLock { $0.append(new) }
        }
        removals.removeAll()
        #expect(heard.all == [1])
        nested.withLock { $0 = [] }
        removals.removeAll()
        #expect(heard.all == [1, 2])
        withExtendedLifetime(outer) {}
    }
}
