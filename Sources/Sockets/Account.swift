private import CLinux
internal import Glibc

/// The user and the groups that a process runs as.
package struct Account: Hashable, Sendable {
    package let user: UInt32
    package let group: UInt32
    /// The user's other groups, such as one that may read certificates' keys.
    package let moreGroups: [UInt32]

    /// - Parameter text: `USER` or `USER:GROUP`, by name or number.
    /// - Throws: the name, if this system does not know it.
    package init(_ text: String) throws(UnknownAccount) {
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        let userName = String(text[..<(colon ?? text.endIndex)])
        let groupName = colon.map { String(text[text.utf8.index(after: $0)...]) }
        let entry = unsafe getpwnam(userName)
        let isKnown = unsafe entry != nil
        let number = UInt32(userName)
        guard let user = unsafe entry?.pointee.pw_uid ?? number else {
            throw UnknownAccount(kind: "user", name: userName)
        }
        self.user = user
        var group = unsafe entry?.pointee.pw_gid
        if let groupName {
            let number = UInt32(groupName)
            group = unsafe getgrnam(groupName)?.pointee.gr_gid ?? number
            guard group != nil else { throw UnknownAccount(kind: "group", name: groupName) }
        }
        self.group = group ?? user
        moreGroups = isKnown ? supplementaryGroups(userName, self.group) : []
    }

    /// Whether this process runs with root's rights.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Runs `body` with the rights of the account, and then takes root's rights back. Meanwhile,
    /// every thread opens files with the account's rights.
    /// - Throws: the system call that failed before `body` ran.
    package func lend<Value>(_ body: () -> Value) throws(SystemError) -> Value {
        let (before, groupBefore) = (geteuid(), getegid())
        var groupsBefore = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = unsafe getgroups(CInt(groupsBefore.count), &groupsBefore)
        guard count >= 0 else { throw SystemError("getgroups") }
        func takeBack() {
            // The process may always become root again; otherwise it would not have come this far.
            let isBack =
                unsafe seteuid(before) == 0 && setegid(groupBefore) == 0
                && setgroups(Int(count), groupsBefore) == 0
            precondition(isBack, "root's rights are gone")
        }
        guard unsafe setgroups(moreGroups.count, moreGroups) == 0 else {
            throw SystemError("setgroups")
        }
        guard setegid(group) == 0 else {
            let error = SystemError("setegid")
            takeBack()
            throw error
        }
        guard seteuid(user) == 0 else {
            let error = SystemError("seteuid")
            takeBack()
            throw error
        }
        defer { takeBack() }
        return body()
    }

    /// Changes this process to the account for good: first the groups, while it may, then the user,
    /// each with its real, effective and saved id. Then it checks that it cannot go back.
    /// - Throws: the system call that failed.
    package func assume() throws(SystemError) {
        if geteuid() == user, getuid() == user, getegid() == group, user != 0 { return }
        guard unsafe setgroups(moreGroups.count, moreGroups) == 0 else {
            throw SystemError("setgroups")
        }
        guard waymark_set_group(group) == 0 else { throw SystemError("setresgid") }
        guard waymark_set_user(user) == 0 else { throw SystemError("setresuid") }
        guard waymark_is_only(user, group) == 1, user == 0 || setuid(0) != 0 else {
            throw SystemError("setresuid", number: EPERM)
        }
    }
}

/// A user or group that this system does not know.
package struct UnknownAccount: Error, Hashable, Sendable, CustomStringConvertible {
    let kind: String
    let name: String

    package var description: String { "there is no \(kind) \"\(name)\"" }
}

/// Prevents this process and its children from gaining rights by running a program
/// (PR_SET_NO_NEW_PRIVS). It also applies to threads that are started later.
package func renounceNewPrivileges() throws(SystemError) {
    guard waymark_no_new_privileges() == 0 else { throw SystemError("prctl") }
}

private func supplementaryGroups(_ user: String, _ group: UInt32) -> [UInt32] {
    var count: CInt = 64
    var groups = [gid_t](repeating: 0, count: Int(count))
    if unsafe getgrouplist(user, group, &groups, &count) < 0 {
        groups = [gid_t](repeating: 0, count: Int(count))
        guard unsafe getgrouplist(user, group, &groups, &count) >= 0 else { return [group] }
    }
    return Array(groups.prefix(Int(count)))
}
