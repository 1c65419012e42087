import CardModel
import Foundation

/// The address of this machine in its network.
enum NetworkAddress {
    /// An address of the documentation, which is in no network: the way there is the one to everybody else.
    private static let elsewhere = "192.0.2.1"

    /// Returns the address that this machine has in the network by which it reaches others, or `nil` where there is
    /// none; sends nothing.
    static func ofThisMachine() -> String? {
        guard let target = PortProbe.address(elsewhere, 9) else { return nil }
        defer { freeaddrinfo(target) }
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard connect(descriptor, target.pointee.ai_addr, target.pointee.ai_addrlen) == 0 else { return nil }
        var own = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isKnown else { return nil }
        return IPAddress(bytes: withUnsafeBytes(of: &own.sin_addr) { Array($0) })?.description
    }
}
