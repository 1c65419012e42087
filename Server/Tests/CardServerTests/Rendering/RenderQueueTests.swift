import Testing

@testable import CardServer

@Suite("Rendering queue")
struct RenderQueueTests {
    @Test("Callers take turns, however much one of them asks for, and none has two jobs running")
    func turns() {
        var queue = RenderQueue<Int>()
        for job in 1...4 { #expect(queue.add(job, of: "hog") == true) }
        #expect(queue.add(5, of: "ann") == true)
        #expect(queue.add(6, of: "bob") == true)

        #expect(queue.next()?.job == 1)
        #expect(queue.next()?.job == 5)
        #expect(queue.next()?.job == 6)
        #expect(queue.next() == nil, "The hog's next job can't begin before the first has ended.")
        queue.finish("hog")
        #expect(queue.next()?.job == 2)
        queue.finish("ann")
        #expect(queue.next() == nil)
        #expect(queue.count == 2)
    }

    @Test("More than so many pending jobs of one caller, or of all, are refused")
    func limits() {
        var queue = RenderQueue<Int>()
        let (all, each) = RenderQueue<Int>.limits
        for job in 0..<each { #expect(queue.add(job, of: "hog") == true) }
        #expect(queue.add(9, of: "hog") == false)
        for job in 0..<(all - each) { #expect(queue.add(job, of: "user \(job)") == true) }
        #expect(queue.add(9, of: "one more") == false)
        #expect(queue.next()?.caller == "hog")
        #expect(queue.add(9, of: "one more") == true)
        #expect(queue.count == all)
    }

    @Test("A caller that asks again while its job runs gets its turn after it")
    func again() {
        var queue = RenderQueue<Int>()
        #expect(queue.add(1, of: "ann") == true)
        #expect(queue.next()?.job == 1)
        #expect(queue.add(2, of: "ann") == true)
        #expect(queue.next() == nil)
        queue.finish("ann")
        #expect(queue.next()?.job == 2)
        queue.finish("ann")
        #expect(queue.next() == nil)
        #expect(queue.count == 0)
    }
}
