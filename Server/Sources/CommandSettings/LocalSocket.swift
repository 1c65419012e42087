import Foundation

/// A Unix socket in the file system on which a server listens, for processes of this machine alone.
package struct LocalSocket: Sendable, Equatable {
    /// The maximum number of bytes of a path; what systems take is a little more.
    package static let maximumPathBytes = 90
    /// The default mode, which says who can connect: the server's account and its group.
    package static let defaultMode: UInt16 = 0o660

    /// The kind of file at a path.
    package enum Finding: Equatable {
        /// Nothing is there, and something could be.
        case free
        /// A socket that no process listens on, left by a process that was killed.
        case stale
        /// A socket on which something listens.
        case taken
        /// Something that is no socket, and that is never removed.
        case other
        /// A file, or a folder, that can't be used, by what the system says.
        case forbidden(String)
    }

    /// An error that keeps a server from listening.
    package struct Failure: Error, CustomStringConvertible {
        /// The message that says what is wrong, and what to do.
        package let description: String
    }

    /// The path of the socket.
    package let path: String
    /// The mode, which says who can connect: the bits of a file's mode, of which those to write count.
    package let mode: UInt16
    /// The group that it belongs to, by its name or number; `nil` for the server's own.
    package let group: String?

    /// Creates the description of a socket.
    ///
    /// - Throws: `ConfigurationError` where the path is too long.
    package init(
        path: SettingValues.Value,
        mode: SettingValues.Value? = nil,
        group: String? = nil
    ) throws(ConfigurationError) {
        guard path.text.utf8.count <= Self.maximumPathBytes, !path.text.utf8.contains(0) else {
            throw ConfigurationError("\(path.origin): a path of at most \(Self.maximumPathBytes) bytes is expected.")
        }
        self.path = path.text
        self.mode = try mode.map { text throws(ConfigurationError) in try Self.mode(text) } ?? Self.defaultMode
        self.group = group
    }

    /// Whether every account of this machine may connect.
    package var isOpenToAll: Bool { mode & 0o002 != 0 }

    private static func mode(_ value: SettingValues.Value) throws(ConfigurationError) -> UInt16 {
        let digits = value.text.utf8
        guard (3...4).contains(digits.count), digits.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt16(value.text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600
        else {
            throw ConfigurationError("\(value.origin): digits such as 660 or 0660 are expected, from 600 on.")
        }
        return mode
    }
}

extension LocalSocket {
    /// Looks at what is there, and asks whether anything listens.
    package static func look(at path: String) -> Finding {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            return errno == ENOENT ? .free : .forbidden(String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return .other }
        guard let descriptor = makeSocket() else { return .forbidden(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let code = withAddress(of: path) { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        return switch code {
        // Where its queue is full, something listens, too.
        case 0, EAGAIN, EINPROGRESS: .taken
        case ECONNREFUSED, ENOENT: .stale
        default: .forbidden(String(cString: strerror(code)))
        }
    }

    /// Refuses a path at which a server can't listen.
    ///
    /// - Returns: Whether a socket is to be replaced there.
    /// - Throws: `Failure` that says what to do.
    @discardableResult
    package func check() throws(Failure) -> Bool {
        switch Self.look(at: path) {
        case .free: return false
        case .stale: return true
        case .taken:
            throw Failure(description: "Something listens on \(path). Stop it, or give another path by --socket.")
        case .other:
            throw Failure(description: "\(path) is no socket, and stays. Give another path by --socket.")
        case .forbidden(let reason): throw Failure(description: "\(path) can't be used: \(reason).")
        }
    }

    /// Listens, in place of a socket that no process listens on any more.
    ///
    /// The socket has its mode and its group before it listens: until then no one can connect.
    ///
    /// - Returns: The descriptor, and what tells the socket from another one at its path.
    /// - Throws: `Failure` that says what to do.
    package func listen() throws(Failure) -> (descriptor: Int32, identity: Identity) {
        let isReplaced = try check()
        guard let descriptor = Self.makeSocket() else { throw system("A socket can't be made") }
        // It stays until the new one is there, so that no file system gives both the same number.
        let replaced = "\(path).\(UInt32.random(in: .min ... .max))"
        if isReplaced { rename(path, replaced) }
        defer { if isReplaced { unlink(replaced) } }
        guard Self.withAddress(of: path, { bind(descriptor, $0, $1) }) == 0 else {
            let failure = system("\(path) can't be made")
            close(descriptor)
            throw failure
        }
        do throws(Failure) {
            try setRights()
            guard let identity = Identity(path), Foundation.listen(descriptor, .max) == 0 else {
                throw system("\(path) can't be listened on")
            }
            return (descriptor, identity)
        } catch {
            close(descriptor)
            unlink(path)
            throw error
        }
    }

    /// Whether the socket that was made is still at its path.
    package func isThere(_ identity: Identity) -> Bool { Identity(path) == identity }

    /// Removes the socket from its path, where it is still the one that was made there.
    package func remove(_ identity: Identity) {
        if Identity(path) == identity { unlink(path) }
    }

    /// The identity that tells a file from another one at the same path.
    package struct Identity: Sendable, Equatable {
        private let device: UInt64
        private let number: UInt64

        fileprivate init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            // safe: numbers of the system, compared and no more
            (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        }
    }

    private func setRights() throws(Failure) {
        if let group {
            let known = getgrnam(group).map { $0.pointee.gr_gid }
            guard let id = known ?? gid_t(group) else {
                throw Failure(description: "There is no group \(group). Give another by --socket-group.")
            }
            guard chown(path, uid_t.max, id) == 0 else {
                throw system("The socket can't be given to the group \(group), which this account has to be in")
            }
        }
        guard chmod(path, mode_t(mode)) == 0 else { throw system("The mode of the socket can't be set") }
    }

    private func system(_ doing: String) -> Failure {
        Failure(description: "\(doing): \(String(cString: strerror(errno))).")
    }

    private static func makeSocket() -> Int32? {
        #if canImport(Darwin)
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        // A process that waits in a full queue would wait for a server that is stuck.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
