import Testing

@testable import CardServer

@Suite("The time that a connection has")
struct ConnectionTimerTests {
    private static let times = ConnectionTimes(
        head: 10,
        body: .init(window: 30, rate: 100),
        answer: .init(window: 30, rate: 100),
        idle: 75,
        rest: 30,
        quiet: 5
    )

    private var timer: ConnectionTimer { ConnectionTimer(Self.times, at: 0) }

    private func expiry(_ timer: inout ConnectionTimer, at now: Double) -> ConnectionTimer.Expiry? {
        timer.expiry(at: now, written: 0, waiting: 0)
    }

    @Test("A connection on which nothing comes has as long as a head")
    func silent() {
        var timer = timer
        #expect(timer.deadline == 10)
        #expect(expiry(&timer, at: 9.9) == nil)
        #expect(expiry(&timer, at: 10) == .idle)
    }

    @Test("Where the server stops, a connection without a request is open a moment longer")
    func stopping() {
        var timer = timer
        timer.serverStops(at: 2)
        #expect(expiry(&timer, at: 2.4) == nil)
        var other = timer
        #expect(expiry(&timer, at: 2.5) == .idle)
        // What was on its way has its time.
        other.received(1, at: 2.4)
        other.serverStops(at: 2.4)
        #expect(other.deadline == 12.4)
        // What was nearly over isn't open for longer.
        var late = self.timer
        late.serverStops(at: 9.9)
        #expect(late.deadline == 10)
    }

    @Test("A head has its time from its first byte, however often another one comes")
    func slowHead() {
        var timer = timer
        timer.received(1, at: 5)
        for second in 6...14 { timer.received(1, at: Double(second)) }
        #expect(timer.isReading)
        #expect(expiry(&timer, at: 14.9) == nil)
        #expect(expiry(&timer, at: 15) == .head)
    }

    @Test("A body may take long at its rate, and not with a byte now and then, nor with much at first and nothing then")
    func slowBody() {
        var steady = timer
        steady.headEnded(at: 0)
        for second in 1...100 {
            steady.received(100, at: Double(second))
            #expect(expiry(&steady, at: Double(second)) == nil)
        }
        var trickle = timer
        trickle.headEnded(at: 0)
        for second in 1...29 { trickle.received(99, at: Double(second)) }
        #expect(expiry(&trickle, at: 30) == .body)

        var burst = timer
        burst.headEnded(at: 0)
        burst.received(1_000_000, at: 1)
        #expect(expiry(&burst, at: 30) == nil)
        #expect(expiry(&burst, at: 59) == nil)
        #expect(expiry(&burst, at: 60) == .body)
    }

    @Test("The server may take as long as it likes to answer, and then the connection is idle")
    func answering() {
        var timer = timer
        timer.headEnded(at: 1)
        timer.requestEnded()
        #expect(!timer.isReading)
        #expect(timer.deadline == .infinity)
        #expect(expiry(&timer, at: 10_000) == nil)
        timer.exchangeEnded(at: 10_000)
        #expect(expiry(&timer, at: 10_074) == nil)
        #expect(expiry(&timer, at: 10_075) == .idle)
    }

    @Test("An answer has to be read at its rate, and while it is read the connection is not idle")
    func slowReader() {
        var reading = timer
        reading.exchangeEnded(at: 0)
        for second in 0...300 {
            let waiting = 1_000_000 - second * 101
            #expect(reading.expiry(at: Double(second), written: 1_000_000, waiting: waiting) == nil)
        }
        var stalled = timer
        stalled.requestEnded()
        #expect(stalled.expiry(at: 0, written: 5_000, waiting: 5_000) == nil)
        // What is written in addition is nothing that was read.
        #expect(stalled.expiry(at: 29, written: 9_000, waiting: 9_000) == nil)
        #expect(stalled.expiry(at: 30, written: 9_100, waiting: 9_000) == .answer)

        var late = timer
        late.requestEnded()
        #expect(late.expiry(at: 0, written: 5_000, waiting: 5_000) == nil)
        #expect(late.expiry(at: 20, written: 5_000, waiting: 0) == nil)
        #expect(late.expiry(at: 40, written: 6_000, waiting: 1_000) == nil)
    }

    @Test("The rest of a request is read until it is quiet, and not for ever")
    func rest() {
        var quiet = timer
        quiet.restBegan(at: 0)
        quiet.received(10, at: 4)
        #expect(expiry(&quiet, at: 8.9) == nil)
        #expect(expiry(&quiet, at: 9) == .rest)

        var endless = timer
        endless.restBegan(at: 0)
        for second in 1...30 { endless.received(1_000_000, at: Double(second)) }
        #expect(expiry(&endless, at: 30) == .rest)
    }
}
