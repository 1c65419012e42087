import Foundation

/// Reads the frames of a write-ahead log with their checksums, as SQLite's file format describes them.
///
/// SQLite plays a log up to the first frame whose checksum is wrong, and says nothing. After a kill or a power failure
/// that is right: what follows was never acknowledged. Where a frame in the middle is damaged, it throws away what was.
struct LogScan {
    /// The end of the frames of the present generation.
    enum End: Equatable {
        /// With the commit of a transaction, or there are none.
        case whole
        /// Within a frame, or without the commit of a transaction: what comes last was never acknowledged.
        case unfinished
        /// With zeros in the place of frames: power failed, and the disk lacks what was written there.
        ///
        /// That is what comes last, and was never acknowledged, unless the disk said too early that it had it.
        case blank
        /// A frame, or the header, can't be right, and later ones that were committed would be thrown away.
        case damaged
    }

    private(set) var end = End.whole
    /// The marks of the database, ``LogOwnership``, in the copies of its first page that are played into it.
    private(set) var marks: Set<UInt32> = []

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    /// Frames that are looked at, at most: some 16 GB.
    private static let frames = 1 << 22

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - path: The log.
    ///   - known: The size of the database's pages, where the log's own header says none; `nil` where it isn't known.
    init(_ path: String, pageBytes known: Int? = nil) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let header = Self.read(Self.headerBytes, at: 0, of: descriptor) else { return }
        let magic = Self.number(header, at: 0)
        let said = Int(Self.number(header, at: 8))
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(header.prefix(24))
        let isRight = magic & ~1 == 0x377F_0682 && sum.matches(header, at: 24)
        // Of a header that is wrong nothing is believed.
        guard let pageBytes = isRight ? said : known, (512...65_536).contains(pageBytes) else { return }
        if !isRight, Self.isBeginning(header, of: descriptor, pageBytes) { return }
        sum = Checksum(isBigEndian: magic & 1 == 1, header, at: 24)
        readFrames(of: descriptor, pageBytes, (Array(header.suffix(16).prefix(8)), sum, isRight))
    }

    /// Returns whether a log begins with zeros, as one does that was written over: SQLite plays nothing of it.
    ///
    /// - Parameter path: The log.
    /// - Returns: Whether its header and that of the first frame have nothing else.
    static func isBlank(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let header = read(headerBytes, at: 0, of: descriptor) else { return false }
        let frame = read(frameHeaderBytes, at: headerBytes, of: descriptor) ?? []
        return (header + frame).allSatisfy { $0 == 0 }
    }

    // safe: places in a file of at most 2^22 frames of at most 64 KiB
    private mutating func readFrames(
        of descriptor: Int32,
        _ pageBytes: Int,
        _ header: (salt: [UInt8], sum: Checksum, isRight: Bool)
    ) {
        var (salt, sum, isBroken) = (header.salt, header.sum, !header.isRight)
        var (isCommitted, isBeyondCommit) = (true, false)
        var pending: Set<UInt32> = []
        var rest = Remainder()
        for place in 0..<Self.frames {
            let offset = Self.headerBytes + place * (Self.frameHeaderBytes + pageBytes)
            guard let head = Self.read(Self.frameHeaderBytes, at: offset, of: descriptor) else { break }
            if place == 0, isBroken { salt = Array(head[8..<16]) }
            let isOfGeneration = head[8..<16].elementsEqual(salt)
            let isCommit = Self.number(head, at: 4) != 0
            if isBroken {
                guard isOfGeneration else {
                    rest.note(head)
                    continue
                }
                // What comes after the commit was written once that had been acknowledged.
                guard !isBeyondCommit else {
                    end = .damaged
                    return
                }
                (isCommitted, isBeyondCommit) = (false, isCommit)
                continue
            }
            guard let page = Self.read(pageBytes, at: offset + Self.frameHeaderBytes, of: descriptor) else {
                if isOfGeneration { isCommitted = false } else { rest.note(head) }
                break
            }
            sum.add(head[..<8])
            sum.add(page[...])
            guard isOfGeneration, sum.matches(head, at: 16) else {
                isBroken = true
                if isOfGeneration { (isCommitted, isBeyondCommit) = (false, isCommit) } else { rest.note(head) }
                continue
            }
            if Self.number(head, at: 0) == 1 { pending.insert(Self.number(page, at: 60)) }
            isCommitted = isCommit
            if isCommit {
                marks.formUnion(pending)
                pending = []
            }
        }
        end = rest.isBlank ? .blank : isCommitted ? .whole : .unfinished
    }

    /// The places behind the frames of the present generation.
    ///
    /// Usually, frames of an earlier one are there, which the log was longer in. Zeros behind those don't count: they
    /// aren't what was written last.
    private struct Remainder {
        private(set) var isBlank = false
        private var hasFrames = false

        /// Takes the head of the next place.
        mutating func note(_ head: [UInt8]) {
            // The second half of a checksum: zeros may begin within the head of a frame.
            if LogScan.number(head, at: 20) != 0 { hasFrames = true } else if !hasFrames { isBlank = true }
        }
    }

    /// Whether power failed while the header of the next generation was written over that of the frames.
    ///
    /// SQLite begins again at the front of a log once all of it is in the database, so nothing is lost. The number of
    /// the generation is the first that changes in the header; with the one before, and the salts that the frames have,
    /// the first frame has its checksum.
    // safe: places in a header and a frame that were read as a whole
    private static func isBeginning(_ header: [UInt8], of descriptor: Int32, _ pageBytes: Int) -> Bool {
        guard let head = read(frameHeaderBytes, at: headerBytes, of: descriptor),
            let page = read(pageBytes, at: headerBytes + frameHeaderBytes, of: descriptor)
        else { return false }
        let generation = number(header, at: 12) &- 1
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: generation >> $0) }
        let before = header[..<12] + bytes + head[8..<16]
        var sum = Checksum(isBigEndian: number(header, at: 0) & 1 == 1)
        sum.add(before)
        sum.add(head[..<8])
        sum.add(page[...])
        return sum.matches(head, at: 16)
    }

    private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    /// A number of four bytes, the most significant first.
    fileprivate static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
        // safe: a byte
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The running checksum of a log: over its header, and on over each frame.
private struct Checksum {
    private let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Goes on from the one that is kept there.
    init(isBigEndian: Bool, _ bytes: [UInt8], at place: Int) {
        self.isBigEndian = isBigEndian
        (first, second) = (LogScan.number(bytes, at: place), LogScan.number(bytes, at: place + 4))
    }

    /// Adds bytes, whose number is a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
                let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let next = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                first &+= (isBigEndian ? word.bigEndian : word.littleEndian) &+ second
                second &+= (isBigEndian ? next.bigEndian : next.littleEndian) &+ first
            }
        }
    }

    /// Whether it is the one that is kept there.
    func matches(_ bytes: [UInt8], at place: Int) -> Bool {
        first == LogScan.number(bytes, at: place) && second == LogScan.number(bytes, at: place + 4)
    }
}
