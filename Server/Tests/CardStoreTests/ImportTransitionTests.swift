import CardModel
import CardStore
import CardStoreConformance
import Simulation
import Testing

@Suite("What becomes of an import")
struct ImportTransitionTests {
    private func job(_ id: String = "imp_1", size: Int = 4, status: ImportJob.Status = .uploading) -> ImportJob {
        var job = ImportJob(
            id: id,
            fileName: "users.csv",
            format: "csv",
            size: size,
            fingerprint: "f",
            createdAt: noon,
            createdBy: "anna@example.com"
        )
        job.status = status
        return job
    }

    @Test("The same file that is still being uploaded goes on, also where no other may be added")
    func admission() {
        let new = job("new")
        let others = (1...ImportJob.openLimit).map { job("\($0)", size: 9) }
        #expect(new.admission(among: []) == .added)
        #expect(new.admission(among: Array(others.dropLast())) == .added)
        #expect(new.admission(among: others) == .full)
        #expect(new.admission(among: others + [job()]) == .present(job()))
        #expect(new.admission(among: [job(status: .running)]) == .added)
    }

    @Test("Pieces in any order, some of them twice, make the file once each was sent in its turn", arguments: 0..<20)
    func uploads(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), "uploads")
        var upload = job(size: Int.random(in: 1...40, using: &random))
        let file = (0..<upload.size).map { UInt8($0) }
        var kept: [UInt8] = []
        for _ in 0..<2_000 where kept.count < file.count {
            let start = Int.random(in: 0..<file.count, using: &random)
            let piece = Array(file[start..<Int.random(in: start...file.count, using: &random)])
            let isNext = start == kept.count && !piece.isEmpty
            if isNext { kept += piece }
            let expected = isNext ? ImportJob.Upload.appended(received: kept.count) : .ignored(received: kept.count)
            #expect(upload.upload(piece, at: start) == expected)
            upload.received = kept.count
        }
        #expect(kept == file && upload.isReady)
        #expect(upload.upload([1], at: file.count) == .ignored(received: file.count))
    }

    @Test("Only a file that is being uploaded takes pieces, and none that would make it longer than announced")
    func refusedPieces() {
        #expect(job(status: .running).upload([1], at: 0) == .refused)
        #expect(job(status: .canceled).upload([1], at: 0) == .refused)
        #expect(job().upload([1, 2, 3, 4, 5], at: 0) == .ignored(received: 0))
    }

    @Test("A complete file is started once, what hasn't ended can be canceled, and what lasts too long expires")
    func transitions() throws {
        var complete = job()
        #expect(complete.started("plan", at: noon + 1) == nil)
        complete.received = 4
        let running = try #require(complete.started("plan", at: noon + 1))
        #expect(running.status == .running && running.plan == "plan" && running.startedAt == noon + 1)
        #expect(running.started("plan", at: noon + 2) == nil)

        for open in [complete, running] {
            let canceled = try #require(open.canceled(at: noon + 2))
            #expect(canceled.status == .canceled && canceled.endedAt == noon + 2)
            #expect(canceled.canceled(at: noon + 3) == nil)
            #expect(canceled.expired(at: .infinity) == nil)
        }
        #expect(complete.expired(at: noon + ImportJob.Retention.upload - 1) == nil)
        #expect(complete.expired(at: noon + ImportJob.Retention.upload)?.status == .expired)
        #expect(running.expired(at: noon + ImportJob.Retention.run) == nil)
        #expect(running.expired(at: noon + 1 + ImportJob.Retention.run)?.status == .expired)
    }

    @Test("A worker may renew its own lease, and take another's once that is over")
    func leases() {
        let lease = ImportLease(of: "one", until: 100)
        #expect(lease.admits("one", at: 50) && lease.admits("one", at: 150))
        #expect(!lease.admits("two", at: 99) && lease.admits("two", at: 100))
        #expect(ImportLease(of: nil, until: 0).admits("two", at: 0))
    }
}
