import CardModel
import Foundation
import WireJSON

/// An e-mail address as mail servers and the fields of messages have it.
package struct MailAddress: Sendable, Hashable {
    /// The part before the `@`, quoted where it has to be.
    private let mailbox: String
    /// The part after it, with letters beyond ASCII in the form that the names of hosts have (`xn--…`).
    private let domain: String

    /// Reads an address, or returns `nil` where it is none.
    init?(_ text: String) {
        guard let address = EmailAddress(text) else { return nil }
        let parts = address.text.split(at: "@", maxSplits: 1)
        guard parts.count == 2, let domain = Self.domain(String(parts[1])) else { return nil }
        let mailbox = String(parts[0])
        self.mailbox = Self.isPlain(mailbox) ? mailbox : "\"\(mailbox)\""
        self.domain = domain
    }

    /// The address without brackets.
    package var path: String { "\(mailbox)@\(domain)" }

    /// Whether only a mail server can take it that knows letters beyond ASCII.
    var needsUTF8: Bool { !mailbox.utf8.allSatisfy { $0 < 0x80 } }

    /// Returns whether a mailbox can be written as it is.
    private static func isPlain(_ mailbox: String) -> Bool {
        let atoms = mailbox.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return atoms.allSatisfy { atom in !atom.isEmpty && atom.allSatisfy { !"()<>[]:;@\\,\"".utf8.contains($0) } }
    }

    /// A name of a host, or an address of one in square brackets.
    private static func domain(_ text: String) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = text.dropFirst().dropLast()
            let six = address.hasPrefix("ipv6:") ? String(address.dropFirst(5)) : nil
            return six.map { HostAddress($0)?.isSix == true } ?? (HostAddress(String(address)) != nil) ? text : nil
        }
        var components = URLComponents()
        components.host = text
        guard let host = components.encodedHost, host.utf8.count <= 253 else { return nil }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy(Self.isLabel) ? host : nil
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count)
            && label.allSatisfy { byte in
                let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
                return isLetter || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
